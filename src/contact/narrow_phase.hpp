// Gap and normal of the candidates: g_N and the direction n behind W_N.
//
// Orientation as in candidate_list.hpp (n unit, from a to b, gap < 0 is penetration). Sphere-sphere and sphere-plane in
// closed form, in a loop that neither branches on shapes nor allocates; coincident centres get n = e_x: it lies in the plane
// of planar bodies, and is never NaN. In a periodic box b stands for its image nearest to a. Other shapes and walls: contact/shape_contact.hpp, contact/obstacles.hpp. A pair with
// several contact points has one result for each; points go to the slot that remembers their feature.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/ball.hpp"
#include "contact/candidate_list.hpp"
#include "contact/manifold.hpp"
#include "contact/wall.hpp"

namespace percussion {

struct SphereContactGeometry {
  std::int32_t candidate;  ///< index into CandidateList::candidates()
  std::int32_t shaped;     ///< for NarrowPhase::shaped(); -1: the arms are the radii along n
  double n[3];
  double gap;
};

/// What a contact of other bodies than spheres needs on top.
struct ShapedContact {
  Vec3 arm_a, arm_b;      ///< from the reference points of the bodies to the surfaces (wall: b is zero)
  Vec3 local_a, local_b;  ///< the same points in the frames of the bodies (wall: b in I)
  Vec3 local_n;           ///< n in the frame of a
  std::int32_t feature;
  bool remembered;        ///< the percussion in the slot is that of this contact
};

/// Image of b nearest to a.
inline Ball nearest_image(const PeriodicBox& box, const Ball& a, Ball b) {
  box.to_nearest(a.x, b.x);
  return b;
}

/// Fills n and gap.
inline void sphere_sphere(const Ball& a, const Ball& b, double* n, double& gap) {
  const double dx = b.x[0] - a.x[0], dy = b.x[1] - a.x[1], dz = b.x[2] - a.x[2];
  const double d2 = dx * dx + dy * dy + dz * dz;
  const double d = std::sqrt(d2);
  const bool apart = d2 > 1e-280;  // below, d2 has lost its digits to underflow
  const double f = 1. / (apart ? d : 1.);
  n[0] = apart ? f * dx : 1.;
  n[1] = apart ? f * dy : 0.;
  n[2] = apart ? f * dz : 0.;
  gap = d - (a.r + b.r);
}

inline void sphere_plane(const Ball& a, const Plane& b, double* n, double& gap) {
  for (int i = 0; i < 3; ++i) n[i] = -b.n[i];
  gap = b.n[0] * a.x[0] + b.n[1] * a.x[1] + b.n[2] * a.x[2] - b.offset - a.r;
}

class NarrowPhase {
 public:
  /// The candidates with gap <= threshold at positions q (laid out like store.q(), ghosts included) and planes at
  /// their place of that time, in the order of the list. Valid until the next call.
  std::span<const SphereContactGeometry> evaluate(const CandidateList& list, const NodeStore& store,
                                                  std::span<const double> q, std::span<const Plane> planes,
                                                  double threshold);

  /// Recomputes n and gap of a chosen set of contacts at other positions (stages, Newton iterates).
  void update(const CandidateList& list, const NodeStore& store, std::span<const double> q,
              std::span<const Plane> planes, std::span<SphereContactGeometry> contacts);

  std::span<const SphereContactGeometry> contacts() const { return {contacts_.data(), count_}; }
  /// Of the last evaluate() or update(); g.shaped >= 0.
  const ShapedContact& shaped(const SphereContactGeometry& g) const { return shaped_[g.shaped]; }

  std::size_t memory() const;

 private:
  void gather(const NodeStore& store, std::span<const double> q);
  /// Appends the contacts of the pair whose slots begin at candidate k.
  void add_pair(const CandidateList& list, const NodeStore& store, std::span<const double> q, std::span<const Plane> planes,
                std::int32_t k, double threshold);
  void update_shaped(const CandidateList& list, const NodeStore& store, std::span<const double> q, std::span<const Plane> planes,
                     SphereContactGeometry& contact);

  std::vector<Ball> balls_;                      // by local node index
  std::vector<SphereContactGeometry> contacts_;  // grows only; the first count_ are valid
  std::size_t count_ = 0;
  std::vector<ShapedContact> shaped_;
  Manifold manifold_;
};

}  // namespace percussion
