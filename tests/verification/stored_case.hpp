// Runs a case of inputs/ step by step: a verification test is an input file, some overrides and what must be true.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "io/input.hpp"
#include "test_paths.hpp"

namespace percussion {

inline Parameters stored_input(const std::string& file, const std::vector<std::string>& overrides = {}) {
  return read_input(std::string(PERCUSSION_TEST_SOURCE_DIR) + "/inputs/" + file, overrides, case_schema());
}

/// Collective on comm.
inline std::unique_ptr<Case> stored_case(const std::string& file, const std::vector<std::string>& overrides = {}, MPI_Comm comm = MPI_COMM_WORLD) {
  return std::make_unique<Case>(comm, stored_input(file, overrides));
}

/// Steps of size h from the start to `end`.
inline int steps_until(const Case& c, double end) { return static_cast<int>(std::lround((end - c.system.t) / c.h)); }

}  // namespace percussion
