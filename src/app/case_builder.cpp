#include "app/case_builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "app/chain.hpp"
#include "app/fill.hpp"
#include "app/grain_keys.hpp"
#include "app/periodic_domain.hpp"
#include "app/shape_library.hpp"
#include "model/node_types.hpp"

namespace percussion {

namespace {

/// Nodes [first, last) of n belong to this rank at first: contiguous shares.
struct Share {
  std::int64_t first, last;
};
Share share_of(std::int64_t n, int rank, int ranks) { return {n * rank / ranks, n * (rank + 1) / ranks}; }

/// Names of all ranks, and which of the named nodes this rank has made.
struct Names : CaseNames {
  std::set<std::int64_t> made_here;
};

void add_node(System& system, NodeInit node, std::int64_t id) {
  node.data.id = id;
  if (node.data.radius > 0 && node.data.shape < 0) node.data.shape = 0;
  system.nodes.add(node.data, node.q, node.u, false);
}

/// Where bodies must start.
class Domain {
 public:
  explicit Domain(const Parameters& input) {
    if (!input.has("domain")) return;
    lower_ = input.section("domain").reals("lower"), upper_ = input.section("domain").reals("upper");
  }
  void check(const NodeInit& node, const Parameters& p, const char* key) const {
    if (node.data.kind == NodeKind::generalized) return;
    for (std::size_t i = 0; i < lower_.size() && i < (is_planar(node.data.kind) ? 2u : 3u); ++i)
      if (!(node.q[i] >= lower_[i] && node.q[i] <= upper_[i]))
        p.fail(key, fmt::format("a body at {} = {} is outside the domain", "xyz"[i], to_text(node.q[i])),
               fmt::format("positions in [{}, {}]", to_text(lower_[i]), to_text(upper_[i])), "move the body or enlarge domain");
  }

 private:
  std::vector<double> lower_, upper_;
};

void add_nodes(System& system, const Parameters& input, const Domain& domain, ShapeLibrary& shapes, Names& names) {
  const ParametersList& list = input.sections("nodes");
  const auto share = share_of(static_cast<std::int64_t>(list.size()), system.distribution.rank(), system.distribution.ranks());
  for (std::size_t k = 0; k < list.size(); ++k) {
    NodeInit node = make_node(list[k]);
    shapes.finish_node(list[k], node);
    const auto id = static_cast<std::int64_t>(k);
    const auto [other, is_new] = names.nodes.emplace(node.name, id);
    if (!is_new)
      list[k].fail("name", fmt::format("already the name of nodes[{}]", other->second), "a name of its own for every node", "rename one of the two");
    domain.check(node, list[k], "position");
    if (id < share.first || id >= share.last) continue;
    add_node(system, std::move(node), id);
    names.made_here.insert(id);
  }
  names.bodies = static_cast<std::int64_t>(list.size());
}

void add_fills(System& system, const Parameters& input, const Domain& domain, ShapeLibrary& shapes, CaseNames& names) {
  const auto seed = static_cast<std::uint64_t>(input.integer("random_seed"));
  for (const Parameters& p : input.sections("fills")) {
    const auto fill = FillRegistry::instance().create(p.type(), p);
    const std::int32_t shape = p.has("shape") ? shapes.index(p.section("shape")) : 0;
    const bool turned = shape > 0 && p.text("orientation") == "random";
    const auto share = share_of(fill->count(), system.distribution.rank(), system.distribution.ranks());
    for (std::int64_t k = share.first; k < share.last; ++k) {
      const std::int64_t id = names.bodies + k;
      const CounterRandom random(seed, static_cast<std::uint64_t>(id));
      NodeInit node = fill->body(k, random);
      finish_grain(system.shapes, shape, p.real("density"), turned ? &random : nullptr, node);
      spread_velocity(p.real("velocity_spread"), random, node);
      domain.check(node, p, p.has("upper") ? "upper" : "type");
      add_node(system, std::move(node), id);
    }
    names.bodies += fill->count();
  }
}

/// Nodes and bars; the bars are numbered after the declared contributions.
void add_chains(System& system, const Parameters& input, const Domain& domain, Names& names) {
  auto first_bar = static_cast<std::int64_t>(input.sections("contributions").size());
  for (const Parameters& p : input.sections("chains")) {
    const Chain chain(p, system.gravity);
    const auto share = share_of(chain.nodes(), system.distribution.rank(), system.distribution.ranks());
    for (const std::int64_t k : {std::int64_t{0}, chain.elements()}) {  // a straight line: its ends are enough for the domain
      const NodeInit end = chain.node(k);
      domain.check(end, p, k == 0 ? "from" : "to");
      if (!names.nodes.emplace(end.name, names.bodies + k).second)
        p.fail("name", fmt::format("there is a node `{}` already", end.name), "a name of its own for every chain", "rename the chain or the node");
      if (k >= share.first && k < share.last) names.made_here.insert(names.bodies + k);
    }
    for (std::int64_t k = share.first; k < share.last; ++k) {
      const std::int64_t id = names.bodies + k;
      add_node(system, chain.node(k), id);
      if (k < chain.elements()) system.contributions.add(first_bar + k, chain.bar(), {id, id + 1});
    }
    names.bodies += chain.nodes(), first_bar += chain.elements();
  }
}

void add_contributions(System& system, const Parameters& input, const Names& names) {
  const ParametersList& list = input.sections("contributions");
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<std::int64_t> ids;
    const std::vector<std::string>& wanted = list[k].texts("nodes");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == "ground" && i > 0 && i + 1 == wanted.size()) continue;  // the second place of a pair
      const auto found = names.nodes.find(wanted[i]);
      if (found == names.nodes.end())
        list[k].fail("nodes", fmt::format("there is no node `{}`{}", wanted[i], wanted[i] == "ground" ? " in this place" : ""),
                     "names of the section nodes, ends of chains such as bar.last; `ground` in the last place", "correct the name or add the node");
      ids.push_back(found->second);
    }
    if (names.made_here.contains(ids[0])) system.contributions.add(static_cast<std::int64_t>(k), list[k], std::move(ids));
  }
}

void check_observed(const Parameters& output, const CaseNames& names) {
  for (const std::string& name : output.texts("observe"))
    if (!names.nodes.contains(name))
      output.fail("observe", fmt::format("there is no node `{}`", name), "names of the section nodes, ends of chains such as bar.last", "correct the name or add the node");
}

Vec3 vector_from(const std::vector<double>& x) { return {x[0], x[1], x.size() > 2 ? x[2] : 0.}; }

}  // namespace

CaseNames build_system(System& system, const Parameters& input) {
  Names names;
  const Parameters &contact = input.section("contact"), &partition = input.section("partition");
  system.t = input.section("time").real("start");
  system.law = {contact.real("friction"), contact.real("restitution"), contact.real("tangential_restitution"), contact.real("rolling_friction"), contact.real("pivoting_friction")};
  system.gravity = vector_from(input.reals("gravity"));
  system.partition = {partition.text("method") == "parmetis" ? RebalanceMethod::graph : RebalanceMethod::geometric, partition.real("threshold"),
                      partition.integer("check_every"), partition.text("weights") == "measured"};
  const Domain domain(input);
  all_or_none(system.comm(), [&] { system.periodic = periodic_box(input); });
  all_or_none(system.comm(), [&] {
    ShapeLibrary shapes(system.shapes);
    add_nodes(system, input, domain, shapes, names);
    names.fills_begin = names.bodies;
    add_fills(system, input, domain, shapes, names);
    names.fills_end = names.bodies;
    add_chains(system, input, domain, names);
    system.walls = make_walls(input.sections("walls"), system.law);
    add_contributions(system, input, names);
    check_observed(input.section("output"), names);
    if (names.bodies == 0 && input.sections("insertions").empty())
      throw InputError(Complaint{input.origin(), "nodes", "", "the case has no bodies", "at least one entry in nodes, fills, chains or insertions", "add a node, a fill, a chain or an insertion"});
  });
  return names;
}

}  // namespace percussion
