#include "contact/polyhedron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace percussion {

namespace {

constexpr double flat = 1e-9;  // of the extent: what is thinner is a plane, what is nearer to a face lies in it

struct Triangle {
  std::array<std::int32_t, 3> v;
  Vec3 normal;
  double offset;
  bool alive = true;
};

/// Incremental hull of triangles.
class Hull {
 public:
  explicit Hull(std::span<const Vec3> points) : points_(points) {
    Vec3 lower = points[0], upper = points[0];
    for (const Vec3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
    tolerance_ = flat * (upper - lower).norm();
    start();
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(points.size()); ++k) add(k);
  }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  double tolerance() const { return tolerance_; }

 private:
  double height(const Triangle& t, const Vec3& p) const { return t.normal.dot(p) - t.offset; }

  template <class Measure>
  std::int32_t farthest(Measure&& measure) const {
    std::int32_t best = 0;
    for (std::size_t k = 1; k < points_.size(); ++k)
      if (measure(points_[k]) > measure(points_[best])) best = static_cast<std::int32_t>(k);
    if (!(measure(points_[best]) > tolerance_)) throw std::invalid_argument("the points lie in a plane");
    return best;
  }

  void start() {
    const Vec3 p = points_[0];
    const std::int32_t a = farthest([&](const Vec3& x) { return (x - p).norm(); });
    const Vec3 along = (points_[a] - p).normalized();
    const std::int32_t b = farthest([&](const Vec3& x) { return along.cross(x - p).norm(); });
    const Vec3 across = along.cross(points_[b] - p).normalized();
    const std::int32_t c = farthest([&](const Vec3& x) { return std::abs(across.dot(x - p)); });
    inside_ = 0.25 * (p + points_[a] + points_[b] + points_[c]);
    for (const auto& v : {std::array{0, a, b}, std::array{0, b, c}, std::array{0, c, a}, std::array{a, b, c}}) make(v);
  }

  void make(std::array<std::int32_t, 3> v) {
    Vec3 normal = (points_[v[1]] - points_[v[0]]).cross(points_[v[2]] - points_[v[0]]);
    if (normal.dot(points_[v[0]] - inside_) < 0) std::swap(v[1], v[2]), normal = -normal;
    normal.normalize();
    triangles_.push_back({v, normal, normal.dot(points_[v[0]]), true});
  }

  void add(std::int32_t k) {
    std::map<std::pair<std::int32_t, std::int32_t>, int> border;
    bool seen = false;
    for (Triangle& t : triangles_) {
      if (!t.alive || height(t, points_[k]) <= tolerance_) continue;
      t.alive = false, seen = true;
      for (int i = 0; i < 3; ++i) ++border[std::minmax(t.v[i], t.v[(i + 1) % 3])];
    }
    if (!seen) return;
    for (const auto& [edge, times] : border)
      if (times == 1) make({edge.first, edge.second, k});
    std::erase_if(triangles_, [](const Triangle& t) { return !t.alive; });
  }

  std::span<const Vec3> points_;
  std::vector<Triangle> triangles_;
  Vec3 inside_;
  double tolerance_;
};

/// The triangle of every edge, in its direction.
using EdgeMap = std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t>;

std::vector<std::int32_t> coplanar_groups(const Hull& hull, std::span<const Vec3> points, const EdgeMap& edges) {
  const auto& triangles = hull.triangles();
  std::vector<std::int32_t> group(triangles.size(), -1);
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (group[seed] >= 0) continue;
    std::vector<std::int32_t> open{static_cast<std::int32_t>(seed)};
    group[seed] = static_cast<std::int32_t>(seed);
    while (!open.empty()) {
      const Triangle& t = triangles[open.back()];
      open.pop_back();
      for (int i = 0; i < 3; ++i) {
        const std::int32_t other = edges.at({t.v[(i + 1) % 3], t.v[i]});
        const Triangle& o = triangles[other];
        const auto in_plane = [&](std::int32_t v) {
          return std::abs(triangles[seed].normal.dot(points[v]) - triangles[seed].offset) <= 10 * hull.tolerance();
        };
        if (group[other] >= 0 || !std::all_of(o.v.begin(), o.v.end(), in_plane)) continue;
        group[other] = static_cast<std::int32_t>(seed);
        open.push_back(other);
      }
    }
  }
  return group;
}

void add_face(Polyhedron& body, std::vector<std::int32_t> loop) {
  PolyhedronFace face{Vec3::Zero(), 0., static_cast<std::int32_t>(body.corners.size()), static_cast<std::int32_t>(loop.size())};
  const auto at = [&](std::size_t i) { return body.vertices[loop[i % loop.size()]]; };
  for (std::size_t i = 0; i < loop.size(); ++i) face.normal += at(i).cross(at(i + 1));  // Newell's sum: twice the area
  face.normal.normalize();
  for (const std::int32_t v : loop) face.offset += face.normal.dot(body.vertices[v]) / static_cast<double>(loop.size());
  body.corners.insert(body.corners.end(), loop.begin(), loop.end());
  body.faces.push_back(face);
}

void set_neighbours(Polyhedron& body) {
  std::vector<std::vector<std::int32_t>> at(body.vertices.size());
  for (std::size_t f = 0; f < body.faces.size(); ++f)
    for (const std::int32_t v : body.face(f)) at[v].push_back(static_cast<std::int32_t>(f));
  body.first_neighbour.assign(1, 0), body.face_of_vertex.clear();
  for (const auto& faces : at) {
    body.face_of_vertex.insert(body.face_of_vertex.end(), faces.begin(), faces.end());
    body.first_neighbour.push_back(static_cast<std::int32_t>(body.face_of_vertex.size()));
  }
}

}  // namespace

double Polyhedron::radius() const {
  double r = 0;
  for (const Vec3& v : vertices) r = std::max(r, v.norm());
  return r;
}

std::int32_t Polyhedron::support(const Vec3& direction) const {
  std::int32_t best = 0;
  double height = direction.dot(vertices[0]);
  for (std::size_t v = 1; v < vertices.size(); ++v) {
    const double h = direction.dot(vertices[v]);
    if (h > height) height = h, best = static_cast<std::int32_t>(v);
  }
  return best;
}

Polyhedron convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4) throw std::invalid_argument("the points lie in a plane");
  const Hull hull(points);
  const auto& triangles = hull.triangles();
  EdgeMap edges;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) edges[{triangles[t].v[i], triangles[t].v[(i + 1) % 3]}] = static_cast<std::int32_t>(t);
  const auto group = coplanar_groups(hull, points, edges);

  // The rim of a group: edges whose other side belongs to another group, followed round.
  std::vector<std::vector<std::int32_t>> loops;
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (group[seed] != static_cast<std::int32_t>(seed)) continue;
    std::map<std::int32_t, std::int32_t> next;
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (int i = 0; group[t] == group[seed] && i < 3; ++i) {
        const std::int32_t from = triangles[t].v[i], to = triangles[t].v[(i + 1) % 3];
        if (group[edges.at({to, from})] != group[seed]) next[from] = to;
      }
    std::vector<std::int32_t> loop;
    for (std::int32_t v = next.begin()->first; loop.empty() || v != loop[0]; v = next.at(v)) loop.push_back(v);
    // A vertex on a straight rim belongs to no corner.
    std::vector<std::int32_t> corners;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3 &p = points[loop[(i + loop.size() - 1) % loop.size()]], &v = points[loop[i]], &n = points[loop[(i + 1) % loop.size()]];
      if ((v - p).normalized().cross((n - v).normalized()).norm() > 1e-7) corners.push_back(loop[i]);
    }
    loops.push_back(std::move(corners));
  }

  Polyhedron body;
  std::vector<std::int32_t> new_index(points.size(), -1);
  for (auto& loop : loops)
    for (std::int32_t& v : loop) {
      if (new_index[v] < 0) new_index[v] = static_cast<std::int32_t>(body.vertices.size()), body.vertices.push_back(points[v]);
      v = new_index[v];
    }
  for (auto& loop : loops) add_face(body, std::move(loop));
  set_neighbours(body);
  return body;
}

Polyhedron box_polyhedron(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]});
  return convex_hull(corners);
}

Polyhedron moved(const Polyhedron& body, const Vec3& origin, const Mat3& turn) {
  Polyhedron result = body;
  for (Vec3& v : result.vertices) v = turn * (v - origin);
  for (PolyhedronFace& f : result.faces) f.offset -= f.normal.dot(origin), f.normal = turn * f.normal;
  return result;
}

}  // namespace percussion
