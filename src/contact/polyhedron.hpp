// Convex polyhedra: vertices, polygonal faces, edges. Made from points by their convex hull, so whatever is here is convex.
//
// Faces are turned counter-clockwise seen from outside; coplanar triangles are one face. Plane of face f: normal.x =
// offset. Every vertex lies on at least three faces.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "math/types.hpp"

namespace percussion {

struct PolyhedronFace {
  Vec3 normal;
  double offset;
  std::int32_t first, size;  ///< part of Polyhedron::corners
};

struct Polyhedron {
  std::vector<Vec3> vertices;
  std::vector<PolyhedronFace> faces;
  std::vector<std::int32_t> corners;         ///< vertices of the faces, one face after the other
  std::vector<std::int32_t> first_neighbour;  ///< faces at vertex v: face_of_vertex[first_neighbour[v] .. first_neighbour[v + 1])
  std::vector<std::int32_t> face_of_vertex;

  std::span<const std::int32_t> face(std::size_t f) const { return {corners.data() + faces[f].first, std::size_t(faces[f].size)}; }
  std::span<const std::int32_t> faces_at(std::size_t v) const {
    return {face_of_vertex.data() + first_neighbour[v], std::size_t(first_neighbour[v + 1] - first_neighbour[v])};
  }
  /// Largest distance of a vertex from the origin.
  double radius() const;
  /// Vertex farthest in a direction.
  std::int32_t support(const Vec3& direction) const;
};

/// Convex hull of points. Points inside or within rounding of the hull are dropped. Throws std::invalid_argument if the
/// points lie in a plane (up to 1e-9 of their extent). O(points x hull), for some hundred points.
Polyhedron convex_hull(std::span<const Vec3> points);

/// Box with the half edges `half` around the origin.
Polyhedron box_polyhedron(const Vec3& half);

/// The same body in another frame: x -> turn (x - origin).
Polyhedron moved(const Polyhedron& body, const Vec3& origin, const Mat3& turn);

}  // namespace percussion
