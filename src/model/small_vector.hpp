// Small vector helpers for templated formulas.
#pragma once
#include <utility>

#include "math/dual.hpp"
#include "math/rotation.hpp"

namespace percussion {

/// |a|; at a = 0 the value 0 with derivative 0 (one element of the subdifferential) instead of NaN.
template <class T>
T norm_of(const VecT<T, 3>& a) {
  using std::sqrt;
  const T square = a.squaredNorm();
  return value(square) == 0. ? T(0.) : sqrt(square);
}

/// a . b for a constant b, without promoting b to T.
template <class T>
T dot(const VecT<T, 3>& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Two unit vectors that complete the unit vector e to a right-handed frame (n_1, n_2, e).
inline std::pair<Vec3, Vec3> normals_of(const Vec3& e) {
  const Mat32 t = tangent_frame<double>(e);
  return {t.col(0), t.col(1)};
}

}  // namespace percussion
