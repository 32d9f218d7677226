// The part of the narrow phase that knows shapes and walls of all kinds.
#include <algorithm>
#include <limits>

#include "contact/narrow_phase.hpp"
#include "contact/shape_contact.hpp"

namespace percussion {

namespace {

/// Places bodies and finds the contacts of pairs.
class Pairs {
 public:
  Pairs(const CandidateList& list, const NodeStore& store, std::span<const double> q, std::span<const Plane> planes)
      : list_(list), store_(store), q_(q), planes_(planes) {}

  Convex place(std::int32_t i) const {
    static const Shape unit = sphere_shape(1.);
    const NodeData& node = store_[i];
    const Placement<double> p = placement(node.kind, q_.data() + store_.q_offset()[i]);
    const Shape& shape = list_.shapes() && node.shape > 0 ? (*list_.shapes())[node.shape] : unit;
    return {&shape, node.radius / shape.radius, p.r, p.A};
  }

  /// Body b in its image nearest to a.
  Convex place_near(const Convex& a, std::int32_t i) const {
    Convex b = place(i);
    list_.periodic().to_nearest(a.x.data(), b.x.data());
    return b;
  }

  void contacts(const Candidate& c, double threshold, Manifold& manifold) const {
    const Convex a = place(c.a);
    if (!c.is_wall()) return body_contacts(a, place_near(a, c.b), threshold, manifold);
    const auto planes = static_cast<std::int32_t>(planes_.size());
    if (c.surface() >= planes) return list_.obstacles()->contacts(c.surface() - planes, a, threshold, manifold);
    const Plane& plane = planes_[c.plane()];
    plane_contacts(a, Eigen::Map<const Vec3>(plane.n), plane.offset, threshold, manifold);
  }

  bool needs_arms(const Candidate& c) const {
    return list_.kind_of(store_[c.a]) != ShapeKind::sphere || (!c.is_wall() && list_.kind_of(store_[c.b]) != ShapeKind::sphere);
  }

  ShapedContact shaped(const Candidate& c, const ManifoldPoint& p, bool remembered) const {
    const Convex a = place(c.a);
    ShapedContact s{p.on_a - a.x, Vec3::Zero(), Vec3::Zero(), p.on_b, a.A.transpose() * p.n, p.feature, remembered};
    s.local_a = a.A.transpose() * s.arm_a;
    if (c.is_wall()) return s;
    const Convex b = place_near(a, c.b);
    s.arm_b = p.on_b - b.x, s.local_b = b.A.transpose() * s.arm_b;
    return s;
  }

  /// A contact point whose features are no longer those that meet: the same points of the bodies, the normal kept by a.
  ManifoldPoint carried(const Candidate& c, const ShapedContact& s) const {
    const Convex a = place(c.a);
    ManifoldPoint p{a.A * s.local_n, 0, a.x + a.A * s.local_a, s.local_b, s.feature};
    if (!c.is_wall()) {
      const Convex b = place_near(a, c.b);
      p.on_b = b.x + b.A * s.local_b;
    }
    p.gap = p.n.dot(p.on_b - p.on_a);
    return p;
  }

 private:
  const CandidateList& list_;
  const NodeStore& store_;
  std::span<const double> q_;
  std::span<const Plane> planes_;
};

bool is_nonzero(const double* P) { return P[0] != 0 || P[1] != 0 || P[2] != 0; }

}  // namespace

void NarrowPhase::add_pair(const CandidateList& list, const NodeStore& store, std::span<const double> q, std::span<const Plane> planes,
                           std::int32_t k, double threshold) {
  const auto candidates = list.candidates();
  const Candidate& c = candidates[k];
  const Pairs pairs(list, store, q, planes);
  const auto add = [&](std::int32_t candidate, const Vec3& n, double gap, std::int32_t shaped) {
    if (contacts_.size() <= count_) contacts_.resize(count_ + 256 + count_ / 4);
    contacts_[count_++] = {candidate, shaped, {n[0], n[1], n[2]}, gap};
  };
  if (!pairs.needs_arms(c)) {
    double n[3], gap = std::numeric_limits<double>::infinity();
    if (!c.is_wall()) {
      sphere_sphere(balls_[c.a], nearest_image(list.periodic(), balls_[c.a], balls_[c.b]), n, gap);
    } else if (std::cmp_less(c.surface(), planes.size())) {
      sphere_plane(balls_[c.a], planes[c.plane()], n, gap);
    } else {
      pairs.contacts(c, threshold, manifold_);
      if (manifold_.size() == 0) return;
      gap = manifold_[0].gap, std::copy_n(manifold_[0].n.data(), 3, n);
    }
    if (gap <= threshold) add(k, Vec3(n[0], n[1], n[2]), gap, -1);
    return;
  }
  pairs.contacts(c, threshold, manifold_);
  std::int32_t slots = 1;
  while (k + slots < list.size() && candidates[k + slots].a == c.a && candidates[k + slots].b == c.b) ++slots;
  std::array<bool, max_manifold> taken{};
  std::array<std::int32_t, max_manifold> slot_of;
  slot_of.fill(-1);
  const int points = std::min(manifold_.size(), slots);
  for (int j = 0; j < points; ++j)
    for (int s = 0; s < slots && slot_of[j] < 0; ++s)
      if (!taken[s] && list.feature(k + s) == manifold_[j].feature && is_nonzero(candidates[k + s].P)) slot_of[j] = s, taken[s] = true;
  for (int j = 0; j < points; ++j) {
    const bool remembered = slot_of[j] >= 0;
    for (int s = 0; slot_of[j] < 0; ++s)
      if (!taken[s]) slot_of[j] = s, taken[s] = true;
    const ManifoldPoint& p = manifold_[j];
    add(k + slot_of[j], p.n, p.gap, static_cast<std::int32_t>(shaped_.size()));
    shaped_.push_back(pairs.shaped(c, p, remembered));
  }
}

void NarrowPhase::update_shaped(const CandidateList& list, const NodeStore& store, std::span<const double> q, std::span<const Plane> planes,
                                SphereContactGeometry& contact) {
  const Candidate& c = list.candidates()[contact.candidate];
  const Pairs pairs(list, store, q, planes);
  constexpr double far = std::numeric_limits<double>::max();
  if (contact.shaped < 0) {
    if (!c.is_wall()) return sphere_sphere(balls_[c.a], nearest_image(list.periodic(), balls_[c.a], balls_[c.b]), contact.n, contact.gap);
    if (std::cmp_less(c.surface(), planes.size())) return sphere_plane(balls_[c.a], planes[c.plane()], contact.n, contact.gap);
    pairs.contacts(c, far, manifold_);
    if (manifold_.size() == 0) return;
    contact.gap = manifold_[0].gap, std::copy_n(manifold_[0].n.data(), 3, contact.n);
    return;
  }
  ShapedContact& s = shaped_[contact.shaped];
  pairs.contacts(c, far, manifold_);
  const auto points = manifold_.points();
  const auto same = std::find_if(points.begin(), points.end(), [&](const ManifoldPoint& p) { return p.feature == s.feature; });
  const ManifoldPoint p = same != points.end() ? *same : pairs.carried(c, s);
  s = pairs.shaped(c, p, s.remembered);
  contact.gap = p.gap, std::copy_n(p.n.data(), 3, contact.n);
}

}  // namespace percussion
