// Eigen aliases used in every layer. Names only, no behaviour.
// A quaternion is a plain 4-vector P = (p0, p): scalar part first, so that it is a slice of q.
// The *Ref aliases are parameter types only (pass ConstVecRef and ConstMatRef by value: they are
// already references); a Ref accepts vectors, blocks and maps without a copy.
#pragma once

#include <Eigen/Core>

namespace percussion {

template <class T, int N>
using VecT = Eigen::Matrix<T, N, 1>;
template <class T, int R, int C>
using MatT = Eigen::Matrix<T, R, C>;

using Vec2 = VecT<double, 2>;
using Vec3 = VecT<double, 3>;
using Vec4 = VecT<double, 4>;
using Vec6 = VecT<double, 6>;
using VecX = Eigen::VectorXd;

using Mat2 = MatT<double, 2, 2>;
using Mat3 = MatT<double, 3, 3>;
using Mat4 = MatT<double, 4, 4>;
using Mat6 = MatT<double, 6, 6>;
using Mat32 = MatT<double, 3, 2>;
using Mat34 = MatT<double, 3, 4>;
using Mat36 = MatT<double, 3, 6>;
using Mat43 = MatT<double, 4, 3>;
using MatX = Eigen::MatrixXd;

using Quat = Eigen::Vector4d;
template <class T>
using QuatT = VecT<T, 4>;

using VecRef = Eigen::Ref<VecX>;
using ConstVecRef = const Eigen::Ref<const VecX>&;
using MatRef = Eigen::Ref<MatX>;
using ConstMatRef = const Eigen::Ref<const MatX>&;

using VecMap = Eigen::Map<VecX>;
using ConstVecMap = Eigen::Map<const VecX>;
using MatMap = Eigen::Map<MatX>;
using ConstMatMap = Eigen::Map<const MatX>;

}  // namespace percussion
