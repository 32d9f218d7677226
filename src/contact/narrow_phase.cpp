#include "contact/narrow_phase.hpp"

#include <algorithm>
#include <cassert>

namespace percussion {

namespace {

constexpr std::size_t block_size = 256;

/// Gaps and normals of a block of candidates, as arrays so that the loop vectorises.
struct Block {
  double nx[block_size], ny[block_size], nz[block_size], gap[block_size];

  void set(std::size_t k, const double* n, double g) { nx[k] = n[0], ny[k] = n[1], nz[k] = n[2], gap[k] = g; }
};

}  // namespace

void NarrowPhase::gather(const NodeStore& store, std::span<const double> q) {
  assert(q.size() == store.q().size());
  balls_.resize(store.size());
  for (std::int32_t i = 0; i < store.size(); ++i)
    if (is_detectable(store[i])) balls_[i] = ball_of(store, q, i);
}

std::span<const SphereContactGeometry> NarrowPhase::evaluate(const CandidateList& list, const NodeStore& store,
                                                             std::span<const double> q,
                                                             std::span<const Plane> planes, double threshold) {
  gather(store, q);
  count_ = 0;
  shaped_.clear();
  const auto candidates = list.candidates();
  if (!list.only_spheres()) {
    for (std::int32_t k = 0; k < list.size(); ++k)
      if (k == 0 || candidates[k].a != candidates[k - 1].a || candidates[k].b != candidates[k - 1].b)
        add_pair(list, store, q, planes, k, threshold);
    return contacts();
  }
  const bool periodic = list.periodic().any();
  Block block;
  for (std::size_t first = 0; first < candidates.size(); first += block_size) {
    const std::size_t n = std::min(block_size, candidates.size() - first);
    const Candidate* c = candidates.data() + first;
    // Walls pass as if they were node 0, and are set right afterwards: no branch in the loop.
    bool walls = false;
    for (std::size_t k = 0; k < n; ++k) {
      double normal[3], gap;
      const Ball &a = balls_[c[k].a], &b = balls_[std::max(c[k].b, 0)];
      if (periodic) sphere_sphere(a, nearest_image(list.periodic(), a, b), normal, gap);
      else sphere_sphere(a, b, normal, gap);
      block.set(k, normal, gap);
      walls |= c[k].is_wall();
    }
    for (std::size_t k = 0; walls && k < n; ++k) {
      if (!c[k].is_wall()) continue;
      double normal[3], gap;
      sphere_plane(balls_[c[k].a], planes[c[k].plane()], normal, gap);
      block.set(k, normal, gap);
    }
    if (contacts_.size() < count_ + n) contacts_.resize(std::max(count_ + block_size, count_ + count_ / 4));
    SphereContactGeometry* out = contacts_.data() + count_;
    for (std::size_t k = 0; k < n; ++k) {
      *out = {static_cast<std::int32_t>(first + k), -1, {block.nx[k], block.ny[k], block.nz[k]}, block.gap[k]};
      out += block.gap[k] <= threshold;
    }
    count_ = static_cast<std::size_t>(out - contacts_.data());
  }
  return contacts();
}

void NarrowPhase::update(const CandidateList& list, const NodeStore& store, std::span<const double> q,
                         std::span<const Plane> planes, std::span<SphereContactGeometry> contacts) {
  gather(store, q);
  const auto candidates = list.candidates();
  for (SphereContactGeometry& contact : contacts) {
    const Candidate& c = candidates[contact.candidate];
    if (!list.only_spheres()) {
      update_shaped(list, store, q, planes, contact);
    } else if (c.is_wall()) {
      sphere_plane(balls_[c.a], planes[c.plane()], contact.n, contact.gap);
    } else {
      sphere_sphere(balls_[c.a], nearest_image(list.periodic(), balls_[c.a], balls_[c.b]), contact.n, contact.gap);
    }
  }
}

std::size_t NarrowPhase::memory() const {
  return balls_.capacity() * sizeof(Ball) + contacts_.capacity() * sizeof(SphereContactGeometry) + shaped_.capacity() * sizeof(ShapedContact);
}

}  // namespace percussion
