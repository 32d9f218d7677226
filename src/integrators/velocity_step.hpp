// What the schemes of the Moreau family share: build the velocity problem at the present positions, solve it, store u+.
#pragma once
#include "integrators/integrator.hpp"

namespace percussion {

class VelocityStepIntegrator : public Integrator {
 public:
  explicit VelocityStepIntegrator(ContactSolver& solver) : solver_(solver) {}

  void contacts(const System& system, std::vector<ContactRecord>& contacts) const override { problem_.active().append_contacts(system, contacts); }
  std::span<const double> percussion(std::int64_t contribution_id) const override { return problem_.active().percussion(contribution_id); }
  void save(const System& system, StepMemory& memory) const override;
  void load(System& system, StepMemory& memory) override;
  std::size_t memory() const override { return problem_.memory(); }

 protected:
  /// Collective. u -> u+ at the present positions; refreshes ghosts and candidates first.
  StepReport velocity_step(System& system, const VelocityProblemTimes& times);
  /// Collective. Contacts and penetration of all ranks.
  static void sum_contacts(const System& system, const ContactSummary& local, StepReport& report);

 private:
  ContactSolver& solver_;
  VelocityProblem problem_;
};

}  // namespace percussion
