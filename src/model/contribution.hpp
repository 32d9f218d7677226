// A contribution touches the blocks of one to a few nodes and adds forces, inertia, bilateral constraints or contacts
// to the equality of measures (Breuling 3.2). It is stateless: everything that changes in time lives in the nodes, and
// a contribution moves to another rank as its Parameters (`type` included) and its node ids.
//
// Registered in the catalogue "contributions" with the factory signature below. The rank that owns the first node
// evaluates it. All sizes follow from the nodes: nq() and nu() are the sums over nodes().
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "math/friction_set.hpp"
#include "model/function.hpp"
#include "model/node.hpp"

namespace percussion {

/// h(t, q, u) and its derivatives.
class Force {
 public:
  virtual ~Force() = default;
  virtual void h(const LocalState& s, VecRef h) const = 0;        ///< nu, overwritten
  virtual void h_q(const LocalState& s, MatRef h_q) const = 0;    ///< nu x nq
  virtual void h_u(const LocalState& s, MatRef h_u) const = 0;    ///< nu x nu
  virtual double potential(const LocalState&) const { return 0; } ///< potential energy, if the force has one
};

/// M(t, q) beyond what nodes bring themselves: generalized coordinates, finite elements.
class Inertia {
 public:
  virtual ~Inertia() = default;
  virtual void M(const LocalState& s, MatRef M) const = 0;                              ///< nu x nu, symmetric
  virtual void Mv_q(const LocalState& s, ConstVecRef v, MatRef Mv_q) const = 0;         ///< d(M v)/dq, nu x nq
};

/// One set-valued friction law of a contact: rows [first, first + set.dim()) of its friction velocities.
struct FrictionLaw {
  FrictionSet set;
  int first = 0;
};

/// A declared contact: at most one gap, friction velocities, and the laws that tie them (Breuling 3.40-3.47).
struct ContactRows {
  const PositionFunction* gap = nullptr;       ///< one row; nullptr: the normal force is known
  double la_N = 0;                             ///< that known normal force
  const VelocityFunction* friction = nullptr;  ///< nullptr: frictionless
  std::vector<FrictionLaw> laws;
  std::vector<double> scale;                   ///< a_i per friction row: true friction is a_i P_F,i (3.31, 3.38)
  double e_N = 0, e_F = 0;
};

class Contribution {
 public:
  explicit Contribution(std::vector<NodeRef> nodes);
  virtual ~Contribution() = default;

  const std::vector<NodeRef>& nodes() const { return nodes_; }
  int nq() const { return nq_; }
  int nu() const { return nu_; }

  // The roles; nullptr means "does not take part".
  virtual const Force* force() const { return nullptr; }
  virtual const Inertia* inertia() const { return nullptr; }
  virtual const PositionFunction* constraint() const { return nullptr; }           ///< g = 0
  virtual const VelocityFunction* velocity_constraint() const { return nullptr; }  ///< gamma = 0
  virtual const ContactRows* contact() const { return nullptr; }

 private:
  std::vector<NodeRef> nodes_;
  int nq_ = 0, nu_ = 0;
};

using ContributionRegistry = Registry<Contribution, const Parameters&, const std::vector<NodeRef>&>;
using RegisterContribution = Registration<Contribution, const Parameters&, const std::vector<NodeRef>&>;

}  // namespace percussion
