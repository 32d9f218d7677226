#include "io/input.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "io/overrides.hpp"
#include "io/validate.hpp"
#include "io/yaml_tree.hpp"

namespace percussion {

namespace {

std::string file_text(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  Complaint complaint{{file.string(), 0}, "", "", "", "a YAML file", ""};
  std::error_code error;
  if (!fs::exists(file, error)) {
    complaint.problem = "input file not found";
    complaint.fix = "check the name and the current folder " + fs::current_path(error).string();
    throw InputError(complaint);
  }
  std::ifstream in(file, std::ios::binary);
  if (fs::is_directory(file, error) || !in) {
    complaint.problem = fs::is_directory(file, error) ? "is a folder, not a file" : "cannot be read";
    complaint.fix = fs::is_directory(file, error) ? "name the .yaml file in it" : "check the permissions";
    throw InputError(complaint);
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

Parameters parse_input(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                       const std::vector<std::string>& overrides, const Schema& root) {
  std::vector<Complaint> complaints;
  YamlTree tree = parse_yaml(text, name, complaints);
  // After a syntax error there is no tree, so whatever validation said about it would be noise.
  const bool has_tree = complaints.empty() || tree.kind != YamlTree::Kind::null;
  Parameters result;
  if (has_tree) {
    apply_overrides(tree, overrides, root, complaints);
    result = validate(tree, root, folder, complaints);
  }
  if (complaints.empty()) return result;

  const auto line = [](const Complaint& c) { return c.origin.line > 0 ? c.origin.line : std::numeric_limits<int>::max(); };
  std::stable_sort(complaints.begin(), complaints.end(), [&](const auto& a, const auto& b) { return line(a) < line(b); });
  throw InputError::of(complaints);
}

Parameters read_input(const std::filesystem::path& file, const std::vector<std::string>& overrides, const Schema& root) {
  return parse_input(file_text(file), file.string(), file.parent_path(), overrides, root);
}

Parameters read_input(MPI_Comm comm, const std::filesystem::path& file, const std::vector<std::string>& overrides, const Schema& root) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::string text;
  all_or_none(comm, [&] {
    if (rank != 0) return;
    text = read_input(file, overrides, root).serialise();
    PERCUSSION_CHECK(text.size() <= std::numeric_limits<int>::max(), "the input fits into one MPI message");
  });
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm);
  return Parameters::deserialise(text);
}

}  // namespace percussion
