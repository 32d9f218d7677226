// The wall types of the input.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/registry.hpp"
#include "contact/wall.hpp"
#include "contact/wall_law.hpp"
#include "model/model_input.hpp"

namespace percussion {

namespace {

using RegisterWall = Registration<Wall, const Parameters&, const SurfaceLaw&>;

Schema common_schema() {
  Schema s;
  s.text("name").doc("name in the output of reactions; the type if absent");
  WallMotion::add_keys(s);
  add_law_keys(s);
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
  const SurfaceLaw own = wall_law(p, law);
  plane.mu = own.mu, plane.e_N = own.e_N, plane.e_F = own.e_F, plane.rolling = own.rolling, plane.pivoting = own.pivoting;
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
  return std::make_unique<Wall>(Wall{name_of(p), {plane}, {""}, WallMotion(p)});
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
  wall->name = name_of(p), wall->motion = WallMotion(p);
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

std::unique_ptr<Wall> blank_wall(const Parameters& p) {
  auto wall = std::make_unique<Wall>();
  wall->name = name_of(p), wall->motion = WallMotion(p);
  return wall;
}

Schema drum_schema() {
  Schema s = common_schema();
  s.reals("point", 3).required().unit("m").doc("centre of one end of the drum");
  s.reals("axis", 3).required().doc("from that end to the other; any length");
  s.real("radius").required().positive().unit("m").doc("inner radius");
  s.real("length").required().positive().unit("m").doc("distance of the ends");
  s.boolean("ends").fallback(true).doc("the ends are closed by planes");
  return s;
}

std::unique_ptr<Wall> make_drum(const Parameters& p, const SurfaceLaw& law) {
  auto wall = blank_wall(p);
  const Vec3 axis = unit_vector_of(p, "axis"), point = vector_of(p, "point");
  const double r = p.real("radius"), length = p.real("length");
  wall->revolutions.push_back({point, axis, r, 0, r, length});
  for (const bool far : {false, true}) {
    if (!p.boolean("ends")) break;
    Plane plane = blank_plane(p, law);
    const Vec3 n = far ? Vec3(-axis) : axis, at = far ? Vec3(point + length * axis) : point;
    std::copy_n(n.data(), 3, plane.n);
    plane.offset = n.dot(at);
    wall->planes.push_back(plane);
    wall->sides.push_back(far ? "far_end" : "near_end");
  }
  return wall;
}

Schema hopper_schema() {
  Schema s = common_schema();
  s.reals("point", 3).required().unit("m").doc("centre of the outlet");
  s.reals("axis", 3).fallback({0., 0., 1.}).doc("from the outlet into the hopper; any length");
  s.real("outlet_radius").required().at_least(0).unit("m").doc("radius at the outlet");
  s.real("top_radius").required().positive().unit("m").doc("radius at the top");
  s.real("height").required().positive().unit("m").doc("distance of outlet and top along the axis");
  s.real("bin_height").fallback(0.).at_least(0).unit("m").doc("height of a cylindrical bin on top of the cone");
  return s;
}

std::unique_ptr<Wall> make_hopper(const Parameters& p, const SurfaceLaw&) {
  auto wall = blank_wall(p);
  const Vec3 axis = unit_vector_of(p, "axis"), point = vector_of(p, "point");
  const double r = p.real("top_radius"), height = p.real("height"), bin = p.real("bin_height");
  wall->revolutions.push_back({point, axis, p.real("outlet_radius"), 0, r, height});
  if (bin > 0) wall->revolutions.push_back({point, axis, r, height, r, height + bin});
  return wall;
}

Schema mesh_schema() {
  Schema s = common_schema();
  s.text("file").required().readable_file().doc("triangles in STL or OBJ format; normals point to where the bodies are");
  s.real("scale").fallback(1.).positive().doc("factor on the coordinates");
  s.boolean("flip").fallback(false).doc("turn all normals");
  return s;
}

std::unique_ptr<Wall> make_mesh(const Parameters& p, const SurfaceLaw&) {
  auto wall = blank_wall(p);
  TriangleMesh mesh;
  try {
    mesh = read_mesh(p.text("file"), p.real("scale"));
  } catch (const std::runtime_error& e) {
    p.fail("file", e.what(), "triangles in STL (text or binary) or OBJ format", "write the file anew, or correct the line");
  }
  for (auto& t : mesh.triangles)
    if (p.boolean("flip")) std::swap(t[1], t[2]);
  wall->meshes.push_back(std::make_shared<MeshWall>(std::move(mesh)));
  return wall;
}

const RegisterWall drum_wall{"walls", "drum", "inside of a circular cylinder", drum_schema(), make_drum};
const RegisterWall hopper_wall{"walls", "hopper", "cone with an outlet, with or without a cylindrical bin on top", hopper_schema(), make_hopper};
const RegisterWall mesh_wall{"walls", "mesh", "triangles from a file: terrain, chutes, machines", mesh_schema(), make_mesh};

}  // namespace

}  // namespace percussion
