// A wall of triangles: terrain, chutes, machines. Bodies are on the side to which the normals point.
//
// A sphere touches faces, edges and corners, each once: an edge or corner counts only where none of its triangles is
// nearer, and belongs to the first of them; so spheres roll over the seams of a flat mesh without noticing. Other bodies:
// what they turn towards a triangle is cut to its sides, as in shape_contact.hpp with the triangle as reference face.
//
// Triangles are found through a grid of cells: O(1) per body for meshes of even resolution.
#pragma once
#include <span>
#include <vector>

#include "contact/shape_contact.hpp"
#include "contact/triangle_mesh.hpp"

namespace percussion {

class MeshWall {
 public:
  explicit MeshWall(TriangleMesh mesh);

  const TriangleMesh& mesh() const { return mesh_; }
  std::int32_t size() const { return static_cast<std::int32_t>(mesh_.triangles.size()); }
  Vec3 lower() const { return lower_; }
  Vec3 upper() const { return upper_; }

  /// found(triangle) once for each triangle whose bounding box meets that of the ball.
  template <class Found>
  void for_each_near(const Vec3& x, double reach, Found&& found) const;

  /// Sphere around x against triangle t: at most one contact.
  void sphere_contact(std::int32_t t, const Vec3& x, double r, double threshold, std::int32_t feature, Manifold& manifold) const;
  /// Any body against triangle t; replaces the content of `manifold`. With the largest double as threshold a sphere beside the
  /// triangle meets its plane: so a contact can be followed through a step.
  void contacts(std::int32_t t, const Convex& a, double threshold, Manifold& manifold) const;

 private:
  bool nearest_is_mine(std::int32_t t, const double* weights, const Vec3& d) const;
  std::int64_t cell(int axis, double x) const;

  TriangleMesh mesh_;
  std::vector<Vec3> normal_;
  std::vector<std::array<std::int32_t, 3>> neighbour_;  // across the edge from corner i to i + 1; -1: border
  std::vector<std::int32_t> first_at_, at_vertex_;      // triangles of every vertex, ascending
  Vec3 lower_, upper_;
  double cell_size_ = 1;
  std::int64_t cells_[3] = {1, 1, 1};
  std::vector<std::int32_t> first_in_, in_cell_;
};

// ---------------------------------------------------------------------------------------------------------------------

template <class Found>
void MeshWall::for_each_near(const Vec3& x, double reach, Found&& found) const {
  std::int64_t low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    if (x[a] + reach < lower_[a] || x[a] - reach > upper_[a]) return;
    low[a] = cell(a, x[a] - reach), high[a] = cell(a, x[a] + reach);
  }
  for (std::int64_t k = low[2]; k <= high[2]; ++k)
    for (std::int64_t j = low[1]; j <= high[1]; ++j)
      for (std::int64_t i = low[0]; i <= high[0]; ++i) {
        const std::int64_t c = (k * cells_[1] + j) * cells_[0] + i, here[3] = {i, j, k};
        for (std::int32_t e = first_in_[c]; e < first_in_[c + 1]; ++e) {
          const std::int32_t t = in_cell_[e];
          bool meets = true, is_first = true;
          for (int a = 0; a < 3; ++a) {
            double t_low = mesh_.vertices[mesh_.triangles[t][0]][a], t_high = t_low;
            for (int v = 1; v < 3; ++v) {
              t_low = std::min(t_low, mesh_.vertices[mesh_.triangles[t][v]][a]);
              t_high = std::max(t_high, mesh_.vertices[mesh_.triangles[t][v]][a]);
            }
            meets = meets && t_low <= x[a] + reach && t_high >= x[a] - reach;
            // A triangle is in several cells: the first one that both reach into speaks for it.
            is_first = is_first && here[a] == std::max(low[a], cell(a, t_low));
          }
          if (meets && is_first) found(t);
        }
      }
}

}  // namespace percussion
