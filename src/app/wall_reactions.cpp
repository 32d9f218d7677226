#include "app/wall_reactions.hpp"

#include <utility>

namespace percussion {

WallParts::WallParts(const Walls& walls) : part_of_input_(walls.input_names.size(), -1) {
  const auto add = [&](const std::string& name, std::int32_t input) { parts_.push_back({name, input, walls.motions[input].centre()}); };
  for (std::size_t k = 0; k < walls.planes.size(); ++k) add(walls.names[k], walls.wall_of[k]);
  walls.obstacles.for_each([&](const auto&, std::int32_t, std::int32_t input) {
    if (part_of_input_[input] >= 0) return;
    part_of_input_[input] = static_cast<std::int32_t>(parts_.size());
    add(walls.input_names[input], input);
  });
}

Vec3 WallParts::reference(const Walls& walls, std::size_t part, double t) const {
  const WallPose pose = walls.motions[parts_[part].input].at(t);
  return pose.A * parts_[part].reference + pose.r;
}

std::vector<Reaction> WallParts::reactions(const System& system, std::span<const ContactRecord> records) const {
  const Walls& walls = system.walls;
  std::vector<Reaction> sums(parts_.size());
  std::vector<Vec3> reference;
  for (std::size_t k = 0; k < parts_.size(); ++k) reference.push_back(this->reference(walls, k, system.t));
  for (const ContactRecord& r : records) {
    if (r.plane < 0) continue;
    const std::int32_t part = std::cmp_less(r.plane, walls.planes.size()) ? r.plane : part_of_input_[walls.input(r.plane)];
    sums[part].P += r.P;
    sums[part].M += (r.point - reference[part]).cross(r.P);
  }
  static_assert(sizeof(Reaction) == 6 * sizeof(double));
  if (!sums.empty()) MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(6 * sums.size()), MPI_DOUBLE, MPI_SUM, system.comm());
  return sums;
}

}  // namespace percussion
