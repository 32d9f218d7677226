#include "contact/revolution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percussion {

namespace {

struct Meridian {
  double rho, z;
  Vec3 radial;
};

Meridian meridian(const Revolution& wall, const Vec3& x) {
  const Vec3 d = x - wall.point;
  const double z = wall.axis.dot(d);
  const Vec3 across = d - z * wall.axis;
  const double rho = across.norm();
  return {rho, z, rho > 0 ? Vec3(across / rho) : Vec3(tangent_frame<double>(wall.axis).col(0))};
}

/// Inward normal of the line in the half plane, and the height of a point above it.
struct Height {
  double n_rho, n_z, height, along;  // along: 0 at the first end, 1 at the second
};
Height height(const Revolution& wall, const Meridian& m) {
  const double dr = wall.r_1 - wall.r_0, dz = wall.z_1 - wall.z_0, length = std::hypot(dr, dz);
  const double n_rho = -dz / length, n_z = dr / length, x = m.rho - wall.r_0, z = m.z - wall.z_0;
  return {n_rho, n_z, n_rho * x + n_z * z, (x * dr + z * dz) / (length * length)};
}

}  // namespace

double side_of(const Revolution& wall, const Vec3& x) { return height(wall, meridian(wall, x)).height >= 0 ? 1. : -1.; }

WallDistance distance_of(const Revolution& wall, const Vec3& x, double side) {
  const Meridian m = meridian(wall, x);
  const Height h = height(wall, m);
  if (h.along >= 0 && h.along <= 1) return {side * h.height, side * (h.n_rho * m.radial + h.n_z * wall.axis)};
  const double t = std::clamp(h.along, 0., 1.);
  const double d_rho = m.rho - wall.r_0 - t * (wall.r_1 - wall.r_0), d_z = m.z - wall.z_0 - t * (wall.z_1 - wall.z_0);
  const double d = std::hypot(d_rho, d_z);
  return {d, (d_rho * m.radial + d_z * wall.axis) / d};
}

void revolution_contacts(const Revolution& wall, const Convex& a, double threshold, Manifold& manifold) {
  manifold.clear();
  const Shape& s = *a.shape;
  const double side = side_of(wall, a.x);
  const auto look = [&](const Vec3& local, double r, std::uint32_t id) {
    const Vec3 x = a.to_world(local);
    const WallDistance d = distance_of(wall, x, side);
    add_point(x, a.scale * r, d.distance, d.normal, threshold, feature_id(4, id), manifold);
  };
  switch (s.kind) {
    case ShapeKind::sphere: look(Vec3::Zero(), s.core_radius, 0); break;
    case ShapeKind::capsule: look({0, 0, -s.half_length}, s.core_radius, 0), look({0, 0, s.half_length}, s.core_radius, 1); break;
    case ShapeKind::clump:
      for (std::size_t k = 0; k < s.spheres.size(); ++k) look(s.spheres[k].x, s.spheres[k].r, static_cast<std::uint32_t>(k));
      return manifold.keep_deepest();
    case ShapeKind::cylinder:
      for (int k = 0; k < 32; ++k) {
        const double phi = 2 * std::numbers::pi * (k / 2) / 16;
        look({s.core_radius * std::cos(phi), s.core_radius * std::sin(phi), k % 2 ? s.half_length : -s.half_length}, 0, static_cast<std::uint32_t>(k));
      }
      break;
    default:
      for (std::size_t v = 0; v < s.polyhedron->vertices.size(); ++v) look(s.polyhedron->vertices[v], 0, static_cast<std::uint32_t>(v));
  }
  manifold.reduce();
}

double displacement(const Revolution& wall, const Revolution& other) {
  // Turning about the axis moves nothing; a point of the surface moves as its foot on the axis, and by the tilt of its radius.
  const double tilt = (other.axis - wall.axis).norm() * std::max(wall.r_0, wall.r_1);
  double most = 0;
  for (const double z : {wall.z_0, wall.z_1}) most = std::max(most, (other.point + z * other.axis - wall.point - z * wall.axis).norm());
  return most + tilt;
}

}  // namespace percussion
