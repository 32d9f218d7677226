// Triangle meshes from STL (text or binary) and OBJ files, for walls and as the source of polyhedra.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "math/types.hpp"

namespace percussion {

struct TriangleMesh {
  std::vector<Vec3> vertices;  ///< each place once
  std::vector<std::array<std::int32_t, 3>> triangles;

  Vec3 normal(std::size_t t) const {
    const auto& v = triangles[t];
    return (vertices[v[1]] - vertices[v[0]]).cross(vertices[v[2]] - vertices[v[0]]).normalized();
  }
};

/// Reads a file by its ending .stl or .obj, times `scale`. Equal points become one vertex; triangles without area are
/// dropped. Throws std::runtime_error: "file:line: what is wrong", or the byte for binary files.
TriangleMesh read_mesh(const std::filesystem::path& file, double scale = 1);

/// Enclosed volume; positive if the triangles are turned outwards. Meaningful if closed.
double signed_volume(const TriangleMesh& mesh);
/// Number of edges that do not join exactly two triangles of opposite direction; 0: closed and consistently turned.
std::int64_t open_edges(const TriangleMesh& mesh);

}  // namespace percussion
