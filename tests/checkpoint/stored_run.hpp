// Cases that are left and taken up again within one test.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/case_state.hpp"
#include "verification/stored_case.hpp"

namespace percussion {

/// Collective on the communicator of c.
inline void write_case(const Case& c, const std::filesystem::path& file) {
  CheckpointWriter writer;
  const CaseSnapshot state = snapshot(c);
  store(c, state, writer);
  writer.write(c.system.comm(), file);
}

/// Collective. A new case of the same input with the stored state.
inline std::unique_ptr<Case> read_case(const Parameters& input, const std::filesystem::path& file,
                                       MPI_Comm comm = MPI_COMM_WORLD) {
  auto c = std::make_unique<Case>(comm, input, Unstarted{});
  restore(*c, CheckpointReader(comm, file));
  return c;
}

/// t, ids, q and u of the owned nodes in their order, ghosts after them.
inline std::vector<double> whole_state(const Case& c) {
  const NodeStore& nodes = c.system.nodes;
  std::vector<double> state{c.system.t, static_cast<double>(nodes.owned())};
  for (std::int32_t i = 0; i < nodes.size(); ++i) state.push_back(static_cast<double>(nodes[i].id));
  state.insert(state.end(), nodes.q().begin(), nodes.q().end());
  state.insert(state.end(), nodes.u().begin(), nodes.u().end());
  return state;
}

/// Largest difference of positions and velocities of all bodies, found by id; on all ranks of both.
inline double difference(const Case& a, const Case& b) {
  double result = 0;
  for (std::int64_t id = 0; id < a.bodies(); ++id) {
    const NodeState x = a.state(id), y = b.state(id);
    for (std::size_t k = 0; k < x.q.size(); ++k) result = std::max(result, std::abs(x.q[k] - y.q[k]));
    for (std::size_t k = 0; k < x.u.size(); ++k) result = std::max(result, std::abs(x.u[k] - y.u[k]));
  }
  return result;
}

/// A hundred spheres that fall on the floor of a box and each other within 40 steps, percussions included.
inline std::vector<std::string> falling_spheres(std::vector<std::string> more = {}) {
  std::vector<std::string> overrides = {"fills[0].limit=100", "fills[0].lower=[0.005,0.005,0.0062]",
                                        "fills[0].upper=[0.06,0.06,0.3]", "walls[0].upper=[0.065,0.065,1]",
                                        "fills[0].velocity=[0,0,-1]"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

/// Six bodies of every shape in a box that is shaken; on the floor and each other within 80 steps.
inline std::vector<std::string> shaken_shapes(std::vector<std::string> more = {}) {
  std::vector<std::string> overrides = {"time.step=1e-3"};
  for (int k = 0; k < 6; ++k) overrides.push_back("fills[" + std::to_string(k) + "].count=6");
  overrides.emplace_back("walls[0].displacement_z=0.002*sin(2*pi*15*t)");
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

}  // namespace percussion
