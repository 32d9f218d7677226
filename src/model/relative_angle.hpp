// Angle of a frame on one body against a frame on a second body (or the ground) about a common axis, minus a reference:
//   planar   g = phi_1 - phi_2 - f(t), any number of turns
//   spatial  g in (-pi, pi): the jump is half a turn away from f(t), so a prescribed angle may turn for ever
// In space the angle is measured in the plane normal to the axis of the second frame; it says nothing about tilting.
#pragma once
#include <string>
#include <vector>

#include "model/dual_function.hpp"
#include "model/model_input.hpp"

namespace percussion {

struct RelativeAngle {
  Marker a, b;
  Vec3 n_1, n_2;  // normal to the axis, components in both frames
  bool planar;
  TimeFunction reference;

  int rows() const { return 1; }

  template <class T>
  void operator()(const T& t, const T* q, T* g) const {
    using std::atan2;
    using std::cos;
    using std::sin;
    const T f = apply(reference, t);
    if (planar) {
      g[0] = a.angle(q) - b.angle(q) - f;
      return;
    }
    const VecT<T, 3> turned = a.direction(q, n_1);
    const T x = b.direction(q, n_1).dot(turned), y = b.direction(q, n_2).dot(turned);
    g[0] = atan2(cos(f) * y - sin(f) * x, cos(f) * x + sin(f) * y);
  }
};

/// Adds nodes, axis, frame_1, frame_2.
void add_relative_angle(Schema& schema);

RelativeAngle relative_angle_of(const Parameters& p, const std::vector<NodeRef>& nodes, TimeFunction reference);

}  // namespace percussion
