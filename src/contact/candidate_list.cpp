#include "contact/candidate_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/id_map.hpp"
#include "contact/ball.hpp"
#include "contact/grid_hierarchy.hpp"
#include "contact/shape_contact.hpp"

namespace percussion {

namespace {

struct Body {
  std::int64_t id;
  std::int32_t node;
};

/// The detectable nodes, sorted in space, and the images of those near a periodic side.
struct Bodies {
  std::vector<Body> body;  // by slot
  GridHierarchy grid;
  std::vector<std::int32_t> original;  // slot of the body that a slot is an image of, or itself; empty: no images

  bool is_image(std::int32_t slot) const { return !original.empty() && original[slot] != slot; }
};

/// A candidate while it waits for its place; b < 0 is a wall.
struct SlotPair {
  std::int32_t a, b;
};

/// Appends the images that may overlap a ball of the box; balls.size() bodies become more with the nodes of the others.
void add_images(const PeriodicBox& box, std::vector<Ball>& balls, std::vector<std::int32_t>& nodes) {
  double largest = 0;
  for (const Ball& ball : balls) largest = std::max(largest, ball.r);
  const std::size_t bodies = balls.size();
  for (std::size_t k = 0; k < bodies; ++k) {
    const Ball ball = balls[k];
    box.for_each_image(ball.x, ball.r + largest, [&](const double* x) {
      balls.push_back({{x[0], x[1], x[2]}, ball.r});
      nodes.push_back(nodes[k]);
    });
  }
}

/// Balls of radius r + skin/2 overlap where the gap is at most the skin; roundoff must not lose a pair.
Bodies sort_bodies(const NodeStore& store, std::span<const double> q, double skin, const PeriodicBox& periodic) {
  std::vector<Ball> balls;
  std::vector<std::int32_t> nodes;
  balls.reserve(store.size());
  nodes.reserve(store.size());
  for (std::int32_t i = 0; i < store.size(); ++i) {
    if (!is_detectable(store[i])) continue;
    Ball ball = ball_of(store, q, i);
    // Squares, because distances must not overflow either.
    if (!std::isfinite(ball.x[0] * ball.x[0] + ball.x[1] * ball.x[1] + ball.x[2] * ball.x[2] + ball.r * ball.r))
      throw RunError(fmt::format("contact detection: node {} at ({}, {}, {}) with radius {} is not at a finite place",
                                 store[i].id, ball.x[0], ball.x[1], ball.x[2], ball.r));
    ball.r = (ball.r + 0.5 * skin) * (1 + 1e-14);
    periodic.wrap(ball.x);
    balls.push_back(ball);
    nodes.push_back(i);
  }
  const std::size_t bodies = balls.size();
  if (periodic.any()) add_images(periodic, balls, nodes);
  Bodies result{std::vector<Body>(nodes.size()), GridHierarchy(balls), {}};
  for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
    const std::int32_t node = nodes[result.grid.order()[slot]];
    result.body[slot] = {store[node].id, node};
  }
  if (balls.size() == bodies) return result;
  std::vector<std::int32_t> slot_of_node(store.size());
  result.original.resize(nodes.size());
  for (std::size_t slot = 0; slot < nodes.size(); ++slot)
    if (std::cmp_less(result.grid.order()[slot], bodies)) slot_of_node[result.body[slot].node] = static_cast<std::int32_t>(slot);
  for (std::size_t slot = 0; slot < nodes.size(); ++slot) result.original[slot] = slot_of_node[result.body[slot].node];
  return result;
}

std::vector<SlotPair> find_pairs(const Bodies& bodies, std::span<const Plane> planes, const Obstacles* obstacles,
                                 std::int32_t owned, double skin, std::size_t expected) {
  std::vector<SlotPair> pairs;
  pairs.reserve(expected);
  const auto n = static_cast<std::int32_t>(bodies.body.size());
  for (std::int32_t slot = 0; slot < n; ++slot) {
    if (bodies.body[slot].node >= owned || bodies.is_image(slot)) continue;
    const Ball& ball = bodies.grid.balls()[slot];
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const double* normal = planes[p].n;
      const double height = normal[0] * ball.x[0] + normal[1] * ball.x[1] + normal[2] * ball.x[2] - planes[p].offset;
      if (height <= ball.r + 0.5 * skin) pairs.push_back({slot, ~static_cast<std::int32_t>(p)});
    }
    if (!obstacles) continue;
    obstacles->for_each_near(Vec3(ball.x[0], ball.x[1], ball.x[2]), ball.r + 0.5 * skin, [&](std::int32_t surface) {
      pairs.push_back({slot, ~(static_cast<std::int32_t>(planes.size()) + surface)});
    });
  }
  bodies.grid.for_each_pair([&](std::int32_t i, std::int32_t j) {
    if (!bodies.original.empty()) {
      if (bodies.is_image(i) && bodies.is_image(j)) return;  // found where one of them is no image
      i = bodies.original[i], j = bodies.original[j];
    }
    const Body &first = bodies.body[i], &second = bodies.body[j];
    const bool first_owned = first.node < owned, second_owned = second.node < owned;
    const bool mine = first_owned == second_owned
                          ? first_owned
                          : (designated_node(first.id, second.id) == first.id ? first_owned : second_owned);
    if (!mine) return;
    if (first.id < second.id) {
      pairs.push_back({i, j});
    } else {
      pairs.push_back({j, i});
    }
  });
  return pairs;
}

/// Fills `candidates` in the order of the slots of a, slots(pair) of them for each pair; returns where those of each slot
/// begin.
template <class Slots>
std::vector<std::int32_t> sort_candidates(const Bodies& bodies, std::span<const SlotPair> pairs, Slots&& slots,
                                          std::vector<Candidate>& candidates) {
  std::vector<std::int32_t> begin(bodies.body.size() + 1, 0);
  for (const SlotPair& pair : pairs) begin[pair.a] += slots(pair);
  std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), std::int32_t{0});
  const auto total = static_cast<std::size_t>(begin.back());
  if (candidates.capacity() < total) {
    candidates = {};  // resize() would double the memory
    candidates.reserve(total + total / 16);
  }
  candidates.resize(total);
  auto place = begin;
  for (const SlotPair& pair : pairs)
    for (int k = slots(pair); k > 0; --k)
      candidates[place[pair.a]++] = {bodies.body[pair.a].node, pair.b < 0 ? pair.b : bodies.body[pair.b].node, {0, 0, 0}};
  return begin;
}

bool is_nonzero(const double* P) { return P[0] != 0 || P[1] != 0 || P[2] != 0; }

/// Gives remembered percussions back to the candidates of a new list, by local indices of that list.
class Recall {
 public:
  Recall(const Bodies& bodies, std::span<const std::int32_t> begin_of_slot, std::int32_t nodes,
         std::span<Candidate> candidates, std::span<std::int32_t> features)
      : run_(nodes, {0, 0}), candidates_(candidates), features_(features) {
    for (std::int32_t slot = 0; std::cmp_less(slot, bodies.body.size()); ++slot)
      if (!bodies.is_image(slot)) run_[bodies.body[slot].node] = {begin_of_slot[slot], begin_of_slot[slot + 1]};
  }
  void operator()(std::int32_t a, std::int32_t b, const double* P, std::int32_t feature) {
    for (std::int32_t k = run_[a].first; k < run_[a].second; ++k) {
      if (candidates_[k].b != b) continue;
      const bool taken = !features_.empty() && features_[k] != no_feature && features_[k] != feature;
      if (taken) continue;  // another contact of the pair
      std::copy_n(P, 3, candidates_[k].P);
      if (!features_.empty()) features_[k] = feature;
      return;
    }
  }

 private:
  std::vector<std::pair<std::int32_t, std::int32_t>> run_;  // by node
  std::span<Candidate> candidates_;
  std::span<std::int32_t> features_;
};

/// A candidate with what it remembers, in the old numbering.
struct Remembered {
  Candidate candidate;
  std::int32_t feature;
};

}  // namespace

void CandidateList::rebuild(const NodeStore& store, std::span<const double> q, double skin) {
  PERCUSSION_CHECK(q.size() == store.q().size(), "positions laid out like those of the store");
  PERCUSSION_CHECK(skin >= 0, "the skin of the candidate list is not negative");
  const Bodies bodies = sort_bodies(store, q, skin, periodic_);
  const auto pairs = find_pairs(bodies, planes_, obstacles_, store.owned(), skin, candidates_.size() + candidates_.size() / 16);
  PERCUSSION_CHECK(max_manifold * pairs.size() < std::size_t{1} << 31, "contact candidates of one rank fit 32-bit indices");

  std::vector<Remembered> remembered;
  for (std::int32_t k = 0; k < size(); ++k)
    if (is_nonzero(candidates_[k].P)) remembered.push_back({candidates_[k], feature(k)});
  const auto kind = [&](std::int32_t slot) { return kind_of(store[bodies.body[slot].node]); };
  only_spheres_ = !obstacles_ || obstacles_->empty();
  for (std::size_t slot = 0; only_spheres_ && shapes_ && slot < bodies.body.size(); ++slot)
    only_spheres_ = kind(static_cast<std::int32_t>(slot)) == ShapeKind::sphere;
  const auto slots = [&](const SlotPair& pair) {
    return only_spheres_ ? 1 : pair.b < 0 ? contact_slots(kind(pair.a)) : contact_slots(kind(pair.a), kind(pair.b));
  };
  const auto begin = sort_candidates(bodies, pairs, slots, candidates_);
  features_.assign(only_spheres_ ? 0 : candidates_.size(), no_feature);

  std::vector<std::int64_t> old_id = std::exchange(id_, std::vector<std::int64_t>(store.size()));
  for (std::int32_t i = 0; i < store.size(); ++i) id_[i] = store[i].id;
  IdMap map;
  const auto node_of_id = [&](std::int64_t id) {
    if (map.empty()) map = IdMap(id_);
    return map.find(id);
  };
  // Mostly the nodes keep their numbers, and the map is never made.
  const auto node_of_old = [&](std::int32_t old) {
    return old < store.size() && id_[old] == old_id[old] ? old : node_of_id(old_id[old]);
  };
  Recall recall(bodies, begin, store.size(), candidates_, features_);
  for (const auto& [c, c_feature] : remembered) {
    const std::int32_t a = node_of_old(c.a), b = c.is_wall() ? c.b : node_of_old(c.b);
    if (a >= 0 && (c.is_wall() || b >= 0)) recall(a, b, c.P, c_feature);
  }
  for (const RememberedPercussion& p : imported_) {
    const std::int32_t a = node_of_id(p.id_a);
    const std::int32_t b = p.id_b < 0 ? static_cast<std::int32_t>(p.id_b) : node_of_id(p.id_b);
    if (a >= 0 && (p.id_b < 0 || b >= 0)) recall(a, b, p.P, static_cast<std::int32_t>(p.feature));
  }
  imported_ = {};

  position_.assign(store.owned(), {});
  lower_.setConstant(std::numeric_limits<double>::infinity()), upper_ = -lower_;
  for (std::int32_t i = 0; i < store.owned(); ++i) {
    if (!is_detectable(store[i])) continue;
    const Ball ball = ball_of(store, q, i);
    std::copy_n(ball.x, 3, position_[i].x);
    for (int k = 0; k < 3; ++k) {
      lower_[k] = std::min(lower_[k], ball.x[k] - ball.r - skin);
      upper_[k] = std::max(upper_[k], ball.x[k] + ball.r + skin);
    }
  }
  built_planes_ = planes_;
  if (obstacles_) obstacles_->mark();
  skin_ = skin;
}

std::vector<RememberedPercussion> CandidateList::export_memory() const {
  std::vector<RememberedPercussion> result;
  for (std::int32_t k = 0; k < size(); ++k) {
    const Candidate& c = candidates_[k];
    if (is_nonzero(c.P)) result.push_back({id_[c.a], c.is_wall() ? c.b : id_[c.b], {c.P[0], c.P[1], c.P[2]}, feature(k)});
  }
  return result;
}

void CandidateList::import_memory(std::span<const RememberedPercussion> memory) {
  imported_.insert(imported_.end(), memory.begin(), memory.end());
}

std::vector<double> CandidateList::build_positions() const {
  std::vector<double> result;
  result.reserve(3 * position_.size());
  for (const BuildPosition& p : position_) result.insert(result.end(), p.x, p.x + 3);
  return result;
}

void CandidateList::forget() {
  for (Candidate& c : candidates_) std::fill_n(c.P, 3, 0.);
  std::fill(features_.begin(), features_.end(), no_feature);
  imported_.clear();
}

/// Of surfaces within the box of the owned bodies: a turning wall goes far where nobody is.
double CandidateList::wall_displacement() const {
  if (!(lower_[0] <= upper_[0])) return 0;
  double largest = obstacles_ ? obstacles_->displacement(lower_, upper_) : 0;
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const Plane &now = planes_[p], &then = built_planes_[p];
    // The height of a point over the plane has changed by an affine function: extreme at the corners of the box.
    double least = then.offset - now.offset, most = least;
    for (int k = 0; k < 3; ++k) {
      const double slope = now.n[k] - then.n[k];
      if (slope == 0) continue;
      least += std::min(slope * lower_[k], slope * upper_[k]), most += std::max(slope * lower_[k], slope * upper_[k]);
    }
    largest = std::max({largest, -least, most});
    if (!std::isfinite(least + most)) return std::numeric_limits<double>::infinity();
  }
  return largest;
}

double CandidateList::wall_speed() const {
  if (!(lower_[0] <= upper_[0])) return 0;
  double most = obstacles_ ? obstacles_->speed(lower_, upper_) : 0;
  const double far = lower_.cwiseAbs().cwiseMax(upper_.cwiseAbs()).norm();
  for (const Plane& p : planes_)
    most = std::max(most, Eigen::Map<const Vec3>(p.velocity).norm() + far * Eigen::Map<const Vec3>(p.omega).norm());
  return most;
}

double CandidateList::max_displacement(const NodeStore& store, std::span<const double> q) const {
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (std::cmp_not_equal(store.size(), id_.size()) || std::cmp_not_equal(store.owned(), position_.size()) ||
      planes_.size() != built_planes_.size())
    return inf;
  double largest = 0, sum = 0;  // of the squares; the sum notices NaN, which a maximum loses
  bool same = true;
  const bool periodic = periodic_.any();
  for (std::int32_t i = 0; i < store.size(); ++i) {
    same &= store[i].id == id_[i];
    if (i >= store.owned() || !is_detectable(store[i])) continue;
    Ball ball = ball_of(store, q, i);
    double d2 = 0;
    if (periodic) periodic_.to_nearest(position_[i].x, ball.x);
    for (int k = 0; k < 3; ++k) d2 += (ball.x[k] - position_[i].x[k]) * (ball.x[k] - position_[i].x[k]);
    largest = std::max(largest, d2);
    sum += d2;
  }
  return same && std::isfinite(sum) ? std::max(std::sqrt(largest), wall_displacement()) : inf;
}

std::size_t CandidateList::memory() const {
  return candidates_.capacity() * sizeof(Candidate) + id_.capacity() * sizeof(std::int64_t) +
         position_.capacity() * sizeof(BuildPosition) + imported_.capacity() * sizeof(RememberedPercussion) +
         features_.capacity() * sizeof(std::int32_t) + (planes_.capacity() + built_planes_.capacity()) * sizeof(Plane);
}

}  // namespace percussion
