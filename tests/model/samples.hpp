// One or more samples of every registered contribution type: what test_derivatives.cpp runs over.
#pragma once
#include <string>
#include <vector>

#include "model_fixture.hpp"

namespace model_test {

struct Sample {
  std::string type;
  Kinds kinds;
  Givens given;
  int dofs = 0;
};

inline std::vector<Sample> samples() {
  using enum NodeKind;
  // Functions of time with their derivatives: differences of differences would hide mistakes below their noise.
  const char* wave = "0.3*sin(2*t); 0.6*cos(2*t); -1.2*sin(2*t)";
  const char* ramp = "2 + 0.5*t^2; t; 1";
  const Reals tilted{0.6, -0.2, 0.7, 0.3}, turned{0.9, 0.1, -0.4, 0.2}, about_z{0.8, 0, 0, 0.6};
  const Reals p1{0.3, -0.2, 0.5}, p2{-0.4, 0.6, 0.1}, s1{0.3, -0.2}, s2{-0.4, 0.6}, axis{0.2, -0.5, 0.7};
  const auto all_laws = friction({{{"mu", Reals{0.3}}},
                                  {{"set", "rolling"}, {"mu", Reals{0.01, 0.02}}},
                                  {{"set", "pivoting"}, {"mu", Reals{0.05}}}});
  const auto planar_laws = friction({{{"mu", Reals{0.3}}}, {{"set", "rolling"}, {"mu", Reals{0.01}}}});
  const auto ellipse = friction({{{"set", "ellipse"}, {"mu", Reals{0.15, 0.3}}}});
  const auto rectangle = friction({{{"set", "rectangle"}, {"mu", Reals{0.2, 0.3}}}});
  const auto contensou = friction({{{"set", "contensou"}, {"mu", Reals{0.3}}, {"contact_radius", 0.1}}});
  const auto disc = friction({{{"mu", Reals{0.3}}}});

  return {
      // springs
      {"spring_damper", {point_2d}, {{"point_2", s2}, {"stiffness", 3.}, {"damping", 0.7}, {"length", 0.5}}},
      {"spring_damper", {planar_body, point_2d}, {{"point_1", s1}, {"stiffness", 3.}, {"damping", 0.7}}},
      {"spring_damper", {rigid_body, rigid_body}, {{"point_1", p1}, {"point_2", p2}, {"stiffness", 3.}, {"damping", 0.7}, {"length", 0.5}}},
      {"spring_damper", {rigid_body, point_3d}, {{"point_1", p1}, {"stiffness", 3.}, {"damping", 0.7}}},
      {"rotational_spring_damper", {planar_body, planar_body}, {{"stiffness", 3.}, {"damping", 0.7}, {"angle", 0.2}, {"frame_2", about_z}}},
      {"rotational_spring_damper", {rigid_body}, {{"stiffness", 3.}, {"damping", 0.7}, {"axis", axis}, {"frame_2", turned}}},
      {"rotational_spring_damper", {rigid_body, rigid_body}, {{"stiffness", 3.}, {"damping", 0.7}, {"angle", 0.2}, {"axis", axis}, {"frame_1", tilted}}},
      // loads
      {"force", {planar_body}, {{"point", s1}, {"x", wave}, {"y", "2"}, {"frame", "body"}}},
      {"force", {rigid_body}, {{"point", p1}, {"x", wave}, {"z", "2"}}},
      {"force", {rigid_body}, {{"point", p1}, {"x", wave}, {"y", "2"}, {"frame", "body"}}},
      {"torque", {planar_body}, {{"z", wave}}},
      {"torque", {rigid_body}, {{"x", wave}, {"z", "2"}}},
      {"torque", {rigid_body}, {{"x", wave}, {"y", "2"}, {"frame", "body"}}},
      // joints
      {"spherical_joint", {planar_body, planar_body}, {{"point_1", s1}, {"point_2", s2}}},
      {"spherical_joint", {rigid_body, rigid_body}, {{"point_1", p1}, {"point_2", p2}}},
      {"spherical_joint", {rigid_body, planar_body}, {{"point_1", p1}, {"point_2", s2}}},
      {"distance_joint", {point_2d}, {{"length", "1"}}},
      {"distance_joint", {rigid_body, point_3d}, {{"point_1", p1}, {"length", ramp}}},
      {"revolute_joint", {planar_body}, {{"point_1", s1}}},
      {"revolute_joint", {rigid_body, rigid_body}, {{"point_1", p1}, {"point_2", p2}, {"axis", axis}, {"frame_1", tilted}, {"frame_2", turned}}},
      {"prismatic_joint", {planar_body, planar_body}, {{"point_1", s1}, {"axis", s2}, {"frame_1", about_z}}},
      {"prismatic_joint", {point_2d, planar_body}, {{"point_2", s1}, {"axis", s2}}},
      {"prismatic_joint", {point_3d, rigid_body}, {{"point_2", p1}, {"axis", axis}}},
      {"prismatic_joint", {rigid_body, rigid_body}, {{"point_1", p1}, {"axis", axis}, {"frame_1", tilted}, {"frame_2", turned}}},
      // prescribed motion
      {"prescribed_point", {point_2d}, {{"y", wave}}},
      {"prescribed_point", {rigid_body}, {{"point", p1}, {"x", wave}, {"z", ramp}}},
      {"prescribed_angle", {planar_body}, {{"angle", wave}}},
      {"prescribed_angle", {planar_body, planar_body}, {{"angle", wave}, {"frame_1", about_z}}},
      {"prescribed_angle", {rigid_body, rigid_body}, {{"angle", wave}, {"axis", axis}, {"frame_1", tilted}}},
      {"prescribed_velocity", {planar_body}, {{"point", s1}, {"component", "x"}, {"velocity", wave}, {"frame", "body"}}},
      {"prescribed_velocity", {rigid_body}, {{"point", p1}, {"component", "y"}, {"velocity", wave}}},
      {"prescribed_velocity", {rigid_body}, {{"component", "omega_x"}, {"velocity", wave}}},
      {"rolling", {planar_body}, {{"radius", 0.3}, {"normal", s1}}},
      {"rolling", {rigid_body}, {{"radius", 0.3}, {"normal", axis}, {"plane_point", p1}}},
      // contacts
      {"contact_plane", {point_2d}, {{"normal", s1}, {"friction", disc}}},
      {"contact_plane", {point_3d}, {{"normal", axis}, {"friction", ellipse}}},
      {"contact_plane", {planar_body, planar_body}, {{"point", s1}, {"radius", 0.2}, {"normal", s2}, {"plane_point", s1}, {"friction", planar_laws}, {"tangent", Reals{1, 0}}}},
      {"contact_plane", {rigid_body}, {{"point", p1}, {"radius", 0.2}, {"normal", axis}, {"friction", all_laws}}},
      {"contact_plane", {rigid_body, rigid_body}, {{"point", p1}, {"radius", 0.2}, {"normal", axis}, {"plane_point", p2}, {"friction", rectangle}, {"tangent", p1}}},
      {"contact_plane", {rigid_body, rigid_body}, {{"point", p1}, {"normal", axis}, {"friction", contensou}}},
      {"contact_disc", {rigid_body}, {{"centre", p1}, {"radius", 0.4}, {"normal", Reals{0, 0, 1}}, {"friction", contensou}}},
      {"contact_disc", {rigid_body, rigid_body}, {{"axis", axis}, {"radius", 0.4}, {"normal", p2}, {"plane_point", p1}, {"friction", all_laws}}},
      {"contact_in_sphere", {planar_body}, {{"radius", 0.1}, {"cavity_radius", 1.}, {"friction", planar_laws}}},
      {"contact_in_sphere", {rigid_body, rigid_body}, {{"point", p1}, {"radius", 0.1}, {"cavity_radius", 1.}, {"centre", p2}, {"friction", all_laws}}},
      {"contact_in_cylinder", {point_3d}, {{"cavity_radius", 1.}, {"axis", axis}, {"friction", disc}}},
      {"contact_in_cylinder", {rigid_body, rigid_body}, {{"point", p1}, {"radius", 0.1}, {"cavity_radius", 1.}, {"centre", p2}, {"axis", axis}, {"friction", contensou}}},
      {"contact_curve", {point_2d}, {{"curve", "exp(-x); -exp(-x); exp(-x)"}, {"friction", disc}}},
      {"contact_curve", {planar_body}, {{"point", s1}, {"curve", "sin(x); cos(x); -sin(x)"}, {"side", "below"}, {"friction", planar_laws}}},
      {"belt_friction", {point_2d}, {{"belt_velocity", wave}, {"normal_force", 10.}, {"mu_s", 0.5}, {"mu_d", 0.3}, {"epsilon", 3.}}},
      {"belt_friction", {rigid_body}, {{"point", p1}, {"direction", axis}, {"belt_velocity", wave}, {"normal_force", 10.}, {"mu_s", 0.5}, {"mu_d", 0.3}, {"epsilon", 3.}}},
      // elements
      {"bar", {point_2d, point_2d}, {{"E", 3.}, {"A", 0.5}, {"density", 2.}, {"length", 0.7}, {"axis", s1}, {"damping", 0.2}, {"gravity", s2}}},
      {"bar", {point_3d, point_3d}, {{"E", 3.}, {"A", 0.5}, {"density", 2.}, {"length", 0.7}, {"axis", axis}, {"damping", 0.2}, {"gravity", p2}}},
      {"bar", {generalized, generalized}, {{"E", 3.}, {"A", 0.5}, {"density", 2.}, {"length", 0.7}, {"damping", 0.2}}, 1},
      // generalized coordinates
      {"linear_system", {generalized}, {{"M", Reals{2, 0.3, 0.3, 1}}, {"D", Reals{0.1, 0, 0, 0.2}}, {"K", Reals{4, -1, -1, 3}}, {"f", Reals{1, -2}}, {"factor", wave}}, 2},
      {"contact_linear", {generalized}, {{"w_N", Reals{1, -0.5, 0.2}}, {"gap_0", 0.1}, {"w_T", Reals{0.3, 0.2, 1}}, {"surface_velocity", wave}, {"mu", 0.3}}, 3},
      {"pendulum_chain", {generalized}, {{"lengths", Reals{1, 0.7}}, {"masses", Reals{1, 2}}}, 2},
      {"pendulum_chain", {generalized}, {{"lengths", Reals{1, 0.7, 0.4, 1.2}}, {"masses", Reals{1, 2, 0.5, 0.3}}}, 4},
      {"slider_crank_minimal", {generalized}, {{"l_1", 1.}, {"l_2", 2.}, {"m_1", 1.}, {"m_2", 2.}, {"m_3", 3.}, {"J_1", 0.4}, {"J_2", 0.5}, {"J_3", 0.6}}, 3},
      {"slider_crank_corner", {generalized}, {{"corner", 1}, {"l_1", 1.}, {"l_2", 2.}, {"a", 0.5}, {"b", 0.25}}, 3},
      {"slider_crank_corner", {generalized}, {{"corner", 4}, {"l_1", 1.}, {"l_2", 2.}, {"a", 0.5}, {"b", 0.25}}, 3},
      {"slider_crank_guide", {generalized}, {}, 3},
  };
}

}  // namespace model_test
