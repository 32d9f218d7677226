#include "io/fclib_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "partition/index_blocks.hpp"

namespace percussion {

namespace fs = std::filesystem;

namespace {

struct Layout {
  const char* group;
  bool global, rolling;
};
constexpr Layout layouts[] = {{"fclib_local", false, false},
                              {"fclib_global", true, false},
                              {"fclib_rolling", false, true},
                              {"fclib_local_rolling", false, true},
                              {"fclib_global_rolling", true, true}};

const Layout& layout_of(const FclibFile& file) {
  for (const Layout& layout : layouts)
    if (file.has(layout.group)) return layout;
  file.fail("", "holds no friction problem",
            "a group fclib_local, fclib_global, fclib_rolling or fclib_global_rolling");
}

/// Collective. The share of a vector of `n` x `width` numbers.
std::vector<double> read_share(const FclibFile& file, const std::string& name, std::int64_t n,
                               int width = 1) {
  if (const std::int64_t size = file.size(name); size != n * width)
    file.fail(name, "has the wrong length", fmt::format("{} numbers", n * width),
              fmt::format("{} numbers", size));
  const IndexBlocks share(file.comm(), n);
  return file.reals(name, {share.first() * width, share.last() * width});
}

std::vector<double> read_friction(const FclibFile& file, const std::string& name, std::int64_t contacts) {
  std::vector<double> mu = read_share(file, name, contacts);
  const IndexBlocks share(file.comm(), contacts);
  all_or_none(file.comm(), [&] {
    for (std::size_t k = 0; k < mu.size(); ++k)
      if (mu[k] < 0)
        file.fail(name, "a coefficient of friction is negative", "numbers >= 0",
                  fmt::format("[{}] = {}", share.first() + static_cast<std::int64_t>(k), mu[k]));
  });
  return mu;
}

void check_shape(const FclibFile& file, const std::string& name, const StoredMatrix& A, std::int64_t rows,
                 std::int64_t columns) {
  if (A.rows != rows || A.columns != columns)
    file.fail(name, "has the wrong shape", fmt::format("{} x {}", rows, columns),
              fmt::format("{} x {}", A.rows, A.columns));
}

void read_local(const FclibFile& file, const std::string& group, FclibProblem& p) {
  p.W = read_matrix(file, group + "/W");
  check_shape(file, group + "/W", p.W, p.W.rows, p.W.rows);
  if (p.W.rows % p.dimension != 0 || p.W.rows == 0)
    file.fail(group + "/W/m", "no whole number of contacts",
              fmt::format("a multiple of spacedim = {}, not 0", p.dimension), std::to_string(p.W.rows));
  p.contacts = p.W.rows / p.dimension;
  if (file.has(group + "/V") || file.has(group + "/R")) {
    p.V = read_matrix(file, group + "/V"), p.R = read_matrix(file, group + "/R");
    p.constraints = p.R.rows;
    check_shape(file, group + "/R", p.R, p.constraints, p.constraints);
    check_shape(file, group + "/V", p.V, p.W.rows, p.constraints);
    p.s = read_share(file, group + "/vectors/s", p.constraints);
  }
  p.q = read_share(file, group + "/vectors/q", p.contacts, p.dimension);
}

void read_global(const FclibFile& file, const std::string& group, FclibProblem& p) {
  p.M = read_matrix(file, group + "/M"), p.H = read_matrix(file, group + "/H");
  p.velocities = p.M.rows;
  check_shape(file, group + "/M", p.M, p.velocities, p.velocities);
  if (p.H.columns % p.dimension != 0 || p.H.columns == 0)
    file.fail(group + "/H/n", "no whole number of contacts",
              fmt::format("a multiple of spacedim = {}, not 0", p.dimension), std::to_string(p.H.columns));
  p.contacts = p.H.columns / p.dimension;
  check_shape(file, group + "/H", p.H, p.velocities, p.H.columns);
  if (file.has(group + "/G")) {
    p.G = read_matrix(file, group + "/G");
    p.constraints = p.G.columns;
    check_shape(file, group + "/G", p.G, p.velocities, p.constraints);
    p.s = read_share(file, group + "/vectors/b", p.constraints);
  }
  p.f = read_share(file, group + "/vectors/f", p.velocities);
  p.q = read_share(file, group + "/vectors/w", p.contacts, p.dimension);
}

void write_share(FclibFile& file, const std::string& name, std::int64_t n, int width,
                 const std::vector<double>& values) {
  const IndexBlocks share(file.comm(), n);
  PERCUSSION_CHECK(static_cast<std::int64_t>(values.size()) == share.size() * width,
                   "a rank has its share of " + name);
  file.write_reals(name, n * width, share.first() * width, values);
}

void write_point(FclibFile& file, const std::string& group, const FclibProblem& p,
                 const FclibSolution& point) {
  file.make_group(group);
  write_share(file, group + "/u", p.contacts, p.dimension, point.u);
  write_share(file, group + "/r", p.contacts, p.dimension, point.r);
  if (p.global) write_share(file, group + "/v", p.velocities, 1, point.v);
  if (p.constraints > 0) write_share(file, group + "/l", p.constraints, 1, point.l);
}

void write_problem(FclibFile& file, const FclibProblem& p, MatrixForm form) {
  const std::string group = p.global ? (p.rolling ? "fclib_global_rolling" : "fclib_global")
                                     : (p.rolling ? "fclib_rolling" : "fclib_local");
  file.make_group(group);
  file.write_integer(group + "/spacedim", p.dimension);
  const auto matrix = [&](const char* name, const StoredMatrix& A) {
    write_matrix(file, group + "/" + name, A, form);
  };
  if (p.global) {
    matrix("M", p.M), matrix("H", p.H);
    if (p.constraints > 0) matrix("G", p.G);
  } else {
    matrix("W", p.W);
    if (p.constraints > 0) matrix("V", p.V), matrix("R", p.R);
  }
  const std::string vectors = group + "/vectors/";
  file.make_group(group + "/vectors");
  write_share(file, vectors + (p.global ? "w" : "q"), p.contacts, p.dimension, p.q);
  write_share(file, vectors + "mu", p.contacts, 1, p.mu);
  if (p.rolling) write_share(file, vectors + "mu_r", p.contacts, 1, p.mu_r);
  if (p.global) write_share(file, vectors + "f", p.velocities, 1, p.f);
  if (p.constraints > 0) write_share(file, vectors + (p.global ? "b" : "s"), p.constraints, 1, p.s);
  if (p.title.empty() && p.description.empty()) return;
  file.make_group(group + "/info");
  if (!p.title.empty()) file.write_text(group + "/info/title", p.title);
  if (!p.description.empty()) file.write_text(group + "/info/description", p.description);
}

/// Collective. Writes beside `path` and puts the result in its place when it is whole.
template <class Write>
void write_whole(MPI_Comm comm, const fs::path& path, Write&& write) {
  fs::path temporary = path;
  temporary += ".tmp";
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto on_root = [&](auto&& work) {
    all_or_none(comm, [&] {
      std::error_code error;
      if (rank == 0) work(error);
      if (error) throw RunError(fmt::format("cannot write {}: {}", path.string(), error.message()));
    });
  };
  try {
    write(temporary, on_root);
  } catch (...) {
    std::error_code ignored;
    if (rank == 0) fs::remove(temporary, ignored);
    throw;
  }
  on_root([&](std::error_code& error) { fs::rename(temporary, path, error); });
}

}  // namespace

FclibProblem read_fclib(MPI_Comm comm, const fs::path& path) {
  const FclibFile file(comm, path, FclibFile::Mode::read);
  const Layout& layout = layout_of(file);
  const std::string group = layout.group;
  FclibProblem p;
  p.global = layout.global, p.rolling = layout.rolling;
  const std::int64_t dimension = file.integer(group + "/spacedim");
  const bool known = p.rolling ? dimension == 3 || dimension == 5 : dimension == 2 || dimension == 3;
  if (!known)
    file.fail(group + "/spacedim", "unknown number of rows per contact", p.rolling ? "3 or 5" : "2 or 3",
              std::to_string(dimension));
  p.dimension = static_cast<int>(dimension);
  if (p.global)
    read_global(file, group, p);
  else
    read_local(file, group, p);
  p.mu = read_friction(file, group + "/vectors/mu", p.contacts);
  if (p.rolling) p.mu_r = read_friction(file, group + "/vectors/mu_r", p.contacts);
  return p;
}

void write_fclib(MPI_Comm comm, const fs::path& path, const FclibProblem& problem, MatrixForm form,
                 const FclibSolution* solution, const FclibSolution* guess) {
  write_whole(comm, path, [&](const fs::path& temporary, auto&&) {
    FclibFile file(comm, temporary, FclibFile::Mode::create);
    write_problem(file, problem, form);
    if (solution) write_point(file, "solution", problem, *solution);
    if (guess) {
      file.make_group("guesses");
      file.write_integer("guesses/number_of_guesses", 1);
      write_point(file, "guesses/1", problem, *guess);
    }
    file.close();
  });
}

FclibSolution read_point(MPI_Comm comm, const fs::path& path, const FclibProblem& problem,
                         const std::string& group) {
  const FclibFile file(comm, path, FclibFile::Mode::read);
  FclibSolution point;
  point.r = read_share(file, group + "/r", problem.contacts, problem.dimension);
  if (problem.constraints > 0) point.l = read_share(file, group + "/l", problem.constraints);
  return point;
}

FclibSolution read_start(MPI_Comm comm, const fs::path& path, const FclibProblem& problem) {
  std::string group;
  {
    const FclibFile file(comm, path, FclibFile::Mode::read);
    for (const char* candidate : {"guesses/1", "solution"})
      if (group.empty() && file.has(candidate)) group = candidate;
    if (group.empty()) file.fail("", "holds no start", "a group guesses/1 or solution with r");
  }
  return read_point(comm, path, problem, group);
}

void write_solution(MPI_Comm comm, const fs::path& from, const fs::path& to, const FclibProblem& problem,
                    const FclibSolution& solution) {
  write_whole(comm, to, [&](const fs::path& temporary, auto&& on_root) {
    on_root([&](std::error_code& error) {
      fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
      if (!error)
        fs::permissions(temporary, fs::perms::owner_write, fs::perm_options::add,
                        error);  // the original may be read-only
    });
    FclibFile file(comm, temporary, FclibFile::Mode::change);
    file.remove("solution");
    write_point(file, "solution", problem, solution);
    file.close();
  });
}

}  // namespace percussion
