// Contact points of a pair: at most four, each with a feature id that stays while the same corners, edges and faces meet,
// so that percussions find their contact again in the next step.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "math/types.hpp"

namespace percussion {

constexpr int max_manifold = 4;

struct ManifoldPoint {
  Vec3 n;           ///< unit vector from a to b
  double gap;       ///< along n; negative: penetration
  Vec3 on_a, on_b;  ///< points of the surfaces, on_b - on_a = gap n
  std::int32_t feature;
};

/// Collects points and keeps the most important ones.
class Manifold {
 public:
  void clear() { count_ = 0; }
  void add(const ManifoldPoint& point) {
    if (count_ < static_cast<int>(points_.size())) points_[count_++] = point;
  }
  /// At most four points: the deepest first, then those that span the largest area.
  void reduce();
  /// At most four points, the deepest: for bodies that are not convex.
  void keep_deepest();
  /// Exchanges the roles of a and b of the points from `first` on.
  void exchange(int first);

  int size() const { return count_; }
  ManifoldPoint& operator[](int k) { return points_[k]; }
  const ManifoldPoint& operator[](int k) const { return points_[k]; }
  std::span<const ManifoldPoint> points() const { return {points_.data(), std::size_t(count_)}; }

 private:
  std::array<ManifoldPoint, 64> points_;  // corners of clipped faces, or of a polyhedron along a curved wall
  int count_ = 0;
};

/// A feature id made of small numbers; the order matters. Never negative.
inline std::int32_t feature_id(std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
  std::uint32_t h = a * 0x9E3779B1u;
  h = (h ^ (h >> 15) ^ b) * 0x85EBCA6Bu;
  h = (h ^ (h >> 13) ^ c) * 0xC2B2AE35u;
  return static_cast<std::int32_t>((h ^ (h >> 16)) & 0x7FFFFFFFu);
}

}  // namespace percussion
