// Files in FCLIB's layout: what is written is read again, on any number of ranks and in every form; what is
// wrong is refused.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "io/friction_problems.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr MatrixForm forms[] = {MatrixForm::triplets, MatrixForm::columns, MatrixForm::rows};
const MPI_Comm world = MPI_COMM_WORLD;

/// Local and global, planar and spatial, with and without rolling friction and bilateral constraints.
std::vector<DenseProblem> all_kinds() {
  std::vector<DenseProblem> kinds;
  for (const bool global : {false, true})
    for (const int constraints : {0, 3})
      for (const auto& [dimension, rolling] : {std::pair(2, false), {3, false}, {3, true}, {5, true}})
        kinds.push_back(random_problem(6, constraints, dimension, rolling, global));
  return kinds;
}

std::vector<std::int64_t> first_here(std::vector<std::int64_t> values) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  return rank == 0 ? values : std::vector<std::int64_t>{};
}

/// What a reader says about the file; empty if it takes it.
std::string complaint_about(const std::filesystem::path& path) {
  try {
    read_fclib(world, path);
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fclib_files)

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again_exactly) {
  const ScratchFolder folder;
  for (const DenseProblem& p : all_kinds())
    for (const MatrixForm form : forms) {
      write_fclib(world, folder / "problem.hdf5", shares_of(p, world), form);
      const FclibProblem read = read_fclib(world, folder / "problem.hdf5");
      BOOST_TEST(read.global == p.global);
      BOOST_TEST(read.rolling == p.rolling);
      BOOST_TEST_REQUIRE(read.dimension == p.dimension);
      BOOST_TEST_REQUIRE(read.contacts == p.contacts());
      BOOST_TEST_REQUIRE(read.constraints == p.s.size());
      BOOST_TEST((gathered(read.mu, world, read.contacts) == p.mu));
      if (p.rolling) BOOST_TEST((gathered(read.mu_r, world, read.contacts) == p.mu_r));
      BOOST_TEST((gathered(read.q, world, read.contacts, read.dimension) == (p.global ? p.w : p.q)));
      BOOST_TEST((gathered(read.s, world, read.constraints) == (p.global ? p.b : p.s)));
      if (p.global) {
        BOOST_TEST((gathered(read.M, world) == p.M));
        BOOST_TEST((gathered(read.H, world) == p.H));
        if (p.s.size() > 0) BOOST_TEST((gathered(read.G, world) == p.G));
        BOOST_TEST((gathered(read.f, world, read.velocities) == p.f));
      } else {
        BOOST_TEST((gathered(read.W, world) == p.W));
        if (p.s.size() > 0) BOOST_TEST((gathered(read.V, world) == p.V));
        if (p.s.size() > 0) BOOST_TEST((gathered(read.R, world) == p.R));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_reads_its_share_only) {
  const ScratchFolder folder;
  const DenseProblem p = random_problem(40, 0, 3, false, false);
  int ranks = 1;
  MPI_Comm_size(world, &ranks);
  const auto entries = static_cast<std::size_t>((p.W.array() != 0).count());
  for (const MatrixForm form : forms) {
    write_fclib(world, folder / "problem.hdf5", shares_of(p, world), form);
    const FclibProblem read = read_fclib(world, folder / "problem.hdf5");
    // Columns differ by a factor of two in their entries.
    BOOST_TEST(read.W.entries.size() <= 2 * entries / ranks);
    BOOST_TEST(read.q.size() <= static_cast<std::size_t>(p.q.size() / ranks + 3));
  }
}

BOOST_AUTO_TEST_CASE(triplets_in_any_order_and_twice) {
  // A 3 x 3 matrix by hand: i is the row, p the column; (0, 1) is given in two parts.
  const ScratchFolder folder;
  {
    FclibFile file(world, folder / "problem.hdf5", FclibFile::Mode::create);
    file.make_group("fclib_local"), file.make_group("fclib_local/W"), file.make_group("fclib_local/vectors");
    file.write_integer("fclib_local/spacedim", 3);
    for (const char* n : {"m", "n"}) file.write_integer(std::string("fclib_local/W/") + n, 3);
    file.write_integer("fclib_local/W/nz", 5), file.write_integer("fclib_local/W/nzmax", 5);
    file.write_integers("fclib_local/W/i", 5, 0, first_here({2, 0, 1, 0, 0}));
    file.write_integers("fclib_local/W/p", 5, 0, first_here({2, 1, 1, 0, 1}));
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    const std::vector<double> x{7, 0.5, 3, 2, 0.25}, q{-1, 0.5, 0}, mu{0.3};
    const auto mine = [&](const std::vector<double>& v) { return rank == 0 ? v : std::vector<double>{}; };
    file.write_reals("fclib_local/W/x", 5, 0, mine(x));
    file.write_reals("fclib_local/vectors/q", 3, 0, mine(q)),
        file.write_reals("fclib_local/vectors/mu", 1, 0, mine(mu));
    file.close();
  }
  const MatX W = (MatX(3, 3) << 2, 0.75, 0, 0, 3, 0, 0, 0, 7).finished();
  BOOST_TEST((gathered(read_fclib(world, folder / "problem.hdf5").W, world) == W));
}

BOOST_AUTO_TEST_CASE(solutions_and_guesses) {
  const ScratchFolder folder;
  const DenseProblem p = random_problem(7, 2, 3, false, false);
  const FclibProblem shares = shares_of(p, world);
  const auto point = [&](double factor) {
    return FclibSolution{
        share(factor * p.q, world, 3), share(2 * factor * p.q, world, 3), {}, share(factor * p.s, world)};
  };
  const FclibSolution solution = point(1), guess = point(10);
  write_fclib(world, folder / "both.hdf5", shares, MatrixForm::columns, &solution, &guess);
  // The guess comes before the solution; a solution alone is a start, too.
  BOOST_TEST((gathered(read_start(world, folder / "both.hdf5", shares).r, world, 7, 3) == 20 * p.q));
  write_fclib(world, folder / "one.hdf5", shares, MatrixForm::columns, &solution);
  const FclibSolution start = read_start(world, folder / "one.hdf5", shares);
  BOOST_TEST((gathered(start.r, world, 7, 3) == 2 * p.q));
  BOOST_TEST((gathered(start.l, world, 2) == p.s));
  // A copy with another solution: the problem stays, the old solution goes.
  write_solution(world, folder / "one.hdf5", folder / "copy.hdf5", shares, point(3));
  BOOST_TEST((gathered(read_start(world, folder / "copy.hdf5", shares).r, world, 7, 3) == 6 * p.q));
  BOOST_TEST((gathered(read_fclib(world, folder / "copy.hdf5").W, world) == p.W));
  write_fclib(world, folder / "none.hdf5", shares, MatrixForm::columns);
  BOOST_CHECK_THROW(read_start(world, folder / "none.hdf5", shares), InputError);
  BOOST_CHECK_THROW(
      read_start(world, folder / "one.hdf5", shares_of(random_problem(8, 2, 3, false, false), world)),
      InputError);
}

BOOST_AUTO_TEST_CASE(malformed_files_are_refused_with_the_dataset_at_fault) {
  const ScratchFolder folder;
  const auto path = folder / "problem.hdf5";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spoil = [&](const DenseProblem& p, MatrixForm form, const std::string& dataset, auto&& with,
                         std::string named = "") {
    if (named.empty()) named = dataset;
    write_fclib(world, path, shares_of(p, world), form);
    BOOST_TEST_REQUIRE(complaint_about(path) == "");
    FclibFile file(world, path, FclibFile::Mode::change);
    file.remove(dataset);
    with(file, dataset);
    file.close();
    const std::string text = complaint_about(path);
    BOOST_TEST(text.find(named) != std::string::npos, named << " is not named in `" << text << "`");
    BOOST_TEST(text.find(path.string()) != std::string::npos, text);
  };
  const auto gone = [](FclibFile&, const std::string&) {};
  const auto integer = [](std::int64_t value) {
    return [=](FclibFile& file, const std::string& name) { file.write_integer(name, value); };
  };
  const auto indices = [](std::int64_t n, std::int64_t value) {
    return [=](FclibFile& file, const std::string& name) {
      file.write_integers(name, n, 0, first_here(std::vector<std::int64_t>(n, value)));
    };
  };
  const auto reals = [](std::int64_t n, double value) {
    return [=](FclibFile& file, const std::string& name) {
      int rank = 0;
      MPI_Comm_rank(world, &rank);
      std::vector<double> x(rank == 0 ? n : 0, 1.);
      if (!x.empty()) x.back() = value;
      file.write_reals(name, n, 0, x);
    };
  };
  const DenseProblem local = random_problem(4, 2, 3, false, false),
                     global = random_problem(4, 2, 3, false, true),
                     rolling = random_problem(4, 0, 5, true, false);
  const auto entries = static_cast<std::int64_t>((local.W.array() != 0).count());
  const auto columns = MatrixForm::columns;
  for (const char* name : {"spacedim", "W", "W/m", "W/n", "W/nz", "W/p", "W/i", "W/x", "V", "R", "vectors/q",
                           "vectors/mu", "vectors/s"})
    spoil(local, columns, std::string("fclib_local/") + name, gone);
  for (const char* name : {"M", "H", "vectors/f", "vectors/w", "vectors/b", "vectors/mu"})
    spoil(global, columns, std::string("fclib_global/") + name, gone);
  spoil(rolling, columns, "fclib_rolling/vectors/mu_r", gone);
  spoil(rolling, columns, "fclib_rolling/spacedim", integer(4));
  spoil(local, columns, "fclib_local/spacedim", integer(7));
  spoil(local, columns, "fclib_local/W/nz", integer(-3));
  spoil(local, columns, "fclib_local/W/m", integer(-12));
  spoil(local, columns, "fclib_local/W/p", indices(13, entries + 1));
  spoil(local, columns, "fclib_local/W/p", indices(12, 0));
  for (const MatrixForm form : forms) {
    spoil(local, form, "fclib_local/W/i", indices(entries, 12));
    spoil(local, form, "fclib_local/W/i", indices(entries, -1));
    spoil(local, form, "fclib_local/W/x", reals(entries, nan));
  }
  spoil(local, MatrixForm::triplets, "fclib_local/W/p", indices(entries, 12));
  spoil(local, MatrixForm::triplets, "fclib_local/W/x", reals(entries - 1, 1.));
  spoil(local, columns, "fclib_local/vectors/q", reals(12, INFINITY));
  spoil(local, columns, "fclib_local/vectors/q", reals(11, 1.));
  spoil(local, columns, "fclib_local/vectors/mu", reals(4, -0.1));
  spoil(local, columns, "fclib_local/vectors/mu", reals(5, 0.1));
  spoil(local, columns, "fclib_local/vectors/mu", indices(12, 1));
  spoil(global, columns, "fclib_global/H/m", integer(23), "fclib_global/H");

  // An integer where a matrix should be, no problem at all, no HDF5 at all, nothing at all.
  spoil(local, columns, "fclib_local/W", integer(1));
  {
    FclibFile file(world, path, FclibFile::Mode::create);
    file.make_group("something");
    file.close();
  }
  BOOST_TEST(complaint_about(path).find("fclib_local") != std::string::npos);
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  if (rank == 0) std::filesystem::resize_file(path, 3);
  MPI_Barrier(world);
  BOOST_TEST(complaint_about(path).find("not an HDF5 file") != std::string::npos);
  BOOST_TEST(complaint_about(folder / "nothing.hdf5").find("not found") != std::string::npos);
  BOOST_TEST(complaint_about(folder.path()).find("folder") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
