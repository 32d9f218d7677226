#include "contact/mesh_wall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "contact/contact_feature.hpp"

namespace percussion {

namespace {

/// Weights of the corners at the point of the triangle nearest to p; exact zeros at edges and corners.
void nearest_weights(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, double* w) {
  const auto on_edge = [&](const Vec3& from, const Vec3& to, int i, int j) {
    const double t = std::clamp((p - from).dot(to - from) / (to - from).squaredNorm(), 0., 1.);
    w[i] = 1 - t, w[j] = t;
    return (from + t * (to - from) - p).squaredNorm();
  };
  const Vec3 n = (b - a).cross(c - a);
  const double area = n.squaredNorm(), tiny = -1e-12;  // over a seam by rounding: still over the face
  const double w_a = n.dot((b - p).cross(c - p)) / area, w_b = n.dot((c - p).cross(a - p)) / area;
  if (w_a >= tiny && w_b >= tiny && w_a + w_b <= 1 - tiny) {
    w[0] = w_a, w[1] = w_b, w[2] = 1 - w_a - w_b;
    for (int i = 0; i < 3; ++i) w[i] = std::max(w[i], 1e-300);
    return;
  }
  double best[3], least = std::numeric_limits<double>::infinity();
  const Vec3 corner[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    std::fill_n(w, 3, 0.);
    const double d = on_edge(corner[i], corner[(i + 1) % 3], i, (i + 1) % 3);
    if (d < least) least = d, std::copy_n(w, 3, best);
  }
  std::copy_n(best, 3, w);
}

}  // namespace

MeshWall::MeshWall(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  const auto n = static_cast<std::size_t>(size());
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> edge;
  for (std::size_t t = 0; t < n; ++t) {
    normal_.push_back(mesh_.normal(t));
    for (int i = 0; i < 3; ++i) edge[{mesh_.triangles[t][i], mesh_.triangles[t][(i + 1) % 3]}] = static_cast<std::int32_t>(t);
  }
  neighbour_.assign(n, {-1, -1, -1});
  first_at_.assign(mesh_.vertices.size() + 1, 0);
  for (std::size_t t = 0; t < n; ++t)
    for (int i = 0; i < 3; ++i) {
      const auto found = edge.find({mesh_.triangles[t][(i + 1) % 3], mesh_.triangles[t][i]});
      if (found != edge.end()) neighbour_[t][i] = found->second;
      ++first_at_[mesh_.triangles[t][i] + 1];
    }
  std::partial_sum(first_at_.begin(), first_at_.end(), first_at_.begin());
  at_vertex_.resize(first_at_.back());
  std::vector<std::int32_t> place(first_at_.begin(), first_at_.end() - 1);
  for (std::size_t t = 0; t < n; ++t)
    for (const std::int32_t v : mesh_.triangles[t]) at_vertex_[place[v]++] = static_cast<std::int32_t>(t);

  lower_ = upper_ = mesh_.vertices[0];
  for (const Vec3& v : mesh_.vertices) lower_ = lower_.cwiseMin(v), upper_ = upper_.cwiseMax(v);
  double edge_sum = 0;
  for (const auto& t : mesh_.triangles) edge_sum += (mesh_.vertices[t[1]] - mesh_.vertices[t[0]]).norm();
  cell_size_ = edge_sum / static_cast<double>(n);
  const auto set_cells = [&] {
    for (int a = 0; a < 3; ++a) cells_[a] = 1 + static_cast<std::int64_t>((upper_[a] - lower_[a]) / cell_size_);
  };
  for (set_cells(); cells_[0] * cells_[1] * cells_[2] > 4 * static_cast<std::int64_t>(n) + 64; set_cells()) cell_size_ *= 1.26;
  const auto for_each_cell = [&](auto&& f) {
    for (std::size_t t = 0; t < n; ++t) {
      std::int64_t low[3], high[3];
      for (int a = 0; a < 3; ++a) {
        const auto& v = mesh_.triangles[t];
        const auto [x, y] = std::minmax({mesh_.vertices[v[0]][a], mesh_.vertices[v[1]][a], mesh_.vertices[v[2]][a]});
        low[a] = cell(a, x), high[a] = cell(a, y);
      }
      for (std::int64_t k = low[2]; k <= high[2]; ++k)
        for (std::int64_t j = low[1]; j <= high[1]; ++j)
          for (std::int64_t i = low[0]; i <= high[0]; ++i) f((k * cells_[1] + j) * cells_[0] + i, static_cast<std::int32_t>(t));
    }
  };
  first_in_.assign(cells_[0] * cells_[1] * cells_[2] + 1, 0);
  for_each_cell([&](std::int64_t c, std::int32_t) { ++first_in_[c + 1]; });
  std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
  in_cell_.resize(first_in_.back());
  std::vector<std::int32_t> next(first_in_.begin(), first_in_.end() - 1);
  for_each_cell([&](std::int64_t c, std::int32_t t) { in_cell_[next[c]++] = t; });
}

std::int64_t MeshWall::cell(int axis, double x) const {
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((x - lower_[axis]) / cell_size_)), 0, cells_[axis] - 1);
}

/// The nearest point of triangle t lies on an edge or corner; d leads from it to the body. Is it the nearest of all
/// triangles there, and t the first of them?
bool MeshWall::nearest_is_mine(std::int32_t t, const double* w, const Vec3& d) const {
  const auto& v = mesh_.triangles[t];
  int zeros = 0, corner = 0;
  for (int i = 0; i < 3; ++i) zeros += w[i] == 0, corner = w[i] > 0 ? i : corner;
  if (zeros == 1) {
    const int i = w[2] == 0 ? 0 : w[0] == 0 ? 1 : 2;  // the edge from corner i to i + 1
    const std::int32_t other = neighbour_[t][i];
    if (other < 0) return true;
    if (other < t) return false;
    const Vec3 along = mesh_.vertices[v[(i + 1) % 3]] - mesh_.vertices[v[i]];
    return d.dot(along.cross(normal_[other])) <= 0;  // not over the inside of the neighbour
  }
  for (std::int32_t e = first_at_[v[corner]]; e < first_at_[v[corner] + 1]; ++e) {
    const std::int32_t other = at_vertex_[e];
    if (other < t) return false;
    for (const std::int32_t end : mesh_.triangles[other])
      if (d.dot(mesh_.vertices[end] - mesh_.vertices[v[corner]]) > 0) return false;
  }
  return true;
}

void MeshWall::sphere_contact(std::int32_t t, const Vec3& x, double r, double threshold, std::int32_t feature, Manifold& manifold) const {
  const auto& v = mesh_.triangles[t];
  const Vec3 &a = mesh_.vertices[v[0]], &b = mesh_.vertices[v[1]], &c = mesh_.vertices[v[2]];
  const double height = normal_[t].dot(x - a);
  if (height < -r || height > r + threshold) return;  // behind the wall, or far from its plane
  double w[3];
  nearest_weights(a, b, c, x, w);
  if (w[0] > 0 && w[1] > 0 && w[2] > 0) return add_point(x, r, height, normal_[t], threshold, feature, manifold);
  const Vec3 d = x - w[0] * a - w[1] * b - w[2] * c;
  const double distance = d.norm();
  if (height <= 0 || !(distance > 0) || !nearest_is_mine(t, w, d)) return;
  add_point(x, r, distance, d / distance, threshold, feature, manifold);
}

void MeshWall::contacts(std::int32_t t, const Convex& a, double threshold, Manifold& manifold) const {
  manifold.clear();
  if (a.shape->kind == ShapeKind::sphere) {
    sphere_contact(t, a.x, a.rounding(), threshold, 0, manifold);
    // A contact that is followed through a step wherever it goes: beside the triangle, its plane goes on.
    if (manifold.size() == 0 && threshold == std::numeric_limits<double>::max())
      add_point(a.x, a.rounding(), normal_[t].dot(a.x - mesh_.vertices[mesh_.triangles[t][0]]), normal_[t], threshold, 0, manifold);
    return;
  }
  if (a.shape->kind == ShapeKind::clump) {
    for (std::size_t k = 0; k < a.shape->spheres.size(); ++k)
      sphere_contact(t, a.to_world(a.shape->spheres[k].x), a.scale * a.shape->spheres[k].r, threshold, feature_id(5, static_cast<std::uint32_t>(k)), manifold);
    return manifold.keep_deepest();
  }
  const Vec3& n = normal_[t];
  FeaturePolygon triangle, polygon;
  for (const std::int32_t v : mesh_.triangles[t]) triangle.add(mesh_.vertices[v], v);
  const double offset = n.dot(triangle.p[0].x);
  if (n.dot(a.x) < offset) return;  // behind the wall
  facing_feature(a, -n, polygon);
  clip_to_face(triangle, n, polygon);
  for (int k = 0; k < polygon.n; ++k)
    add_point(polygon.p[k].x, a.rounding(), n.dot(polygon.p[k].x) - offset, n, threshold, feature_id(6, static_cast<std::uint32_t>(polygon.p[k].id)), manifold);
  manifold.reduce();
}

}  // namespace percussion
