// The shape types of the input.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/registry.hpp"
#include "contact/shape.hpp"
#include "contact/triangle_mesh.hpp"

namespace percussion {
namespace {

using RegisterShape = Registration<Shape, const Parameters&>;
using Made = std::unique_ptr<Shape>;

Made made(Shape shape) { return std::make_unique<Shape>(std::move(shape)); }

Schema sphere_schema() {
  Schema s;
  s.real("radius").required().positive().unit("m").doc("radius of the sphere");
  return s;
}

Schema box_schema() {
  Schema s;
  s.reals("size", 3).required().positive().unit("m").doc("edges along x, y, z of the body frame");
  return s;
}

Schema rod_schema(const char* length) {
  Schema s;
  s.real("radius").required().positive().unit("m").doc("radius");
  s.real("length").required().positive().unit("m").doc(length);
  return s;
}

Schema polyhedron_schema() {
  Schema s;
  s.reals("vertices").unit("m").doc("corners x, y, z one after the other, at least four; instead of file");
  s.text("file").readable_file().doc("closed convex surface in STL or OBJ format; instead of vertices");
  s.real("scale").fallback(1.).positive().doc("factor on the coordinates");
  return s;
}

Schema clump_schema() {
  Schema s;
  s.reals("centres").required().unit("m").doc("centres x, y, z of the spheres one after the other");
  s.reals("radii").required().positive().unit("m").doc("their radii; one number: all equal. Where spheres overlap the mass counts once");
  return s;
}

std::vector<Vec3> points_of(const Parameters& p, const char* key, double scale) {
  const std::vector<double>& x = p.reals(key);
  if (x.size() % 3 != 0) p.fail(key, fmt::format("has {} numbers", x.size()), "three coordinates per point", "add or remove a number");
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < x.size(); k += 3) points.push_back(scale * Vec3(x[k], x[k + 1], x[k + 2]));
  return points;
}

std::vector<Vec3> points_of_file(const Parameters& p, double& volume) {
  TriangleMesh mesh;
  try {
    mesh = read_mesh(p.text("file"), p.real("scale"));
  } catch (const std::runtime_error& e) {
    p.fail("file", e.what(), "a surface in STL (text or binary) or OBJ format", "write the file anew, or correct the line");
  }
  if (const auto open = open_edges(mesh); open > 0)
    p.fail("file", fmt::format("the surface is not closed: {} edges do not join two triangles turned alike", open), "a closed surface", "close the holes of the mesh");
  volume = std::abs(signed_volume(mesh));
  return mesh.vertices;
}

Made make_polyhedron(const Parameters& p) {
  if (p.has("vertices") == p.has("file")) p.fail(p.has("file") ? "file" : "vertices", "a polyhedron comes from vertices or from a file", "one of vertices and file", "give exactly one of the two");
  double volume = 0;
  const std::vector<Vec3> points = p.has("file") ? points_of_file(p, volume) : points_of(p, "vertices", p.real("scale"));
  const char* key = p.has("file") ? "file" : "vertices";
  Shape shape;
  try {
    shape = polyhedron_shape(points);
  } catch (const std::invalid_argument& e) {
    p.fail(key, e.what(), "at least four points that are not in one plane", "correct the points");
  }
  // Files have six or seven digits.
  if (p.has("file") && std::abs(volume - shape.volume) > 1e-4 * shape.volume)
    p.fail(key, fmt::format("the body is not convex: it fills {:.4g} of its hull", volume / shape.volume), "a convex surface", "use the hull, a clump, or several bodies");
  if (p.has("vertices") && shape.polyhedron->vertices.size() != points.size())
    p.fail(key, fmt::format("only {} of the {} points are corners of their hull", shape.polyhedron->vertices.size(), points.size()), "points of which none is inside the hull of the others", "leave the other points out");
  return made(std::move(shape));
}

Made make_clump(const Parameters& p) {
  const std::vector<Vec3> centres = points_of(p, "centres", 1.);
  const std::vector<double>& radii = p.reals("radii");
  if (centres.empty()) p.fail("centres", "a clump has at least one sphere", "three coordinates per sphere", "add a sphere");
  if (radii.size() != 1 && radii.size() != centres.size())
    p.fail("radii", fmt::format("{} radii for {} spheres", radii.size(), centres.size()), "one radius, or one per sphere", "give as many as centres");
  std::vector<ClumpSphere> spheres;
  for (std::size_t k = 0; k < centres.size(); ++k) spheres.push_back({centres[k], radii[radii.size() == 1 ? 0 : k]});
  return made(clump_shape(std::move(spheres)));
}

const RegisterShape sphere{"shapes", "sphere", "sphere; a disc for planar bodies", sphere_schema(),
                           [](const Parameters& p) { return made(sphere_shape(p.real("radius"))); }};
const RegisterShape box{"shapes", "box", "box with edges along the axes of the body", box_schema(),
                        [](const Parameters& p) { return made(box_shape(Eigen::Map<const Vec3>(p.reals("size").data()))); }};
const RegisterShape capsule{"shapes", "capsule", "cylinder with half spheres on its ends, along z of the body",
                            rod_schema("length of the axis between the centres of the half spheres"),
                            [](const Parameters& p) { return made(capsule_shape(p.real("radius"), p.real("length"))); }};
const RegisterShape cylinder{"shapes", "cylinder", "circular cylinder along z of the body", rod_schema("distance of the two flat ends"),
                             [](const Parameters& p) { return made(cylinder_shape(p.real("radius"), p.real("length"))); }};
const RegisterShape polyhedron{"shapes", "polyhedron", "convex polyhedron from its corners or from a surface mesh; the centre of mass is the position of the body",
                               polyhedron_schema(), make_polyhedron};
const RegisterShape clump{"shapes", "clump", "rigid union of spheres; the centre of mass is the position of the body", clump_schema(), make_clump};

}  // namespace
}  // namespace percussion
