// A contact between a body (II) and a surface on a support (I: ground or a second body), from a templated surface:
//
//   struct Surface { Marker body, support;  template <class T> Touch<T> touch(const T* q) const; };
//
// Normal n points from the support to the body. g_N (3.9), sliding velocity t . (v_Q - v_P) (3.17) of the material
// points at the contact, pivoting (3.18) and rolling velocity (3.19).
// Tangents: planar t = (n_y, -n_x), so that a ball on a floor has gamma_T = u_x + R u_phi (7.2); in space
// tangent_frame(n), singular for a normal along -e_z that changes; `tangent` replaces both (planar: it fixes the sign).
#pragma once
#include <memory>
#include <vector>

#include "model/auto_function.hpp"
#include "model/contact_spec.hpp"
#include "model/marker.hpp"
#include "model/role_contribution.hpp"
#include "model/small_vector.hpp"

namespace percussion {

template <class T>
struct Touch {
  T g;
  VecT<T, 3> n, r_Q, r_P;  ///< normal; contact point on the body and on the support
};

/// A sphere of radius R (0: a point) around r_C: contact points for a known normal and gap.
template <class T>
Touch<T> touch_of_sphere(const VecT<T, 3>& r_C, double R, const VecT<T, 3>& n, const T& g) {
  Touch<T> touch{g, n, r_C, r_C};
  for (int i = 0; i < 3; ++i) touch.r_Q[i] -= R * n[i];
  touch.r_P = touch.r_Q - g * n;
  return touch;
}

template <class Surface>
struct SurfaceGap {
  Surface surface;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    g[0] = surface.touch(q).g;
  }
};

template <class Surface>
struct SurfaceSlip {
  Surface surface;
  std::vector<FrictionRow> friction_rows;
  std::optional<Vec3> tangent;
  bool planar;

  int rows() const { return static_cast<int>(friction_rows.size()); }

  template <class T>
  void operator()(const T&, const T* q, const T* u, T* gamma) const {
    using Row = FrictionRow::Kind;
    const Touch<T> touch = surface.touch(q);
    const MatT<T, 3, 2> t = tangents(q, touch.n);
    const VecT<T, 3> v = surface.body.velocity_at(q, u, touch.r_Q) - surface.support.velocity_at(q, u, touch.r_P);
    const VecT<T, 3> omega = surface.body.omega(q, u) - surface.support.omega(q, u);
    for (const FrictionRow& row : friction_rows) {
      T& out = *gamma++;
      switch (row.kind) {
        case Row::slide_1: out = t.col(0).dot(v); break;
        case Row::slide_2: out = t.col(1).dot(v); break;
        case Row::pivot: out = touch.n.dot(omega); break;
        case Row::roll_1: out = planar ? omega[2] : t.col(0).dot(omega); break;
        case Row::roll_2: out = t.col(1).dot(omega); break;
      }
      if (row.scale != 1.) out *= row.scale;
    }
  }

 private:
  template <class T>
  MatT<T, 3, 2> tangents(const T* q, const VecT<T, 3>& n) const {
    if (!planar) {
      if (tangent) return tangent_frame<T>(n, surface.support.direction(q, *tangent));
      return tangent_frame<T>(n);
    }
    MatT<T, 3, 2> t;
    t << n[1], T(0.), -n[0], T(0.), T(0.), T(-1.);
    if (tangent && value(t.col(0).dot(surface.support.direction(q, *tangent))) < 0.) t = -t;
    return t;
  }
};

/// The contribution: `nodes` are those of the surface's markers.
template <class Surface>
std::unique_ptr<Contribution> make_surface_contact(const std::vector<NodeRef>& nodes, const Surface& surface,
                                                   const ContactSpec& spec, bool planar) {
  Roles roles;
  roles.contact = contact_rows(spec);
  roles.gap = make_position(SurfaceGap<Surface>{surface}, nodes);
  if (!spec.rows.empty()) roles.friction = make_velocity(SurfaceSlip<Surface>{surface, spec.rows, spec.tangent, planar}, nodes);
  return make_contribution(nodes, std::move(roles));
}

inline ContactKinematics kinematics_of(const Marker& body, const Marker& support, const std::vector<NodeRef>& nodes) {
  bool planar = true;
  for (const NodeRef& n : nodes) planar = planar && is_planar(n.kind);
  const auto rotates = [](const Marker& m) { return !m.is_ground() && m.has_orientation(); };
  return {planar, rotates(body) || rotates(support)};
}

}  // namespace percussion
