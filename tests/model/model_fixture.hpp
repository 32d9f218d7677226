// Building single contributions and nodes from a few values, and states to evaluate them at.
#pragma once
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/registry.hpp"
#include "math/random.hpp"
#include "model/contribution.hpp"
#include "model/node_types.hpp"

namespace model_test {

using namespace percussion;
using Reals = std::vector<double>;
using Kinds = std::vector<NodeKind>;

/// One written key. Constructors instead of Value alone: a literal keeps its kind.
struct Given {
  Given(std::string k, double x) : key(std::move(k)), value(x) {}
  Given(std::string k, int x) : key(std::move(k)), value(std::int64_t{x}) {}
  Given(std::string k, bool x) : key(std::move(k)), value(x) {}
  Given(std::string k, const char* x) : key(std::move(k)), value(std::string(x)) {}
  Given(std::string k, Reals x) : key(std::move(k)), value(std::move(x)) {}
  Given(std::string k, std::vector<std::string> x) : key(std::move(k)), value(std::move(x)) {}
  Given(std::string k, Parameters x) : key(std::move(k)), value(std::make_shared<const Parameters>(std::move(x))) {}
  Given(std::string k, ParametersList x) : key(std::move(k)), value(std::make_shared<const ParametersList>(std::move(x))) {}
  std::string key;
  Value value;
};
using Givens = std::vector<Given>;

/// What reading an input makes of the written keys: defaults filled in, unknown and missing keys refused.
inline Parameters with_defaults(const Schema& schema, const Givens& given, const std::string& path) {
  Parameters p(path);
  for (const Given& g : given) {
    if (!schema.find(g.key)) throw std::logic_error(path + ": no key " + g.key);
    p.set(g.key, g.value);
  }
  for (const Field& f : schema.fields()) {
    if (p.has(f.key)) continue;
    if (f.is_required) throw std::logic_error(path + ": missing key " + f.key);
    if (f.kind == Kind::sections || f.kind == Kind::choices)
      p.set(f.key, std::make_shared<const ParametersList>());
    else if (f.fallback_value.index() != 0)
      p.set(f.key, f.fallback_value);
  }
  return p;
}

inline Parameters typed(const std::string& catalogue, const std::string& type, const Givens& given) {
  const Catalogue::Entry* entry = Catalogue::instance().find(catalogue, type);
  if (!entry) throw std::logic_error("not registered: " + type);
  Parameters p = with_defaults(entry->schema, given, type);
  p.set("type", type);
  return p;
}

/// A list of friction laws, from the schema of the contact's own `friction` key.
inline ParametersList friction(const std::vector<Givens>& laws) {
  const Schema& schema = *Catalogue::instance().find("contributions", "contact_plane")->schema.find("friction")->nested;
  ParametersList list;
  for (const Givens& law : laws) list.push_back(with_defaults(schema, law, "friction"));
  return list;
}

/// Nodes 0, 1...; `dofs` counts for generalized ones.
inline std::vector<NodeRef> refs(const Kinds& kinds, int dofs = 0) {
  std::vector<NodeRef> nodes;
  for (NodeKind kind : kinds)
    nodes.push_back({std::int64_t(nodes.size()), kind, static_cast<std::int8_t>(nu(kind, dofs))});
  return nodes;
}

/// The names in `nodes` follow from the kinds.
inline std::unique_ptr<Contribution> make(const std::string& type, const Kinds& kinds, Givens given, int dofs = 0) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kinds.size(); ++i) names.push_back("node_" + std::to_string(i));
  given.emplace_back("nodes", names);
  return ContributionRegistry::instance().create(type, typed("contributions", type, given), refs(kinds, dofs));
}

inline NodeInit node(const std::string& type, Givens given) {
  if (std::none_of(given.begin(), given.end(), [](const Given& g) { return g.key == "name"; })) given.emplace_back("name", "body");
  return make_node(typed("nodes", type, given));
}

/// The message of the InputError `work` throws, or a note that there was none.
template <class Work>
std::string message(Work&& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

inline void check_contains(const std::string& text, const std::string& part) {
  BOOST_TEST(text.find(part) != std::string::npos, "`" << part << "` is not in:\n" << text);
}

struct State {
  double t = 0;
  VecX q, u;
  operator LocalState() const { return {t, q.data(), u.data()}; }
};

inline State state(const Reals& q, const Reals& u, double t = 0) {
  return {t, ConstVecMap(q.data(), Eigen::Index(q.size())), ConstVecMap(u.data(), Eigen::Index(u.size()))};
}

/// Entries of size one, unit quaternions.
inline State random_state(const std::vector<NodeRef>& nodes, std::uint64_t seed) {
  const CounterRandom random(7, seed);
  std::uint64_t draw = 0;
  std::vector<double> q, u;
  for (const NodeRef& n : nodes) {
    const std::size_t first = q.size();
    for (int i = 0; i < n.nq(); ++i) q.push_back(random.normal(draw++));
    for (int i = 0; i < n.nu(); ++i) u.push_back(random.normal(draw++));
    if (n.kind == NodeKind::rigid_body) VecMap(q.data() + first + 3, 4).normalize();
  }
  return state(q, u, random.uniform(draw, 0.2, 1.));
}

inline VecX q_dot_of(const std::vector<NodeRef>& nodes, const State& s) {
  VecX rate(s.q.size());
  const double *q = s.q.data(), *u = s.u.data();
  double* out = rate.data();
  for (const NodeRef& n : nodes) {
    q_dot(n.kind, n.dofs, q, u, out);
    q += n.nq(), u += n.nu(), out += n.nq();
  }
  return rate;
}

// ---- values of functions; results start as NaN, so that an entry nobody writes is seen ----

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

template <class F>
VecX vector(int rows, F&& fill) {
  VecX x = VecX::Constant(rows, unset);
  fill(VecRef(x));
  return x;
}
template <class F>
MatX matrix(int rows, int columns, F&& fill) {
  MatX A = MatX::Constant(rows, columns, unset);
  fill(MatRef(A));
  return A;
}

inline VecX g(const PositionFunction& f, const State& s) {
  return vector(f.rows(), [&](VecRef x) { f.g(s, x); });
}
inline VecX g_dot(const PositionFunction& f, const State& s) {
  return vector(f.rows(), [&](VecRef x) { f.g_dot(s, x); });
}
inline VecX gamma(const VelocityFunction& f, const State& s) {
  return vector(f.rows(), [&](VecRef x) { f.gamma(s, x); });
}
template <class Function>
VecX chi(const Function& f, const State& s) {
  return vector(f.rows(), [&](VecRef x) { f.chi(s, x); });
}
template <class Function>
VecX zeta(const Function& f, const State& s) {
  return vector(f.rows(), [&](VecRef x) { f.zeta(s, x); });
}
template <class Function>
MatX W(const Function& f, const State& s) {
  return matrix(int(s.u.size()), f.rows(), [&](MatRef A) { f.W(s, A); });
}
inline VecX h(const Force& f, const State& s) {
  return vector(int(s.u.size()), [&](VecRef x) { f.h(s, x); });
}
inline MatX M(const Inertia& f, const State& s) {
  return matrix(int(s.u.size()), int(s.u.size()), [&](MatRef A) { f.M(s, A); });
}

inline void check_close(const VecX& a, const VecX& b, double tolerance, const std::string& what = {}) {
  BOOST_REQUIRE_EQUAL(a.size(), b.size());
  BOOST_TEST((a - b).norm() <= tolerance, what << ": [" << a.transpose() << "] is not [" << b.transpose() << "]");
}

}  // namespace model_test
