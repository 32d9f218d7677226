#include "integrators/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/lent_state.hpp"
#include "assembly/node_forces.hpp"
#include "base/timer.hpp"
#include "contact/ball.hpp"
#include "integrators/kinematics.hpp"

namespace percussion {

namespace {

void add_report(SolveReport& total, const SolveReport& one) {
  total.iterations += one.iterations, total.newton_steps += one.newton_steps;
  total.singular = total.singular || one.singular, total.stalled = total.stalled || one.stalled;
  total.residual = std::max(total.residual, one.residual);
  total.converged = total.converged && one.converged;
  total.history.insert(total.history.end(), one.history.begin(), one.history.end());
}

}  // namespace

void RungeKutta::start(System&, double) { first_ = true; }

void RungeKutta::save(const System& system, StepMemory& memory) const {
  memory.numbers.push_back(first_ ? 1 : 0);
  stages_.save(system, memory);
  spheres_.save(memory);
}

void RungeKutta::load(System& system, StepMemory& memory) {
  first_ = memory.take_number() > 0;
  stages_.load(system, scheme_, memory);
  spheres_.load(memory);
}

void RungeKutta::contacts(const System& system, std::vector<ContactRecord>& contacts) const {
  if (body_view_) spheres_.contacts(system, contacts);
  else stages_.rows().append_contacts(system, contacts);
}

bool RungeKutta::choose_body_view(const System& system) {
  if (generation_ == system.generation()) return body_view_;
  generation_ = system.generation();
  std::int64_t rows = std::int64_t(3) * scheme_.m() * system.candidates.size();
  MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_INT64_T, MPI_MAX, system.comm());
  return StageSpheres::fits(system, scheme_) && solver_.wants_stage_spheres(rows);
}

StepReport RungeKutta::step(System& system, double h) {
  body_view_ = choose_body_view(system);
  const StepReport report = body_view_ ? spheres_.step(system, scheme_, h, solver_, options_) : assembled_step(system, h);
  first_ = false;
  return report;
}

StepReport RungeKutta::assembled_step(System& system, double h) {
  StepReport report;
  solve_stages(system, h, report);
  velocity_level(system, h, report);

  const PhaseScope phase(Phase::update);
  NodeStore& nodes = system.nodes;
  nodes.q() = stages_.Q(scheme_.s - 1), nodes.u() = u_plus_;
  normalise_rotations(nodes);
  double local[2] = {0, 0};  // closed contacts, penetration
  StageRows& rows = stages_.rows();
  rows.forget(system);
  for (std::size_t k = 0; k < rows.blocks().size(); ++k) {
    const StageBlock& block = rows.blocks()[k];
    if (block.n_N == 1) local[1] = std::max(local[1], -block.gap);
    if (delta_pi_[k].size() == 0) continue;
    if (!block.bilateral) local[0] += 1;
    rows.remember(system, block, delta_pi_[k]);
  }
  double contacts = 0;
  MPI_Allreduce(&local[0], &contacts, 1, MPI_DOUBLE, MPI_SUM, system.comm());
  MPI_Allreduce(&local[1], &report.penetration, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  report.contacts = static_cast<std::int64_t>(contacts);
  system.t += h;
  return report;
}

/// Candidates are those that can meet if no body goes further than `reach`; if one did, again with a larger one.
void RungeKutta::solve_stages(System& system, double h, StepReport& report) {
  double reach = first_reach(system, h);
  for (int k = 0; k < reach_attempts; ++k, reach *= reach_growth) {
    system.refresh(system.t, h, reach);
    report = {};
    report.solve.converged = newton(system, h, 2 * reach, report) && report.solve.converged;
    if (within(system, reach)) return;
  }
  report.solve.converged = false;  // bodies run away: as good as no solution
}

bool RungeKutta::within(const System& system, double reach) const {
  const NodeStore& nodes = system.nodes;
  double far = 0;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (!is_detectable(nodes[i])) continue;
    const Vec3 r = placement(nodes[i].kind, nodes.q(i).data()).r;
    for (int s = 0; s < scheme_.s; ++s) far = std::max(far, (placement(nodes[i].kind, stages_.Q(s).data() + nodes.q_offset()[i]).r - r).norm());
  }
  MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return far <= reach;
}

bool RungeKutta::newton(System& system, double h, double margin, StepReport& report) {
  stages_.collect(system, scheme_, system.t, h, margin);
  std::vector<double> dU_first;
  if (scheme_.explicit_first_stage) add_report(report.solve, consistent_.solve(system, stages_.rows(), system.t, h, first_, solver_, dU_first));
  stages_.begin(system, options_.tolerance, dU_first);
  const SolveReport before = report.solve;
  bool fresh = false;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 1;; ++k) {
    stages_.linearise(system, fresh);
    const SolveReport solve = solver_.solve(stages_.problem());
    const StageChange change = stages_.advance(system);
    ++newton_iterations_;
    report.solve.iterations += solve.iterations, report.solve.newton_steps += solve.newton_steps;
    const bool done = change.increment < 1 || change.residual < 1 || change.rounding;
    if ((done && solve.converged) || k == options_.newton_max || change.diverged) {
      SolveReport end = solve;
      end.iterations = end.newton_steps = 0;
      end.converged = done && solve.converged;
      const SolveReport sum = report.solve;
      report.solve = before;
      add_report(report.solve, end);
      report.solve.iterations = sum.iterations, report.solve.newton_steps = sum.newton_steps;
      return end.converged;
    }
    fresh = change.increment > 0.1 * last;  // slow: the kept matrix is too old
    last = change.increment;
  }
}

VecX RungeKutta::known_percussion(const StageBlock& block) const {
  VecX known = VecX::Zero(block.rows);
  for (int j = 0; j < scheme_.m(); ++j) known += scheme_.b[scheme_.unknown[j]] * StageRows::dPi(scheme_, block, j);
  if (scheme_.explicit_first_stage) known += scheme_.b[0] * block.dPi_first;
  return known;
}

/// The rows at the end of the step; f: known forces, not yet summed over ranks. The system is lent Q_s, U_s.
void RungeKutta::collect_level(System& system, double h, std::vector<LevelBlock>& blocks, std::vector<std::size_t>& owner, std::vector<double>& f) {
  StageRows& rows = stages_.rows();
  const double t = system.t + h;
  const int last = scheme_.s - 1;
  if (scheme_.partitioned) add_forces(system, t, scheme_.b[last] * h, gathered_, f);
  for (std::size_t k = 0; k < rows.blocks().size(); ++k) {
    const StageBlock& block = rows.blocks()[k];
    const VecX known = known_percussion(block);
    if (!stages_.closed(k)) {
      const VecX back = block.W[last] * known;
      for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
        for (int r = 0; r < n; ++r) f[first + r] -= back[column + r];
      });
      continue;
    }
    LevelBlock& level = blocks.emplace_back();
    owner.push_back(k);
    PendingRows& pending = level.rows;
    pending.source = block.source, pending.nodes = block.nodes, pending.bilateral = block.bilateral;
    pending.has_normal = block.n_N == 1, pending.P_N = block.la_N * h;
    pending.laws = block.laws;
    for (FrictionLaw& law : pending.laws) law.set = scaled_reservoir(law.set, h);
    pending.W = block.W[last];
    pending.c = rows.rates(system, block, last, t);
    for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
      pending.c -= block.W[last].middleRows(column, n).transpose() * Eigen::Map<const VecX>(system.nodes.u().data() + first, n);
    });
    if (!block.bilateral)
      for (int r = 0; r < block.rows; ++r) pending.c[r] += (r < block.n_N ? block.e_N : block.e_F) * block.before[r];
    pending.P = known, level.P_known = known;
  }
}

void RungeKutta::velocity_level(System& system, double h, StepReport& report) {
  const int last = scheme_.s - 1;
  StageRows& rows = stages_.rows();
  delta_pi_.assign(rows.blocks().size(), {});
  if (!options_.velocity_level && !scheme_.partitioned) {
    u_plus_ = stages_.U(last);
    for (std::size_t k = 0; k < rows.blocks().size(); ++k)
      if (stages_.closed(k)) delta_pi_[k] = known_percussion(rows.blocks()[k]);
    return;
  }
  std::vector<LevelBlock> blocks;
  std::vector<std::size_t> owner;
  std::vector<double> f(system.nodes.u().size(), 0.), Q = stages_.Q(last), U = stages_.U(last), u_base = U;
  if (scheme_.partitioned) {
    u_base = system.nodes.u();
    for (const int j : scheme_.unknown)
      for (std::size_t k = 0; k < u_base.size(); ++k) u_base[k] += scheme_.b[j] * stages_.dU(j)[k];
  }
  const LentState lent(system.nodes, Q, U);
  all_or_none(system.comm(), [&] { collect_level(system, h, blocks, owner, f); });
  level_.build(system, system.t + h, blocks, u_base, f);
  add_report(report.solve, solver_.solve(level_.problem()));
  level_.finish(system, u_plus_);
  const GeneralRows& solved = level_.problem().rows;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    delta_pi_[owner[k]] = Eigen::Map<const VecX>(solved.P.data() + solved.blocks[k].first_row, blocks[k].rows.c.size());
}

Schema runge_kutta_schema() {
  Schema s;
  s.real("atol").fallback(1e-10).positive().doc("absolute tolerance of the Newton iteration, in the units of the input");
  s.real("rtol").fallback(1e-10).positive().doc("relative tolerance of the Newton iteration");
  s.integer("newton_max").fallback(50).at_least(1).doc("Newton iterations after which a step counts as not converged");
  return s;
}

RungeKuttaOptions runge_kutta_options(const Parameters& p) {
  RungeKuttaOptions o;
  o.tolerance = {p.real("atol"), p.real("rtol")};
  o.newton_max = static_cast<int>(p.integer("newton_max"));
  return o;
}

}  // namespace percussion
