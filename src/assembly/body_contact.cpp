#include <Eigen/Geometry>
#include <cmath>

#include "assembly/inclusion_problem.hpp"
#include "math/rotation.hpp"

namespace percussion {

namespace {

Mat3 symmetric(const double* J) {
  Mat3 m;
  m << J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5];
  return m;
}

}  // namespace

LocalDelassus body_delassus(const BodyContact& s, double m_a, double m_b, double w_a, double w_b) {
  const Vec3 n = Eigen::Map<const Vec3>(s.n);
  const Mat3 R_a = skew<double>(Eigen::Map<const Vec3>(s.r_a)), R_b = skew<double>(Eigen::Map<const Vec3>(s.r_b));
  const Mat3 G = (m_a + m_b) * Mat3::Identity() - w_a * R_a * symmetric(s.J_a) * R_a - w_b * R_b * symmetric(s.J_b) * R_b;
  const MatT<double, 3, 2> t = tangent_frame<double>(n);
  const Mat2 T = t.transpose() * G * t;
  const double mean = 0.5 * (T(0, 0) + T(1, 1)), half = 0.5 * (T(0, 0) - T(1, 1));
  return {n.dot(G * n), mean + std::hypot(half, T(0, 1))};
}

}  // namespace percussion
