#include "contact/wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "base/registry.hpp"

namespace percussion {

namespace {

using WallRegistry = Registry<Wall, const Parameters&, const SurfaceLaw&>;
using RegisterWall = Registration<Wall, const Parameters&, const SurfaceLaw&>;

Schema common_schema() {
  Schema s;
  s.text("name").doc("name in the output of reactions; the type if absent");
  s.reals("velocity", {2, 3})
      .fallback({0., 0., 0.})
      .unit("m/s")
      .doc("constant velocity: the normal part moves the wall, the tangential part drags bodies along");
  s.real("mu").at_least(0).doc("friction coefficient; that of the global contact law if absent");
  s.real("e_N").between(0, 1).doc("normal restitution; that of the global contact law if absent");
  s.real("e_F").between(0, 1).doc("tangential restitution; that of the global contact law if absent");
  return s;
}

// Two entries are a point of the plane z = 0.
void copy_vector(const Parameters& p, const char* key, double* x) {
  const auto& values = p.reals(key);
  for (std::size_t i = 0; i < 3; ++i) x[i] = i < values.size() ? values[i] : 0.;
}

/// A plane without place yet: velocity and law.
Plane blank_plane(const Parameters& p, const SurfaceLaw& law) {
  Plane plane;
  copy_vector(p, "velocity", plane.velocity);
  plane.mu = p.has("mu") ? p.real("mu") : law.mu;
  plane.e_N = p.has("e_N") ? p.real("e_N") : law.e_N;
  plane.e_F = p.has("e_F") ? p.real("e_F") : law.e_F;
  return plane;
}

std::string name_of(const Parameters& p) { return p.has("name") ? p.text("name") : p.type(); }

Schema plane_schema() {
  Schema s = common_schema();
  s.reals("point", {2, 3}).required().unit("m").doc("a point of the plane");
  s.reals("normal", {2, 3}).required().doc("points to where the bodies are; any length");
  return s;
}

std::unique_ptr<Wall> make_plane(const Parameters& p, const SurfaceLaw& law) {
  Plane plane = blank_plane(p, law);
  double point[3];
  copy_vector(p, "point", point);
  copy_vector(p, "normal", plane.n);
  const double length = std::hypot(plane.n[0], plane.n[1], plane.n[2]);
  if (!(length > 0) || !std::isfinite(length))
    p.fail("normal", "has no direction", "a vector of finite length > 0", "give the direction into the free space");
  for (double& n_i : plane.n) n_i /= length;
  for (int i = 0; i < 3; ++i) plane.offset += plane.n[i] * point[i];
  return std::make_unique<Wall>(Wall{name_of(p), {plane}, {""}});
}

Schema box_schema() {
  Schema s = common_schema();
  s.reals("lower", {2, 3}).required().unit("m").doc("corner with the smallest coordinates");
  s.reals("upper", {2, 3}).required().unit("m").doc("corner with the largest coordinates");
  s.texts("open")
      .one_of({"left", "right", "front", "back", "bottom", "top"})
      .fallback(std::vector<std::string>{})
      .doc("sides that are not there: left, right along x; front, back along y; bottom, top along z. A box with "
           "two coordinates is planar: left, right along x; bottom, top along y");
  return s;
}

std::unique_ptr<Wall> make_box(const Parameters& p, const SurfaceLaw& law) {
  static constexpr const char* sides_3d[] = {"left", "right", "front", "back", "bottom", "top"};
  static constexpr const char* sides_2d[] = {"left", "right", "bottom", "top"};
  const auto& lower = p.reals("lower");
  const auto& upper = p.reals("upper");
  if (lower.size() != upper.size())
    p.fail("upper", "has another number of coordinates than lower", "as many as lower", "give both 2 or both 3");
  const bool planar = lower.size() == 2;
  const auto& open = p.texts("open");
  const auto is_open = [&](const std::string& side) { return std::find(open.begin(), open.end(), side) != open.end(); };
  if (planar && (is_open("front") || is_open("back")))
    p.fail("open", "a planar box has no front and back", "left, right, bottom, top", "use the sides left and right, bottom and top");

  auto wall = std::make_unique<Wall>();
  wall->name = name_of(p);
  for (std::size_t axis = 0; axis < lower.size(); ++axis) {
    if (!(lower[axis] < upper[axis]))
      p.fail("upper", "the box is empty", "every coordinate larger than that of lower", "swap or move the corners");
    for (const bool is_upper : {false, true}) {
      const std::string side = (planar ? sides_2d : sides_3d)[2 * axis + is_upper];
      if (is_open(side)) continue;
      Plane plane = blank_plane(p, law);
      std::fill_n(plane.n, 3, 0.);
      plane.n[axis] = is_upper ? -1. : 1.;
      plane.offset = is_upper ? -upper[axis] : lower[axis];
      wall->planes.push_back(plane);
      wall->sides.push_back(side);
    }
  }
  if (wall->planes.empty()) p.fail("open", "the box has no sides", "at least one side closed", "remove this wall");
  return wall;
}

const RegisterWall plane_wall{"walls", "plane", "half space below a plane", plane_schema(), make_plane};
const RegisterWall box_wall{"walls", "box", "box around the bodies, sides parallel to the axes", box_schema(), make_box};

}  // namespace

Walls make_walls(const ParametersList& walls, const SurfaceLaw& law) {
  Walls result;
  std::set<std::string> taken;
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const auto wall = WallRegistry::instance().create(walls[w].type(), walls[w], law);
    std::string name = wall->name;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = fmt::format("{}_{}", wall->name, copy);
    for (std::size_t k = 0; k < wall->planes.size(); ++k) {
      result.planes.push_back(wall->planes[k]);
      result.wall_of.push_back(static_cast<std::int32_t>(w));
      result.names.push_back(wall->sides[k].empty() ? name : name + '.' + wall->sides[k]);
    }
  }
  return result;
}

void planes_at(std::span<const Plane> planes, double t, std::vector<Plane>& result) {
  result.assign(planes.begin(), planes.end());
  for (Plane& p : result)
    p.offset += t * (p.n[0] * p.velocity[0] + p.n[1] * p.velocity[1] + p.n[2] * p.velocity[2]);
}

}  // namespace percussion
