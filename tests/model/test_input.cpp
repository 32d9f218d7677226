// Node types and the mistakes only the model can see: each message once.
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "math/rotation.hpp"
#include "model_fixture.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

const Reals origin{0, 0, 0};

std::string node_message(const std::string& type, const Givens& given) {
  return message([&] { node(type, given); });
}
std::string contribution_message(const std::string& type, const Kinds& kinds, const Givens& given, int dofs = 0) {
  return message([&] { make(type, kinds, given, dofs); });
}

Parameters sphere(double radius) {
  Parameters shape("shape");
  shape.set("type", std::string("sphere"));
  shape.set("radius", radius);
  return shape;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(input)

BOOST_AUTO_TEST_CASE(node_types_make_nodes) {
  const NodeInit point = node("point_2d", {{"mass", 2.}, {"position", Reals{1, 2}}});
  BOOST_TEST(point.q == (Reals{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(point.u == (Reals{0, 0}), boost::test_tools::per_element());
  BOOST_TEST(point.data.mass == 2.);

  const NodeInit planar = node("planar_body", {{"mass", 2.}, {"inertia", 0.5}, {"position", Reals{1, 2}}, {"angle", 0.3}, {"angular_velocity", 4.}});
  BOOST_TEST(planar.q == (Reals{1, 2, 0.3}), boost::test_tools::per_element());
  BOOST_TEST(planar.u == (Reals{0, 0, 4}), boost::test_tools::per_element());
  BOOST_TEST(planar.data.inertia[2] == 0.5);

  // A quarter turn about z: the inertial angular velocity along x is along -y in the body.
  const NodeInit rigid = node("rigid_body", {{"mass", 2.}, {"inertia", Reals{0.4}}, {"position", origin}, {"axis", Reals{0, 0, 2}},
                                             {"angle", std::numbers::pi / 2}, {"angular_velocity", Reals{3, 0, 0}}, {"angular_velocity_frame", "inertial"}});
  const double c = std::sqrt(0.5), roundoff = 1e-15;
  check_close(ConstVecMap(rigid.q.data(), 7), (VecX(7) << 0, 0, 0, c, 0, 0, c).finished(), roundoff, "q");
  check_close(ConstVecMap(rigid.u.data(), 6), (VecX(6) << 0, 0, 0, 0, -3, 0).finished(), 10 * roundoff, "u");
  BOOST_TEST(rigid.data.inertia[1] == 0.4);

  const NodeInit generalized_node = node("generalized", {{"position", Reals{1, 2, 3, 4}}});
  BOOST_TEST(int(generalized_node.data.dofs) == 4);
  BOOST_TEST(generalized_node.u.size() == 4u);
}

BOOST_AUTO_TEST_CASE(spheres_bring_mass_and_inertia) {
  const double R = 0.1, density = 2500, m = density * 4. / 3 * std::numbers::pi * R * R * R;
  const NodeInit ball = node("rigid_body", {{"density", density}, {"shape", sphere(R)}, {"position", origin}});
  BOOST_TEST(std::abs(ball.data.mass - m) < 1e-14 * m);
  for (const double moment : ball.data.inertia) BOOST_TEST(std::abs(moment - 0.4 * m * R * R) < 1e-14 * m);
  BOOST_TEST(ball.data.radius == R);
  const NodeInit disc = node("planar_body", {{"mass", 1.}, {"shape", sphere(R)}, {"position", Reals{0, 1}}});
  BOOST_TEST(std::abs(disc.data.inertia[2] - 0.4 * R * R) < 1e-16);  // Breuling (7.1)
}

BOOST_AUTO_TEST_CASE(mistakes_in_nodes) {
  const Field* mass = Catalogue::instance().find("nodes", "rigid_body")->schema.find("mass");
  BOOST_TEST(!mass->contains(-1.));  // a negative mass is refused by the schema
  BOOST_TEST(!mass->contains(0.));
  const Given at{"position", origin}, m{"mass", 1.}, inertia{"inertia", Reals{1}};
  check_contains(node_message("point_3d", {at}), "the node has no mass");
  check_contains(node_message("point_3d", {at, {"density", 1.}}), "the node has no mass");
  check_contains(node_message("point_3d", {at, m, {"density", 1.}}), "mass and density say the same twice");
  check_contains(node_message("rigid_body", {at, m}), "the body has no moment of inertia");
  check_contains(node_message("rigid_body", {at, m, {"inertia", Reals{1, 1, 2.1}}}), "one moment exceeds the sum of the other two");
  BOOST_TEST(node_message("rigid_body", {at, m, {"inertia", Reals{1, 1, 2}}}) == "no error");  // a flat body
  check_contains(node_message("rigid_body", {at, m, inertia, {"orientation", Reals{1, 1, 0, 0}}}), "the quaternion has length 1.414");
  check_contains(node_message("rigid_body", {at, m, inertia, {"orientation", Reals{1, 0, 0, 0}}, {"axis", origin}, {"angle", 1.}}), "orientation and axis");
  check_contains(node_message("rigid_body", {at, m, inertia, {"axis", Reals{0, 0, 1}}}), "a rotation needs axis and angle");
  check_contains(node_message("rigid_body", {at, m, inertia, {"axis", origin}, {"angle", 1.}}), "a direction needs a length");
  check_contains(node_message("point_3d", {at, m, {"name", "ground"}}), "`ground` is the name of the inertial frame");
  check_contains(node_message("generalized", {{"position", Reals{}}}), "a node has 1 to 127 coordinates");
  check_contains(node_message("generalized", {{"position", Reals{1, 2}}, {"velocity", Reals{1}}}), "its length differs from position");
}

BOOST_AUTO_TEST_CASE(mistakes_in_nodes_of_contributions) {
  const auto create = [](const std::vector<std::string>& names, const std::vector<NodeRef>& nodes) {
    return message([&] {
      ContributionRegistry::instance().create("spherical_joint", typed("contributions", "spherical_joint", {{"nodes", names}}), nodes);
    });
  };
  const std::vector<NodeRef> one = refs({rigid_body});
  BOOST_TEST(create({"a", "ground"}, one) == "no error");
  check_contains(create({"ground"}, {}), "the ground alone has no degrees of freedom");
  check_contains(create({"ground", "a"}, one), "the ground comes second");
  check_contains(create({"a", "a"}, {one[0], one[0]}), "a node cannot be attached to itself");
  check_contains(create({"a"}, refs({generalized}, 2)), "cannot be attached to a node of type generalized");
  check_contains(contribution_message("pendulum_chain", {generalized}, {{"lengths", Reals{1, 1}}, {"masses", Reals{1, 1}}}, 3), "the node has 3 coordinates, 2 are needed");
  check_contains(contribution_message("pendulum_chain", {generalized}, {{"lengths", Reals{1, 1}}, {"masses", Reals{1}}}, 2), "their number differs from lengths");
}

BOOST_AUTO_TEST_CASE(mistakes_in_geometry) {
  check_contains(contribution_message("force", {point_3d}, {{"point", Reals{1, 0, 0}}}), "a point mass has no points beside itself");
  check_contains(contribution_message("force", {planar_body}, {{"point", Reals{0, 0, 1}}}), "planar nodes live in z = 0");
  check_contains(contribution_message("force", {planar_body}, {{"z", "1"}}), "does nothing to a planar node");
  check_contains(contribution_message("force", {planar_body}, {{"x", "sin(t"}}), "a number, an expression in t, or a table");
  check_contains(contribution_message("torque", {planar_body}, {{"x", "t"}}), "does nothing to a planar node");
  check_contains(contribution_message("revolute_joint", {planar_body}, {{"axis", Reals{1, 0, 0}}}), "planar nodes turn about z only");
  check_contains(contribution_message("prismatic_joint", {planar_body}, {{"frame_1", Reals{0.6, 0.8, 0, 0}}}), "planar nodes turn about z only");
  check_contains(contribution_message("prismatic_joint", {planar_body}, {{"frame_1", Reals{0, 0, 0, 0}}}), "the zero quaternion is no rotation");
  check_contains(contribution_message("revolute_joint", {point_3d}, {}), "a point mass has no orientation to hold");
  check_contains(contribution_message("distance_joint", {point_2d}, {{"length", "0"}}), "a rod needs a length");
  check_contains(contribution_message("prescribed_point", {point_2d}, {}), "no component is prescribed");
  check_contains(contribution_message("prescribed_point", {point_2d}, {{"z", "t"}}), "planar nodes live in z = 0");
  check_contains(contribution_message("prescribed_velocity", {point_3d}, {{"component", "omega_x"}, {"velocity", "1"}}), "a point mass has no angular velocity");
  check_contains(contribution_message("prescribed_velocity", {planar_body}, {{"component", "z"}, {"velocity", "1"}}), "a planar node does not move this way");
  check_contains(contribution_message("contact_in_sphere", {point_3d}, {{"radius", 2.}, {"cavity_radius", 1.}}), "the body does not fit inside");
  check_contains(contribution_message("contact_in_cylinder", {point_2d}, {{"cavity_radius", 1.}, {"axis", Reals{1, 0, 0}}}), "use contact_in_sphere");
  check_contains(contribution_message("contact_curve", {point_2d}, {{"curve", "sin(t)"}}), "the curve does not depend on t");
  check_contains(contribution_message("contact_curve", {point_2d}, {{"curve", "sin(x"}}), "correct the expression");
  check_contains(contribution_message("contact_plane", {rigid_body}, {{"normal", Reals{0, 0, 1}}, {"tangent", Reals{0, 0, 2}}}), "it is parallel to the normal");
  check_contains(contribution_message("belt_friction", {point_2d}, {{"normal_force", 1.}, {"mu_s", 0.3}, {"mu_d", 0.5}}), "the Stribeck effect lowers friction");
}

BOOST_AUTO_TEST_CASE(mistakes_in_friction_laws) {
  const auto contact = [](NodeKind kind, const Givens& law) {
    const Reals normal = is_planar(kind) ? Reals{0, 1} : Reals{0, 0, 1};
    return contribution_message("contact_plane", {kind}, {{"normal", normal}, {"friction", friction({law})}});
  };
  const Given one{"mu", Reals{0.3}}, two{"mu", Reals{0.2, 0.3}};
  check_contains(contact(rigid_body, {two}), "this set has one coefficient");
  check_contains(contact(rigid_body, {one, {"scale", Reals{1, 2}}}), "set: disc has no scale");
  check_contains(contact(rigid_body, {one, {"contact_radius", 1.}}), "set: disc has no contact area");
  check_contains(contact(planar_body, {one, {"set", "pivoting"}}), "a planar contact has one tangent and no pivoting");
  check_contains(contact(point_3d, {one, {"set", "rolling"}}), "point masses do not rotate");
  check_contains(contact(rigid_body, {{"set", "ellipse"}, {"mu", Reals{0.2, 0}}}), "an ellipse needs two axes");
  check_contains(contact(rigid_body, {{"set", "ellipse"}, one, {"scale", Reals{1}}}), "one factor per tangent is needed");
  check_contains(contact(rigid_body, {{"set", "ellipse"}, two, {"scale", Reals{1, 2}}}), "say the same twice");
  check_contains(contact(rigid_body, {{"set", "contensou"}, one}), "needs the size of the contact area");
  check_contains(contact(rigid_body, {{"set", "contensou"}, one, {"scale", Reals{1, 2}}}), "two factors are ambiguous here");
  const Givens rolling{{"set", "rolling"}, {"mu", Reals{0.1}}};
  const auto seven = friction({rolling, rolling, rolling, {{"set", "pivoting"}, {"mu", Reals{0.1}}}});
  check_contains(contribution_message("contact_plane", {rigid_body}, {{"normal", Reals{0, 0, 1}}, {"friction", seven}}), "too many friction laws");
}

BOOST_AUTO_TEST_CASE(mistakes_in_linear_systems) {
  const auto system = [](Reals mass) { return contribution_message("linear_system", {generalized}, {{"M", std::move(mass)}}, 2); };
  check_contains(system({1, 0, 0}), "a 2 x 2 matrix has 4 entries, not 3");
  check_contains(system({1, 0.5, 0, 1}), "the matrix is not symmetric");
  check_contains(system({1, 2, 2, 1}), "the matrix is not positive definite");
  check_contains(contribution_message("contact_linear", {generalized}, {{"w_N", Reals{1}}}, 2), "one entry per coordinate is needed");
  check_contains(contribution_message("contact_linear", {generalized}, {{"w_N", Reals{1, 0}}, {"mu", 0.3}}, 2), "friction needs a direction");
  check_contains(contribution_message("contact_linear", {generalized}, {{"w_N", Reals(20, 1.)}}, 20), "the node has too many coordinates");
}

BOOST_AUTO_TEST_SUITE_END()
