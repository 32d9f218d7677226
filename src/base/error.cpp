#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percussion {

std::string to_string(const Origin& origin) {
  if (origin.file.empty()) return {};
  return origin.line > 0 ? fmt::format("{}:{}", origin.file, origin.line) : origin.file;
}

std::string to_string(const Complaint& c) {
  std::string text = to_string(c.origin);
  const auto append = [&text](const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += ": ";
    text += part;
  };
  append(c.key);
  append(c.problem);
  if (!c.value.empty()) text += "\n    value:   " + c.value;
  if (!c.allowed.empty()) text += "\n    allowed: " + c.allowed;
  if (!c.fix.empty()) text += "\n    fix:     " + c.fix;
  return text;
}

InputError InputError::of(const std::vector<Complaint>& complaints) {
  PERCUSSION_CHECK(!complaints.empty(), "an InputError needs a complaint");
  constexpr std::size_t most = 50;  // one mistake in a generated list can make thousands
  const std::size_t n = std::min(complaints.size(), most);
  std::string text;
  if (complaints.size() > 1) text = fmt::format("{} mistakes in the input:\n", complaints.size());
  for (std::size_t i = 0; i < n; ++i) text += (i ? "\n" : "") + to_string(complaints[i]);
  if (n < complaints.size()) text += fmt::format("\n... and {} more", complaints.size() - n);
  return InputError(text, complaints.front());
}

namespace detail {

void agree(MPI_Comm comm, Failure mine, const std::string& text) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int candidate = mine == Failure::none ? size : rank;
  int failed = size;
  MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, comm);
  if (failed == size) return;

  int header[2] = {static_cast<int>(mine), static_cast<int>(text.size())};
  MPI_Bcast(header, 2, MPI_INT, failed, comm);
  std::string shared = rank == failed ? text : std::string(header[1], '\0');
  MPI_Bcast(shared.data(), header[1], MPI_CHAR, failed, comm);
  switch (static_cast<Failure>(header[0])) {
    case Failure::input: throw InputError(shared);
    case Failure::run: throw RunError(shared);
    default: throw std::runtime_error(fmt::format("rank {}: {}", failed, shared));
  }
}

void check_failed(const char* condition, const char* file, int line, const std::string& text) {
  throw std::logic_error(fmt::format("internal error: {} ({} is false at {}:{})", text, condition, file, line));
}

}  // namespace detail
}  // namespace percussion
