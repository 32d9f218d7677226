#include "app/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/graph_distance.hpp"

namespace percussion {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_owned_list(const NodeStore& nodes, const std::vector<std::int64_t>& ids) {
  if (nodes.owned() != static_cast<std::int32_t>(ids.size())) return false;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (nodes[i].id != ids[i]) return false;
  return true;
}

double add_error(double part, double e, double p) {
  const double size = std::abs(e);
  if (!(size < infinity)) return infinity;  // the comparison is false for a NaN, too
  if (p == infinity) return std::max(part, size);
  return part + (p == 1 ? size : p == 2 ? size * size : std::pow(size, p));
}

double add_errors(double part, const double* x, const double* x_ref, std::int64_t n, double p) {
  for (std::int64_t k = 0; k < n; ++k) part = add_error(part, x[k] - x_ref[k], p);
  return part;
}

void component_graph(const Trajectory& run, std::int64_t k, double rate, std::vector<GraphPoint>& graph) {
  graph.clear();
  for (std::size_t r = 0; r < run.steps.size(); ++r) graph.push_back({rate * (run.t[r] - run.t.front()), run.u_at(r)[k]});
}

}  // namespace

Recorder::Recorder(const Case& c, std::vector<std::int64_t> steps) : wanted_(std::move(steps)) {
  const NodeStore& nodes = c.system.nodes;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) owned_.push_back(nodes[i].id);
  order_.resize(owned_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return owned_[a] < owned_[b]; });
  for (const std::int32_t i : order_) trajectory_.ids.push_back(owned_[i]);
  trajectory_.nq = nodes.nq_owned(), trajectory_.nu = nodes.nu_owned();
  trajectory_.steps.reserve(wanted_.size()), trajectory_.t.reserve(wanted_.size());
  trajectory_.q.reserve(wanted_.size() * static_cast<std::size_t>(trajectory_.nq));
  trajectory_.u.reserve(wanted_.size() * static_cast<std::size_t>(trajectory_.nu));
}

void Recorder::visit(const Case& c, std::int64_t step) {
  const std::size_t next = trajectory_.steps.size();
  if (moved_ || next == wanted_.size() || wanted_[next] != step) return;
  const NodeStore& nodes = c.system.nodes;
  moved_ = !is_owned_list(nodes, owned_);
  if (moved_) return;  // others wait in the next step: the error has to come at the end
  c.integrator().positions(c.system, q_);
  const auto offset = nodes.q_offset();
  for (const std::int32_t i : order_) {
    trajectory_.q.insert(trajectory_.q.end(), q_.begin() + offset[i], q_.begin() + offset[i + 1]);
    const auto u = nodes.u(i);
    trajectory_.u.insert(trajectory_.u.end(), u.begin(), u.end());
  }
  trajectory_.steps.push_back(step);
  trajectory_.t.push_back(c.system.t);
}

Trajectory Recorder::take() {
  if (moved_) throw RunError("bodies were redistributed over the ranks during the run; a trajectory needs the same owners throughout");
  return std::move(trajectory_);
}

void check_same_owners(const Trajectory& run, const Trajectory& reference) {
  if (run.ids == reference.ids && run.nq == reference.nq && run.nu == reference.nu) return;
  throw RunError(
      "the bodies are distributed over the ranks in another way than in the reference run, so the two cannot be compared: the first distribution "
      "weighs contact candidates, and their reach depends on the step; use one rank or another number of ranks");
}

ErrorParts grid_error_parts(const Trajectory& run, const Trajectory& reference, std::int64_t ratio, double p) {
  ErrorParts parts;
  for (std::size_t r = 0; r < run.steps.size(); ++r) {
    if (run.steps[r] == 0) continue;
    const auto found = std::lower_bound(reference.steps.begin(), reference.steps.end(), run.steps[r] * ratio);
    PERCUSSION_CHECK(found != reference.steps.end() && *found == run.steps[r] * ratio, "the reference has the grid points of the run");
    const auto r_ref = static_cast<std::size_t>(found - reference.steps.begin());
    parts.q = add_errors(parts.q, run.q_at(r), reference.q_at(r_ref), run.nq, p);
    parts.u = add_errors(parts.u, run.u_at(r), reference.u_at(r_ref), run.nu, p);
  }
  return parts;
}

double norm_from_part(double part, double h, double p) { return p == infinity ? part : p == 1 ? h * part : std::pow(h * part, 1 / p); }

double graph_error_part(const Trajectory& run, const Trajectory& reference) {
  const double duration = reference.t.back() - reference.t.front();
  std::vector<GraphPoint> a, b;
  double largest = 0;
  for (std::int64_t k = 0; k < run.nu; ++k) {
    double lower = infinity, upper = -infinity;
    for (std::size_t r = 0; r < reference.steps.size(); ++r) {
      const double u = reference.u_at(r)[k];
      lower = std::min(lower, u), upper = std::max(upper, u);
    }
    const double rate = (upper - lower) / duration;
    component_graph(run, k, rate, a);
    component_graph(reference, k, rate, b);
    largest = std::max(largest, graph_distance(a, b));
  }
  return largest;
}

}  // namespace percussion
