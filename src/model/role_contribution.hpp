// A contribution put together from ready-made roles: all registered types but the element families are one of these.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/contribution.hpp"

namespace percussion {

/// What a contribution brings; empty parts do not take part.
struct Roles {
  std::unique_ptr<Force> force;
  std::unique_ptr<Inertia> inertia;
  std::unique_ptr<PositionFunction> constraint;
  std::unique_ptr<VelocityFunction> velocity_constraint;
  // The functions of a contact are owned here; `contact` is completed with pointers to them.
  std::optional<ContactRows> contact;
  std::unique_ptr<PositionFunction> gap;
  std::unique_ptr<VelocityFunction> friction;
};

class RoleContribution final : public Contribution {
 public:
  RoleContribution(std::vector<NodeRef> nodes, Roles roles) : Contribution(std::move(nodes)), r_(std::move(roles)) {
    if (r_.contact) r_.contact->gap = r_.gap.get(), r_.contact->friction = r_.friction.get();
  }

  const Force* force() const override { return r_.force.get(); }
  const Inertia* inertia() const override { return r_.inertia.get(); }
  const PositionFunction* constraint() const override { return r_.constraint.get(); }
  const VelocityFunction* velocity_constraint() const override { return r_.velocity_constraint.get(); }
  const ContactRows* contact() const override { return r_.contact ? &*r_.contact : nullptr; }

 private:
  Roles r_;
};

inline std::unique_ptr<Contribution> make_contribution(const std::vector<NodeRef>& nodes, Roles roles) {
  return std::make_unique<RoleContribution>(nodes, std::move(roles));
}

inline std::unique_ptr<Contribution> make_joint(const std::vector<NodeRef>& nodes, std::unique_ptr<PositionFunction> g) {
  Roles roles;
  roles.constraint = std::move(g);
  return make_contribution(nodes, std::move(roles));
}

}  // namespace percussion
