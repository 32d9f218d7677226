#include "model/node_types.hpp"

#include <cmath>
#include <numbers>

#include "base/registry.hpp"
#include "model/model_input.hpp"

namespace percussion {
namespace {

using NodeRegistry = Registry<NodeInit, const Parameters&>;
using RegisterNode = Registration<NodeInit, const Parameters&>;

// ---- schemas ----

Schema common_schema() {
  Schema s;
  s.text("name").required().doc("name by which contributions and observers refer to the node");
  return s;
}

void add_mass(Schema& s, bool may_be_zero) {
  Field& mass = s.real("mass").unit("kg");
  if (may_be_zero) mass.at_least(0).doc("mass; may be left out if shape and density are given, and 0 if elements such as bars bring it");
  else mass.positive().doc("mass; may be left out if shape and density are given");
  s.real("density").positive().unit("kg/m^3").doc("density of the shape, instead of mass");
  s.choice("shape", "shapes").doc("shape for contact detection and output");
}

Schema placed_schema(std::size_t dim, bool may_be_massless) {
  Schema s = common_schema();
  add_mass(s, may_be_massless);
  s.reals("position", dim).required().unit("m").doc("initial position");
  s.reals("velocity", dim).fallback(std::vector<double>(dim, 0.)).unit("m/s").doc("initial velocity");
  return s;
}

Schema point_schema(std::size_t dim) { return placed_schema(dim, true); }

Schema planar_schema() {
  Schema s = placed_schema(2, false);
  s.real("inertia").positive().unit("kg m^2").doc("moment of inertia about the centre of mass");
  s.real("angle").fallback(0.).unit("rad").doc("initial angle");
  s.real("angular_velocity").fallback(0.).unit("rad/s").doc("initial angular velocity");
  return s;
}

Schema rigid_schema() {
  Schema s = placed_schema(3, false);
  s.reals("inertia", {1, 3}).positive().unit("kg m^2").doc("principal moments of inertia about the centre of mass; one number: all equal");
  s.reals("orientation", 4).doc("initial orientation, unit quaternion [p0, p1, p2, p3] of body-fixed to inertial; default none");
  s.reals("axis", 3).doc("initial rotation about this axis, instead of orientation");
  s.real("angle").unit("rad").doc("angle of the rotation about axis");
  s.reals("angular_velocity", 3).fallback({0., 0., 0.}).unit("rad/s").doc("initial angular velocity");
  s.text("angular_velocity_frame").one_of({"body", "inertial"}).fallback("body").doc("frame of angular_velocity");
  return s;
}

Schema generalized_schema() {
  Schema s = common_schema();
  s.reals("position").required().doc("initial coordinates q; their number is the number of degrees of freedom");
  s.reals("velocity").doc("initial velocities u = q', as many; default zero");
  return s;
}

// ---- values ----

bool is_sphere(const Parameters& p) { return p.has("shape") && p.section("shape").type() == "sphere"; }

void read_mass(const Parameters& p, NodeData& n) {
  if (is_sphere(p)) n.radius = p.section("shape").real("radius");
  if (p.has("mass") && p.has("density"))
    p.fail("density", "mass and density say the same twice", "one of mass and density", "leave density out");
  if (p.has("mass")) {
    n.mass = p.real("mass");
  } else if (!p.has("density") || !p.has("shape")) {
    p.fail("mass", "the node has no mass", "mass, or density and shape", "give mass in kg");
  } else if (is_sphere(p)) {
    n.mass = p.real("density") * 4. / 3. * std::numbers::pi * std::pow(n.radius, 3);
  }
}

void read_inertia(const Parameters& p, NodeData& n) {
  if (p.has("inertia")) {
    if (n.kind == NodeKind::planar_body) {
      n.inertia[2] = p.real("inertia");
      return;
    }
    const std::vector<double>& x = p.reals("inertia");
    for (int i = 0; i < 3; ++i) n.inertia[i] = x[x.size() == 3 ? i : 0];
    // A body of non-negative mass density obeys the triangle inequality; 1e-9: flat bodies given by rounded numbers.
    for (int i = 0; i < 3; ++i)
      if (n.inertia[i] > (n.inertia[(i + 1) % 3] + n.inertia[(i + 2) % 3]) * (1 + 1e-9))
        p.fail("inertia", "one moment exceeds the sum of the other two: no body is like that", "principal moments with A <= B + C", "check the three numbers");
  } else if (is_sphere(p)) {
    for (int i = n.kind == NodeKind::planar_body ? 2 : 0; i < 3; ++i) n.inertia[i] = 0.4 * n.mass * n.radius * n.radius;
  } else if (!p.has("shape")) {
    p.fail("inertia", "the body has no moment of inertia", "inertia, or a shape", "give inertia in kg m^2, or use a point mass");
  }
}

Quat read_orientation(const Parameters& p) {
  if (p.has("orientation") && p.has("axis")) p.fail("axis", "orientation and axis say the same twice", "one of them", "leave axis and angle out");
  if (p.has("axis") != p.has("angle")) p.fail(p.has("axis") ? "axis" : "angle", "a rotation needs axis and angle", "both axis and angle", "add the missing one");
  if (p.has("axis")) return quat_from_axis_angle<double>(unit_vector_of(p, "axis"), p.real("angle"));
  if (!p.has("orientation")) return quat_identity();
  const std::vector<double>& x = p.reals("orientation");
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  if (!(std::abs(length - 1) <= 1e-6))
    p.fail("orientation", "the quaternion has length " + to_text(length), "a unit quaternion (length 1 within 1e-6)",
           "divide by its length, or use axis and angle");
  return quaternion_of(p, "orientation");
}

NodeInit start(const Parameters& p, NodeKind kind, int dofs) {
  NodeInit node;
  node.name = p.text("name");
  if (node.name == "ground") p.fail("name", "`ground` is the name of the inertial frame", "any other name", "rename the node");
  node.data.kind = kind;
  node.data.dofs = static_cast<std::int8_t>(dofs);
  node.q = p.reals("position");
  if (p.has("velocity")) node.u = p.reals("velocity");
  return node;
}

std::unique_ptr<NodeInit> make_point(const Parameters& p, NodeKind kind) {
  NodeInit node = start(p, kind, nu(kind));
  read_mass(p, node.data);
  return std::make_unique<NodeInit>(std::move(node));
}

std::unique_ptr<NodeInit> make_planar_body(const Parameters& p) {
  NodeInit node = start(p, NodeKind::planar_body, 3);
  read_mass(p, node.data);
  read_inertia(p, node.data);
  node.q.push_back(p.real("angle"));
  node.u.push_back(p.real("angular_velocity"));
  return std::make_unique<NodeInit>(std::move(node));
}

std::unique_ptr<NodeInit> make_rigid_body(const Parameters& p) {
  NodeInit node = start(p, NodeKind::rigid_body, 6);
  read_mass(p, node.data);
  read_inertia(p, node.data);
  const Quat P = read_orientation(p);
  Vec3 omega = vector_of(p, "angular_velocity");
  if (p.text("angular_velocity_frame") == "inertial") omega = rotate_back<double>(P, omega);
  node.q.insert(node.q.end(), P.data(), P.data() + 4);
  node.u.insert(node.u.end(), omega.data(), omega.data() + 3);
  return std::make_unique<NodeInit>(std::move(node));
}

std::unique_ptr<NodeInit> make_generalized(const Parameters& p) {
  const std::size_t dofs = p.reals("position").size();
  if (dofs < 1 || dofs > 127) p.fail("position", "a node has 1 to 127 coordinates", "1 to 127 numbers", "split the coordinates into several nodes");
  NodeInit node = start(p, NodeKind::generalized, static_cast<int>(dofs));
  if (node.u.empty()) node.u.assign(dofs, 0.);
  if (node.u.size() != dofs)
    p.fail("velocity", "its length differs from position", std::to_string(dofs) + " numbers", "give one velocity per coordinate");
  return std::make_unique<NodeInit>(std::move(node));
}

const RegisterNode point_2d{"nodes", "point_2d", "point mass in the plane, q = (x, y)", point_schema(2),
                            [](const Parameters& p) { return make_point(p, NodeKind::point_2d); }};
const RegisterNode point_3d{"nodes", "point_3d", "point mass in space, q = (x, y, z)", point_schema(3),
                            [](const Parameters& p) { return make_point(p, NodeKind::point_3d); }};
const RegisterNode planar_body{"nodes", "planar_body", "rigid body in the plane, q = (x, y, angle)", planar_schema(), make_planar_body};
const RegisterNode rigid_body{"nodes", "rigid_body", "rigid body in space, q = (x, y, z, unit quaternion)", rigid_schema(), make_rigid_body};
const RegisterNode generalized{"nodes", "generalized", "coordinates of a mechanism; inertia comes from a contribution", generalized_schema(), make_generalized};

}  // namespace

NodeInit make_node(const Parameters& p) { return *NodeRegistry::instance().create(p.type(), p); }

}  // namespace percussion
