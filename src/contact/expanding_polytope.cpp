#include "contact/expanding_polytope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "math/rotation.hpp"

namespace percussion {

namespace {

constexpr int most_points = 200;

struct Face {
  std::array<std::int32_t, 3> v;
  Vec3 n;         // outward
  double height;  // n.x of its plane: distance of the origin
};

class Polytope {
 public:
  Polytope(const Convex& a, const Convex& b, std::span<const DifferencePoint> start)
      : a_(a), b_(b), size_(a.scale * a.shape->radius + b.scale * b.shape->radius), points_(start.begin(), start.end()) {}

  ConvexDistance grow() {
    if (!make_tetrahedron()) return flat();
    // Curved surfaces are approached by ever smaller faces; polyhedra end exactly long before.
    const double tolerance = is_curved() ? 1e-7 * size_ : 1e-13 * size_;
    for (;;) {
      const auto nearest = *std::min_element(faces_.begin(), faces_.end(), [](const Face& f, const Face& g) { return f.height < g.height; });
      const DifferencePoint next = difference_point(a_, b_, nearest.n);
      if (nearest.n.dot(next.w) - nearest.height <= tolerance || points_.size() >= most_points || !add(next)) return result(nearest);
    }
  }

 private:
  bool is_curved() const { return a_.shape->kind == ShapeKind::cylinder || b_.shape->kind == ShapeKind::cylinder; }

  /// Adds a point that makes the simplex one dimension larger, if there is one.
  bool widen(std::span<const Vec3> directions) {
    DifferencePoint best{};
    double farthest = 1e-10 * size_;
    for (const Vec3& d : directions)
      for (const double sign : {1., -1.}) {
        const DifferencePoint p = difference_point(a_, b_, sign * d);
        const double height = std::abs(d.dot(p.w - points_[0].w));
        if (height > farthest) farthest = height, best = p;
      }
    if (farthest <= 1e-10 * size_) return false;
    points_.push_back(best);
    return true;
  }

  bool make_tetrahedron() {
    // The corners may be degenerate: take them one by one.
    const std::vector<DifferencePoint> given(points_);
    points_.assign(1, given[0]);
    const auto use = [&](auto&& is_new) {
      for (const DifferencePoint& p : given)
        if (is_new(p.w - points_[0].w)) return points_.push_back(p), true;
      return false;
    };
    const double least = 1e-6 * size_;  // a thin start makes bad normals; better points are found below
    const std::array axes{Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())};
    if (!use([&](const Vec3& e) { return e.norm() > least; }) && !widen(axes)) return false;
    const Vec3 along = (points_[1].w - points_[0].w).normalized();
    const MatT<double, 3, 2> across = tangent_frame<double>(along);
    const std::array sides{Vec3(across.col(0)), Vec3(across.col(1))};
    if (!use([&](const Vec3& e) { return e.cross(along).norm() > least; }) && !widen(sides)) return false;
    const std::array normal{Vec3(along.cross(points_[2].w - points_[0].w).normalized())};
    if (!use([&](const Vec3& e) { return std::abs(e.dot(normal[0])) > least; }) && !widen(normal)) return false;
    inside_ = 0.25 * (points_[0].w + points_[1].w + points_[2].w + points_[3].w);
    for (const auto& v : {std::array{0, 1, 2}, std::array{0, 1, 3}, std::array{0, 2, 3}, std::array{1, 2, 3}}) make(v);
    return true;
  }

  void make(std::array<std::int32_t, 3> v) {
    const Vec3 &p = points_[v[0]].w, e = points_[v[1]].w - p, f = points_[v[2]].w - p;
    Vec3 n = e.cross(f);
    const double area = n.norm();
    if (!(area > 1e-14 * e.norm() * f.norm())) {  // a sliver: never the nearest, but the surface stays closed
      faces_.push_back({v, Vec3::Zero(), std::numeric_limits<double>::infinity()});
      return;
    }
    n /= area;
    if (n.dot(p - inside_) < 0) n = -n;
    faces_.push_back({v, n, n.dot(p)});
  }

  /// False if the point does not enlarge the polytope.
  bool add(const DifferencePoint& next) {
    std::vector<std::pair<std::int32_t, std::int32_t>> edges;
    const auto seen = [&](const Face& f) { return f.n.dot(next.w) - f.height > 1e-14 * size_; };
    for (const Face& f : faces_)
      for (int i = 0; seen(f) && i < 3; ++i) edges.push_back(std::minmax({f.v[i], f.v[(i + 1) % 3]}));
    if (edges.empty()) return false;
    std::erase_if(faces_, seen);
    const auto index = static_cast<std::int32_t>(points_.size());
    points_.push_back(next);
    std::sort(edges.begin(), edges.end());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k + 1 < edges.size() && edges[k] == edges[k + 1]) {
        ++k;  // inside the seen region
        continue;
      }
      make({edges[k].first, edges[k].second, index});
    }
    return true;
  }

  /// Weights of the corners of f for the foot of the origin on its plane.
  Vec3 foot(const Face& f) const {
    const Vec3 &o = points_[f.v[0]].w, e = points_[f.v[1]].w - o, g = points_[f.v[2]].w - o, p = f.height * f.n - o;
    const Vec3 normal = e.cross(g);
    const double size = normal.squaredNorm(), s = normal.dot(p.cross(g)) / size, t = normal.dot(e.cross(p)) / size;
    return {1 - s - t, s, t};
  }

  ConvexDistance result(const Face& nearest) const {
    // Faces of polyhedra are many triangles of one plane: the one with the foot of the origin.
    const Face* chosen = &nearest;
    Vec3 weight = foot(nearest);
    for (const Face& f : faces_) {
      if (!(f.height <= nearest.height + 1e-12 * size_) || f.n.dot(nearest.n) < 1 - 1e-9) continue;
      const Vec3 w = foot(f);
      if (w.minCoeff() > weight.minCoeff()) weight = w, chosen = &f;
    }
    weight = weight.cwiseMax(0);
    weight /= weight.sum();
    Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
    for (int i = 0; i < 3; ++i) on_a += weight[i] * points_[chosen->v[i]].a, on_b += weight[i] * points_[chosen->v[i]].b;
    return {-nearest.height, -nearest.n, on_a, on_b};
  }

  /// Cores without volume that meet: two crossing segments, a point in a segment.
  ConvexDistance flat() const {
    Vec3 n = b_.x - a_.x;
    if (points_.size() >= 3) {
      n = (points_[1].w - points_[0].w).cross(points_[2].w - points_[0].w);
    } else if (points_.size() == 2) {
      const Vec3 along = (points_[1].w - points_[0].w).normalized();
      n -= along.dot(n) * along;
      if (!(n.norm() > 1e-12 * size_)) n = tangent_frame<double>(along).col(0);
    }
    if (!(n.norm() > 0)) n = Vec3::UnitX();
    n.normalize();
    if (n.dot(b_.x - a_.x) < 0) n = -n;
    return {0., n, points_[0].a, points_[0].b};
  }

  const Convex &a_, &b_;
  double size_;
  std::vector<DifferencePoint> points_;
  std::vector<Face> faces_;
  Vec3 inside_;
};

}  // namespace

ConvexDistance overlap_depth(const Convex& a, const Convex& b, std::span<const DifferencePoint> start) {
  return Polytope(a, b, start).grow();
}

}  // namespace percussion
