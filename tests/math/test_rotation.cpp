// Quaternion kinematics and tangent frames: identities that hold to roundoff, finite rotations.
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "math/dual.hpp"
#include "math/rotation.hpp"

using namespace percussion;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one

struct Sampler {
  std::mt19937 engine{12345};
  std::normal_distribution<double> normal;
  double operator()() { return normal(engine); }
  Quat quat() { return Quat(normal(engine), normal(engine), normal(engine), normal(engine)); }
  Vec3 vec() { return Vec3(normal(engine), normal(engine), normal(engine)); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rotation)

BOOST_AUTO_TEST_CASE(matrix_is_a_rotation_for_any_length_of_the_quaternion) {
  Sampler s;
  for (int k = 0; k < 200; ++k) {
    const Quat P = s.quat();
    const Mat3 A = A_IK_of(P);
    BOOST_TEST((A.transpose() * A - Mat3::Identity()).norm() < roundoff);
    BOOST_TEST(std::abs(A.determinant() - 1.0) < roundoff);
    BOOST_TEST((A_IK_of<double>(-3.7 * P) - A).norm() < roundoff);  // P and any multiple: same rotation
    const Vec3 a = s.vec();
    BOOST_TEST((rotate(P, a) - A * a).norm() < 10 * roundoff);
    BOOST_TEST((rotate_back(P, a) - A.transpose() * a).norm() < 10 * roundoff);
  }
}

BOOST_AUTO_TEST_CASE(product_and_conjugate_match_matrices) {
  Sampler s;
  for (int k = 0; k < 200; ++k) {
    const Quat P = s.quat(), R = s.quat();
    BOOST_TEST((A_IK_of(quat_product(P, R)) - A_IK_of(P) * A_IK_of(R)).norm() < roundoff);
    BOOST_TEST((A_IK_of(quat_conjugate(P)) - A_IK_of(P).transpose()).norm() < roundoff);
    BOOST_TEST((quat_product(P, quat_conjugate(P)) - P.squaredNorm() * quat_identity()).norm() < 100 * roundoff);
    BOOST_TEST(std::abs(quat_normalised(P).norm() - 1.0) < roundoff);
  }
}

BOOST_AUTO_TEST_CASE(axis_angle_is_rodrigues_formula) {
  Sampler s;
  for (int k = 0; k < 100; ++k) {
    const Vec3 axis = s.vec(), n = axis.normalized();
    const double angle = 3.0 * s();
    const Mat3 rodrigues = Mat3::Identity() + std::sin(angle) * skew(n) + (1 - std::cos(angle)) * skew(n) * skew(n);
    BOOST_TEST((A_IK_of(quat_from_axis_angle(axis, angle)) - rodrigues).norm() < 2 * roundoff);
  }
  // Body x-axis turned by 90 degrees about z points along y: fixes A_IK against its transpose.
  const Quat P = quat_from_axis_angle<double>(Vec3::UnitZ(), std::numbers::pi / 2);
  BOOST_TEST((rotate<double>(P, Vec3::UnitX()) - Vec3::UnitY()).norm() < roundoff);
}

BOOST_AUTO_TEST_CASE(kinematic_matrix_identities) {
  Sampler s;
  for (int k = 0; k < 100; ++k) {
    const Quat P = s.quat();
    const Vec3 omega = s.vec();
    const Mat43 Q = Q_of(P);
    BOOST_TEST((Q.transpose() * P).norm() < roundoff * P.squaredNorm());  // |P| does not change
    BOOST_TEST((Q.transpose() * Q - P.squaredNorm() * Mat3::Identity()).norm() < 10 * roundoff * P.squaredNorm());
    BOOST_TEST((P_dot_of(P, omega) - 0.5 * quat_product(P, Quat(0, omega[0], omega[1], omega[2]))).norm() < 10 * roundoff);
    BOOST_TEST((omega_K_of(P, P_dot_of(P, omega)) - omega).norm() < 10 * roundoff);
    // A_dot = A skew(omega_K), with A_dot by the chain rule, column by column.
    const Mat3 A = A_IK_of(P), A_omega = A * skew(omega);
    for (int j = 0; j < 3; ++j)
      BOOST_TEST((rotate_dP<double>(P, Vec3::Unit(j)) * P_dot_of(P, omega) - A_omega.col(j)).norm() < 10 * roundoff);
  }
}

BOOST_AUTO_TEST_CASE(constant_body_rate_integrates_to_the_finite_rotation) {
  const Vec3 omega(0.7, -1.1, 0.4);
  Quat P = quat_from_axis_angle<double>(Vec3(1, 2, 3), 0.8);
  const Quat start = P;
  const double T = 2.0;
  const int steps = 400;  // classical Runge-Kutta of order 4: error (omega h)^4 T ~ 1e-10
  const double h = T / steps;
  for (int i = 0; i < steps; ++i) {
    const Quat k1 = P_dot_of(P, omega), k2 = P_dot_of<double>(P + h / 2 * k1, omega);
    const Quat k3 = P_dot_of<double>(P + h / 2 * k2, omega), k4 = P_dot_of<double>(P + h * k3, omega);
    P += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Quat exact = quat_product(start, quat_exp<double>(T * omega));
  BOOST_TEST((P - exact).norm() < 1e-9);
  BOOST_TEST((P - exact).norm() > 1e-16);  // a real integration took place
}

BOOST_AUTO_TEST_CASE(derivative_of_a_rotated_vector_matches_dual_numbers) {
  Sampler s;
  for (int k = 0; k < 50; ++k) {
    const Quat P = s.quat();
    const Vec3 a = s.vec();
    const auto dual = jacobian(
        [&](const auto& X) {
          using T = typename std::decay_t<decltype(X)>::Scalar;
          return VecT<T, 3>(A_IK_of<T>(X) * a);
        },
        P);
    const Mat34 D = rotate_dP(P, a);
    BOOST_TEST((D - dual.J).norm() < 1e-12 * (1 + dual.J.norm()));  // 1/|P|^3 amplifies for small P
    BOOST_TEST((D * P).norm() < 1e-12 * (1 + dual.J.norm()) * P.norm());
  }
}

BOOST_AUTO_TEST_CASE(exponential_and_logarithm_are_inverse_also_for_small_angles) {
  Sampler s;
  for (const double angle : {0.0, 1e-12, 1e-5, 0.0199, 0.0201, 0.0632, 0.0633, 1.0, 3.0, 3.14159}) {
    const Vec3 phi = angle * s.vec().normalized();
    const Quat P = quat_exp(phi);
    BOOST_TEST(std::abs(P.norm() - 1.0) < roundoff);
    // Near pi the scalar part is small, but atan2 keeps full accuracy.
    BOOST_TEST((quat_log(P) - phi).norm() <= 4 * roundoff * angle);
    BOOST_TEST((quat_log<double>(-2.0 * P) - phi).norm() <= 4 * roundoff * angle);
    if (angle > 0) BOOST_TEST((P - quat_from_axis_angle(phi, angle)).norm() < roundoff);
  }
  // exp'(0) phi = (0, phi/2), exp''(0): -1/4 in the scalar part; no division by zero in between.
  const auto r = hessian([](const auto& x) { return quat_exp(VecT<std::decay_t<decltype(x[0])>, 3>(x))[0]; }, Vec3(0, 0, 0));
  BOOST_TEST((r.H + 0.25 * Mat3::Identity()).norm() < roundoff);
}

BOOST_AUTO_TEST_CASE(quaternion_of_a_matrix) {
  Sampler s;
  for (int k = 0; k < 100; ++k) {
    const Quat P = s.quat(), R = quat_from_matrix(A_IK_of(P));
    BOOST_TEST(R[0] >= 0.0);
    BOOST_TEST((A_IK_of(R) - A_IK_of(P)).norm() < roundoff);
  }
  for (int i = 0; i < 3; ++i) {  // half turns, where the scalar part vanishes
    const Mat3 A = 2.0 * Vec3::Unit(i) * Vec3::Unit(i).transpose() - Mat3::Identity();
    BOOST_TEST((A_IK_of(quat_from_matrix(A)) - A).norm() < roundoff);
  }
}

BOOST_AUTO_TEST_CASE(tangent_frame_is_right_handed_everywhere) {
  Sampler s;
  std::vector<Vec3> normals = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  for (int k = 0; k < 200; ++k) normals.push_back(s.vec().normalized());
  for (const double d : {1e-3, 1e-8, 1e-12, 1e-100, 1e-145}) normals.push_back(Vec3(d, -2 * d, -1).normalized());
  for (const Vec3& n : normals) {
    Mat3 E;
    E << tangent_frame(n), n;
    BOOST_TEST((E.transpose() * E - Mat3::Identity()).norm() < roundoff);
    BOOST_TEST(E.determinant() > 0.9);
  }
  BOOST_TEST((tangent_frame<double>(Vec3::UnitZ()) - Mat32::Identity()).norm() == 0.0);
}

BOOST_AUTO_TEST_CASE(tangent_frame_is_smooth_through_the_equator) {
  // The two formulas meet at n_z = 0: values and derivatives agree across it.
  for (double phi = 0.1; phi < 6.2; phi += 0.5) {
    const auto frame_along = [&](double z) {
      using D = Dual<double, 1>;
      const D angle(z, 0);
      const VecT<D, 3> n(std::cos(phi) * cos(angle), std::sin(phi) * cos(angle), sin(angle));
      return tangent_frame(n);
    };
    const double d = 1e-9;  // frames change at most at rate 2, their derivatives at rate 10
    const auto above = frame_along(d), below = frame_along(-d);
    for (int i = 0; i < 6; ++i) {
      BOOST_TEST(std::abs(above(i % 3, i / 3).v - below(i % 3, i / 3).v) < 1e-8);
      BOOST_TEST(std::abs(above(i % 3, i / 3).d[0] - below(i % 3, i / 3).d[0]) < 1e-7);
    }
  }
}

BOOST_AUTO_TEST_CASE(tangent_frame_derivative_matches_differences_on_both_half_spheres) {
  Sampler s;
  for (int k = 0; k < 40; ++k) {
    Vec3 n = s.vec().normalized();
    if (n[2] < -0.95) n = -n;
    const Vec3 axis = s.vec().normalized().cross(n);
    const auto turned = [&](const auto& angle) {  // unit normals on a great circle
      using T = std::decay_t<decltype(angle)>;
      using std::cos;
      using std::sin;
      const VecT<T, 3> N = n * cos(angle) + axis.cross(n) * sin(angle) + axis * (axis.dot(n) * (1.0 - cos(angle)));
      return tangent_frame(N);
    };
    const double h = 1e-5;  // error h^2 * third derivative (up to 1e3 near the singular point)
    const Mat32 difference = (turned(h) - turned(-h)) / (2 * h);
    const auto dual = turned(Dual<double, 1>(0.0, 0));
    for (int i = 0; i < 6; ++i) BOOST_TEST(std::abs(dual(i % 3, i / 3).d[0] - difference(i % 3, i / 3)) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(tangent_frame_with_a_given_axis) {
  const Vec3 n = Vec3(0.2, -0.3, 0.9).normalized(), axis(0, 1, 0);
  const Mat32 t = tangent_frame(n, axis);
  BOOST_TEST((t.transpose() * t - Mat2::Identity()).norm() < roundoff);
  BOOST_TEST((t.transpose() * n).norm() < roundoff);
  BOOST_TEST((t.col(0).cross(t.col(1)) - n).norm() < roundoff);
  BOOST_TEST(t.col(0).dot(axis) > 0.0);
  BOOST_TEST(std::abs(t.col(1).dot(axis)) < roundoff);  // t1 lies in the plane of n and axis
}

BOOST_AUTO_TEST_SUITE_END()
