#include "contact/wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/registry.hpp"
#include "contact/wall_law.hpp"

namespace percussion {

namespace {

using WallRegistry = Registry<Wall, const Parameters&, const SurfaceLaw&>;
using ConstMap = Eigen::Map<const Vec3>;

}  // namespace

Walls make_walls(const ParametersList& walls, const SurfaceLaw& law) {
  Walls result;
  std::set<std::string> taken;
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const auto wall = WallRegistry::instance().create(walls[w].type(), walls[w], law);
    const auto input = static_cast<std::int32_t>(w);
    std::string name = wall->name;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = fmt::format("{}_{}", wall->name, copy);
    for (std::size_t k = 0; k < wall->planes.size(); ++k) {
      result.planes.push_back(wall->planes[k]);
      result.wall_of.push_back(input);
      result.names.push_back(wall->sides[k].empty() ? name : name + '.' + wall->sides[k]);
    }
    for (const Revolution& r : wall->revolutions) result.obstacles.add(r, wall->motion, wall_law(walls[w], law), input);
    for (const auto& mesh : wall->meshes) result.obstacles.add(mesh, wall->motion, wall_law(walls[w], law), input);
    result.motions.push_back(wall->motion);
    result.input_names.push_back(name);
  }
  return result;
}

bool Walls::are_plain() const {
  return obstacles.empty() && std::all_of(motions.begin(), motions.end(), [](const WallMotion& m) { return m.is_uniform(); });
}

bool Walls::turn() const {
  return obstacles.turn() || std::any_of(planes.begin(), planes.end(), [](const Plane& p) { return p.law().turns(); });
}

const std::string& Walls::name(std::int32_t surface) const {
  const auto planes_end = static_cast<std::int32_t>(planes.size());
  return surface < planes_end ? names[surface] : input_names[obstacles.input(surface - planes_end)];
}

std::int32_t Walls::input(std::int32_t surface) const {
  const auto planes_end = static_cast<std::int32_t>(planes.size());
  return surface < planes_end ? wall_of[surface] : obstacles.input(surface - planes_end);
}

void planes_at(std::span<const Plane> planes, double t, std::vector<Plane>& result) {
  result.assign(planes.begin(), planes.end());
  for (Plane& p : result) p.offset += t * ConstMap(p.n).dot(ConstMap(p.velocity));
}

void place_walls(Walls& walls, double t, double t_velocity, std::vector<Plane>& result) {
  walls.obstacles.place(t, t_velocity);
  if (walls.motions.empty()) return planes_at(walls.planes, t, result);
  result = walls.planes;
  for (std::size_t k = 0; k < result.size(); ++k) {
    const WallMotion& motion = walls.motions[walls.wall_of[k]];
    if (motion.is_fixed()) continue;
    Plane& p = result[k];
    const WallPose pose = motion.at(t), later = motion.at(t_velocity);
    const Vec3 n = pose.A * ConstMap(p.n);
    p.offset += n.dot(pose.r);  // n.x of A (offset n_0) + r
    std::copy_n(n.data(), 3, p.n), std::copy_n(later.v.data(), 3, p.velocity), std::copy_n(later.omega.data(), 3, p.omega);
  }
}

Vec3 surface_velocity(const Walls& walls, std::span<const Plane> planes, std::int32_t surface, const Vec3& x) {
  const auto planes_end = static_cast<std::int32_t>(planes.size());
  if (surface >= planes_end) return walls.obstacles.velocity(surface - planes_end, x);
  const Plane& p = planes[surface];
  return ConstMap(p.velocity) + ConstMap(p.omega).cross(x);
}

SurfaceLaw surface_law(const Walls& walls, std::span<const Plane> planes, std::int32_t surface) {
  const auto planes_end = static_cast<std::int32_t>(planes.size());
  if (surface >= planes_end) return walls.obstacles.law(surface - planes_end);
  return planes[surface].law();
}

Vec3 surface_spin(const Walls& walls, std::span<const Plane> planes, std::int32_t surface) {
  const auto planes_end = static_cast<std::int32_t>(planes.size());
  return surface >= planes_end ? walls.obstacles.spin(surface - planes_end) : Vec3(ConstMap(planes[surface].omega));
}

}  // namespace percussion
