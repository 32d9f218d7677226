// The shapes of the tests of contacts, each in poses whose highest and lowest points are known.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>

#include "contact/shape.hpp"

namespace percussion::test {

/// A shape, turned so that its highest and lowest points lie on the z axis or on a feature across it.
struct Pose {
  const char* name;
  Shape shape;
  Mat3 A;
  double half;  // height of its top and depth of its bottom
  int points;   // corners of the top feature: 1 point, 2 edge or side, 4 face (more are reduced to 4)
};

inline Mat3 turn(double angle, const Vec3& axis) { return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(); }

inline std::vector<Pose> poses() {
  const Mat3 I = Mat3::Identity(), lying = turn(std::numbers::pi / 2, Vec3::UnitX());
  const Shape box = box_shape({0.8, 1, 1.2}), octahedron = polyhedron_shape(std::vector<Vec3>{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}});
  const double edge = std::hypot(0.5, 0.6), corner = std::sqrt(0.16 + 0.25 + 0.36);
  const Mat3 to_corner = Eigen::Quaterniond::FromTwoVectors(Vec3(0.4, 0.5, 0.6), Vec3::UnitZ()).toRotationMatrix();
  return {{"sphere", sphere_shape(0.4), I, 0.4, 1},
          {"box on a face", box, I, 0.6, 4},
          {"box on an edge", box, turn(std::atan2(0.5, 0.6), Vec3::UnitX()), edge, 2},
          {"box on a corner", box, to_corner, corner, 1},
          {"capsule upright", capsule_shape(0.3, 1), I, 0.8, 1},
          {"capsule lying", capsule_shape(0.3, 1), lying, 0.3, 2},
          {"cylinder upright", cylinder_shape(0.4, 1), I, 0.5, 4},
          {"cylinder lying", cylinder_shape(0.4, 1), lying, 0.4, 2},
          {"octahedron on a corner", octahedron, I, 1, 1},
          {"octahedron on a face", octahedron, Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ()).toRotationMatrix(), 1 / std::sqrt(3.), 3},
          {"clump upright", clump_shape({{{0, 0, -0.5}, 0.4}, {{0, 0, 0.5}, 0.4}}), I, 0.9, 1}};
}

}  // namespace percussion::test
