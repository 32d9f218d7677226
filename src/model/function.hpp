// Scalar functions of a few nodes that constraints and contacts are made of, with every derivative a Newton method
// or an initial-condition solver needs.
//
// PositionFunction: g(t, q), at velocity level g' = W^T u + chi (Breuling 3.7, 3.12), W = (dg/dq B)^T (3.8, 3.13).
// VelocityFunction: gamma(t, q, u) = W^T u + chi (3.6, 3.17).
// At acceleration level g'' resp. gamma' = W^T u' + zeta (3.52).
// Implementations are stateless and may be called in any order; they are derived from one templated formula by
// model/auto_function.hpp, so a new joint or contact writes its formula only.
#pragma once
#include "math/types.hpp"

namespace percussion {

/// Coordinates and velocities of the nodes of a contribution, concatenated in its node order.
struct LocalState {
  double t;
  const double* q;
  const double* u;
};

class PositionFunction {
 public:
  virtual ~PositionFunction() = default;
  virtual int rows() const = 0;
  virtual void g(const LocalState& s, VecRef g) const = 0;          ///< rows
  virtual void g_q(const LocalState& s, MatRef g_q) const = 0;      ///< rows x nq
  virtual void W(const LocalState& s, MatRef W) const = 0;          ///< nu x rows
  virtual void chi(const LocalState& s, VecRef chi) const = 0;      ///< rows
  virtual void g_dot(const LocalState& s, VecRef g_dot) const = 0;  ///< rows
  virtual void g_dot_q(const LocalState& s, MatRef g_dot_q) const = 0;                  ///< rows x nq
  virtual void Wla_q(const LocalState& s, ConstVecRef la, MatRef Wla_q) const = 0;      ///< d(W la)/dq, nu x nq
  virtual void zeta(const LocalState& s, VecRef zeta) const = 0;                        ///< rows
};

class VelocityFunction {
 public:
  virtual ~VelocityFunction() = default;
  virtual int rows() const = 0;
  virtual void gamma(const LocalState& s, VecRef gamma) const = 0;
  virtual void gamma_q(const LocalState& s, MatRef gamma_q) const = 0;
  virtual void W(const LocalState& s, MatRef W) const = 0;
  virtual void chi(const LocalState& s, VecRef chi) const = 0;
  virtual void Wla_q(const LocalState& s, ConstVecRef la, MatRef Wla_q) const = 0;
  virtual void zeta(const LocalState& s, VecRef zeta) const = 0;
};

}  // namespace percussion
