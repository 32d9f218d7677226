#include "contact/mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace percussion {

namespace {

/// Sums of 1, x and x x^T over a body.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  MassProperties about_centre() const {
    MassProperties m;
    m.volume = volume, m.centre = first / volume;
    const Mat3 covariance = second - volume * m.centre * m.centre.transpose();
    m.inertia = covariance.trace() * Mat3::Identity() - covariance;
    return m;
  }
};

bool overlap(std::span<const ClumpSphere> spheres) {
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((spheres[i].x - spheres[j].x).norm() < (spheres[i].r + spheres[j].r) * (1 - 1e-12)) return true;
  return false;
}

/// Adds the column over a cell of area dA at (x, y): intervals [z0, z1] of the spheres, united.
void add_column(std::span<const ClumpSphere> spheres, double x, double y, double dA, Moments& sum) {
  std::vector<std::pair<double, double>> intervals;
  for (const ClumpSphere& s : spheres) {
    const double h2 = s.r * s.r - (x - s.x[0]) * (x - s.x[0]) - (y - s.x[1]) * (y - s.x[1]);
    if (h2 > 0) intervals.emplace_back(s.x[2] - std::sqrt(h2), s.x[2] + std::sqrt(h2));
  }
  std::sort(intervals.begin(), intervals.end());
  double reached = -std::numeric_limits<double>::infinity();
  for (const auto& [begin, end] : intervals) {
    const double z0 = std::max(begin, reached), z1 = end;
    reached = std::max(reached, end);
    if (z1 <= z0) continue;
    const double l = z1 - z0, zz = (z1 * z1 - z0 * z0) / 2, zzz = (z1 * z1 * z1 - z0 * z0 * z0) / 3;
    sum.volume += dA * l;
    sum.first += dA * Vec3(x * l, y * l, zz);
    Mat3 m;
    m << x * x * l, x * y * l, x * zz, x * y * l, y * y * l, y * zz, x * zz, y * zz, zzz;
    sum.second += dA * m;
  }
}

}  // namespace

MassProperties mass_properties(const Polyhedron& body) {
  Moments sum;
  const Vec3 origin = body.vertices[0];
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const auto face = body.face(f);
    for (std::size_t k = 2; k < face.size(); ++k) {
      Mat3 v;
      v << body.vertices[face[0]] - origin, body.vertices[face[k - 1]] - origin, body.vertices[face[k]] - origin;
      const double volume = v.determinant() / 6;
      const Vec3 s = v.rowwise().sum();
      sum.volume += volume;
      sum.first += volume / 4 * s;
      // Integral of x x^T over a tetrahedron with one corner in the origin.
      sum.second += volume / 20 * (v * v.transpose() + s * s.transpose());
    }
  }
  MassProperties m = sum.about_centre();
  m.centre += origin;
  return m;
}

MassProperties mass_properties(std::span<const ClumpSphere> spheres) {
  Moments sum;
  if (!overlap(spheres)) {
    for (const ClumpSphere& s : spheres) {
      const double v = 4. / 3. * std::numbers::pi * s.r * s.r * s.r;
      sum.volume += v;
      sum.first += v * s.x;
      sum.second += v * (s.x * s.x.transpose() + s.r * s.r / 5 * Mat3::Identity());
    }
    return sum.about_centre();
  }
  constexpr int n = 400;
  Vec3 lower = spheres[0].x, upper = spheres[0].x;
  for (const ClumpSphere& s : spheres) lower = lower.cwiseMin(s.x.array().matrix() - Vec3::Constant(s.r)), upper = upper.cwiseMax(s.x + Vec3::Constant(s.r));
  const double dx = (upper[0] - lower[0]) / n, dy = (upper[1] - lower[1]) / n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) add_column(spheres, lower[0] + (i + 0.5) * dx, lower[1] + (j + 0.5) * dy, dx * dy, sum);
  return sum.about_centre();
}

PrincipalAxes principal_axes(const Mat3& inertia) {
  const double size = inertia.trace();
  PrincipalAxes p{Mat3::Identity(), inertia.diagonal()};
  const double off = std::abs(inertia(0, 1)) + std::abs(inertia(0, 2)) + std::abs(inertia(1, 2));
  if (off > 1e-12 * size) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
    p.axes = eigen.eigenvectors(), p.moments = eigen.eigenvalues();
    if (p.axes.determinant() < 0) p.axes.col(2) = -p.axes.col(2);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(p.moments[i] - p.moments[j]) < 1e-12 * size) p.moments[i] = p.moments[j];
  return p;
}

}  // namespace percussion
