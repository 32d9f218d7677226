#include "app/population.hpp"

#include <algorithm>
#include <limits>

#include "app/free_places.hpp"
#include "app/shape_library.hpp"
#include "model/model_input.hpp"
#include "model/node_terms.hpp"

namespace percussion {

namespace {

constexpr std::size_t most_per_step = 1000;  ///< and region: bounds the work of a step after a long wait

double energy_of(const NodeData& node, const double* u, const Vec3& place, const Vec3& gravity) {
  return kinetic_energy(node, u) - node.mass * gravity.dot(place);
}

void check_domain(const Parameters& input, const Parameters& p, const Insertion& insertion) {
  if (!input.has("domain")) return;
  const Vec3 lower = vector_of(input.section("domain"), "lower"), upper = vector_of(input.section("domain"), "upper");
  if ((insertion.lower().array() < lower.array()).any()) p.fail("lower", "the region leaves the domain", "a corner inside domain", "move the region or enlarge domain");
  if ((insertion.upper().array() > upper.array()).any()) p.fail("upper", "the region leaves the domain", "a corner inside domain", "move the region or enlarge domain");
}

/// Collective. The rank whose bodies are nearest to x; the first one if there are none.
int nearest_rank(const System& system, const Vec3& x) {
  struct {
    double distance;
    int rank;
  } nearest{std::numeric_limits<double>::infinity(), system.distribution.rank()};
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i) {
    if (system.nodes[i].kind == NodeKind::generalized) continue;
    Vec3 y = placement(system.nodes[i].kind, system.nodes.q(i).data()).r;
    system.periodic.to_nearest(x.data(), y.data());
    nearest.distance = std::min(nearest.distance, (y - x).squaredNorm());
  }
  MPI_Allreduce(MPI_IN_PLACE, &nearest, 1, MPI_DOUBLE_INT, MPI_MINLOC, system.comm());
  return nearest.rank;
}

}  // namespace

Schema outlet_schema() {
  Schema s;
  s.reals("point", 3).required().unit("m").doc("a point of the plane behind which bodies leave");
  s.reals("normal", 3).required().doc("points to where the bodies are, as for a wall; any length");
  s.integer("every").fallback(20).at_least(1).unit("steps").doc("how often it is looked for bodies whose centre is behind the plane");
  return s;
}

void Population::setup(System& system, const Parameters& input, std::int64_t first_id, std::int64_t fills_begin, std::int64_t fills_end) {
  next_id_ = first_entered_id_ = first_id, fills_begin_ = fills_begin, fills_end_ = fills_end;
  ShapeLibrary shapes(system.shapes);
  const ParametersList& list = input.sections("insertions");
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::int32_t shape = list[k].has("shape") ? shapes.index(list[k].section("shape")) : 0;
    insertions_.emplace_back(list[k], k, shape, static_cast<std::uint64_t>(input.integer("random_seed")), input.section("time").real("start"));
    check_domain(input, list[k], insertions_.back());
  }
  for (const Parameters& p : input.sections("outlets")) {
    const Vec3 n = unit_vector_of(p, "normal");
    outlets_.push_back({n, n.dot(vector_of(p, "point")), p.integer("every")});
  }
}

double Population::largest() const {
  double r = 0;
  for (const Insertion& i : insertions_) r = std::max(r, i.largest());
  return r;
}

std::vector<std::uint8_t> Population::leaving(const System& system) {
  std::vector<std::uint8_t> flags(system.nodes.owned(), 0);
  double sums[3] = {0, 0, 0};
  for (const Outlet& outlet : outlets_) {
    if (calls_ % outlet.every != 0) continue;
    for (std::int32_t i = 0; i < system.nodes.owned(); ++i) {
      const NodeData& node = system.nodes[i];
      const bool may = node.id >= first_entered_id_ || (node.id >= fills_begin_ && node.id < fills_end_);
      if (!may || flags[i]) continue;
      const Vec3 x = placement(node.kind, system.nodes.q(i).data()).r;
      if (outlet.n.dot(x) >= outlet.offset) continue;
      flags[i] = 1;
      sums[0] += 1, sums[1] += node.mass, sums[2] += energy_of(node, system.nodes.u(i).data(), system.unwrapped(i, system.nodes.q()), system.gravity);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, system.comm());
  left_.bodies += static_cast<std::int64_t>(sums[0]), left_.mass += sums[1], left_.energy += sums[2];
  return flags;
}

std::vector<Population::Proposal> Population::proposals(const System& system) const {
  std::vector<Proposal> result;
  for (std::size_t k = 0; k < insertions_.size(); ++k) {
    const Insertion& insertion = insertions_[k];
    double mass = insertion.mass();
    for (std::int64_t ahead = 0; std::cmp_less(ahead, most_per_step) && insertion.is_due(system.t, ahead, mass); ++ahead) {
      Proposal p{k, insertion.body(insertion.entered() + ahead, system.shapes), {}};
      const auto attempts = static_cast<std::uint64_t>(insertion.attempts());
      for (std::uint64_t a = 0; a < attempts; ++a)
        p.places.push_back(insertion.place(insertion.entered() + ahead, static_cast<std::uint64_t>(calls_) * attempts + a, p.node.data.radius));
      mass += p.node.data.mass;
      result.push_back(std::move(p));
    }
  }
  return result;
}

/// The bodies that enter, on the rank that will own them; all ranks count them.
std::vector<NodeInit> Population::entering(System& system, std::span<const std::uint8_t> gone) {
  std::vector<Proposal> due = proposals(system);
  if (due.empty()) return {};
  place_walls(system.walls, system.t, system.t, system.planes);
  std::vector<std::uint8_t> taken;
  for (std::size_t k = 0; k < insertions_.size(); ++k) {
    double largest = 0;
    for (const Proposal& p : due)
      if (p.insertion == k) largest = std::max(largest, p.node.data.radius);
    if (largest == 0) continue;
    const FreePlaces places(system, insertions_[k].lower(), insertions_[k].upper(), largest, gone);
    for (const Proposal& p : due)
      for (std::size_t a = 0; p.insertion == k && a < p.places.size(); ++a) taken.push_back(!places.is_free(p.places[a], p.node.data.radius));
  }
  MPI_Allreduce(MPI_IN_PLACE, taken.data(), static_cast<int>(taken.size()), MPI_UINT8_T, MPI_MAX, system.comm());

  std::vector<NodeInit> accepted;
  std::vector<bool> waits(insertions_.size(), false);
  std::size_t first = 0;
  for (Proposal& p : due) {
    const std::size_t begin = std::exchange(first, first + p.places.size());
    if (waits[p.insertion]) continue;
    waits[p.insertion] = true;
    for (std::size_t a = 0; a < p.places.size(); ++a) {
      const Vec3& x = p.places[a];
      const bool free = !taken[begin + a] && std::all_of(accepted.begin(), accepted.end(), [&](const NodeInit& other) {
        return are_apart(system.periodic, x, p.node.data.radius, Eigen::Map<const Vec3>(other.q.data()), other.data.radius);
      });
      if (!free) continue;
      std::copy_n(x.data(), 3, p.node.q.begin());
      p.node.data.id = next_id_++;
      insertions_[p.insertion].accept(p.node.data.mass);
      ++entered_.bodies, entered_.mass += p.node.data.mass, entered_.energy += energy_of(p.node.data, p.node.u.data(), x, system.gravity);
      accepted.push_back(std::move(p.node));
      waits[p.insertion] = false;
      break;
    }
  }
  return accepted;
}

std::int64_t Population::exchange(System& system, double h) {
  if (!changes()) return 0;
  const std::int64_t left_before = left_.bodies;
  const std::vector<std::uint8_t> gone = leaving(system);
  std::vector<NodeInit> joining = entering(system, gone);
  ++calls_;
  const auto entered = static_cast<std::int64_t>(joining.size()), left = left_.bodies - left_before;
  if (entered == 0 && left == 0) return 0;
  if (entered > 0 && nearest_rank(system, Eigen::Map<const Vec3>(joining.front().q.data())) != system.distribution.rank()) joining.clear();
  system.exchange_nodes(gone, joining, h);
  return entered - left;
}

void Population::store(CheckpointWriter& file) const {
  if (!changes()) return;
  std::vector<std::int64_t> counts = {next_id_, calls_, entered_.bodies, left_.bodies};
  std::vector<double> numbers = {entered_.mass, entered_.energy, left_.mass, left_.energy};
  for (const Insertion& i : insertions_) counts.push_back(i.entered()), numbers.push_back(i.mass());
  file.common("population/counts", std::span<const std::int64_t>(counts));
  file.common("population/numbers", std::span<const double>(numbers));
}

void Population::restore(const CheckpointReader& file) {
  if (!changes()) return;
  const auto counts = file.common<std::int64_t>("population/counts");
  const auto numbers = file.common<double>("population/numbers");
  next_id_ = counts.at(0), calls_ = counts.at(1), entered_.bodies = counts.at(2), left_.bodies = counts.at(3);
  entered_.mass = numbers.at(0), entered_.energy = numbers.at(1), left_.mass = numbers.at(2), left_.energy = numbers.at(3);
  for (std::size_t k = 0; k < insertions_.size(); ++k) insertions_[k].set_state(counts.at(4 + k), numbers.at(4 + k));
}

}  // namespace percussion
