// Bodies at random places of a region without overlap: random cells of a grid, each body anywhere in its cell.
//
// Which cell body k gets is a permutation of the cells keyed by the seed (a Feistel network, walked on until it stays
// inside): a pure function of k, so no rank needs to know the others' bodies.
#include <algorithm>
#include <cmath>

#include "app/fill.hpp"
#include "app/grain_keys.hpp"

namespace percussion {
namespace {

Schema schema() {
  Schema s;
  s.reals("lower", 3).required().unit("m").doc("lower corner of the region");
  s.reals("upper", 3).required().unit("m").doc("upper corner of the region");
  s.integer("count").required().at_least(1).doc("number of bodies");
  add_grain_keys(s);
  return s;
}

/// A permutation of [0, n).
class Shuffle {
 public:
  Shuffle(std::uint64_t n, std::uint64_t seed) : n_(n), random_(seed, 0xF111) {
    while ((std::uint64_t{1} << (2 * half_)) < n) ++half_;
  }
  std::uint64_t operator()(std::uint64_t k) const {
    do k = once(k);
    while (k >= n_);
    return k;
  }

 private:
  std::uint64_t once(std::uint64_t k) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = k >> half_, right = k & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (random_.bits((round << 40) | right)[0] & mask);
      left = right, right = next;
    }
    return (left << half_) | right;
  }
  std::uint64_t n_;
  int half_ = 1;
  CounterRandom random_;
};

class RandomFill final : public Fill {
 public:
  explicit RandomFill(const Parameters& p) : sizes_(p), density_(p.real("density")), count_(p.integer("count")) {
    const auto &lower = p.reals("lower"), &upper = p.reals("upper");
    const auto set_cells = [&](double cell) {
      cell_ = cell, cells_ = 1;
      for (int i = 0; i < 3; ++i) n_[i] = static_cast<std::int64_t>(std::floor((upper[i] - lower[i]) / cell * (1 + 1e-12))), cells_ *= n_[i];
      return cells_;
    };
    // Cells as large as the number of bodies allows leave most room for chance; one in four may stay empty.
    const double least = 2 * sizes_.largest() * (1 + 1e-6);
    if (set_cells(least) < count_)
      p.fail("count", "the region has room for " + std::to_string(std::max<std::int64_t>(cells_, 0)) + " bodies of the largest size", "at most that many", "enlarge the region or lower count");
    for (double cell = 1.01 * least; set_cells(cell) * 3 >= count_ * 4; cell *= 1.01) {}
    while (set_cells(cell_ / 1.01) < count_ && cell_ > least) {}
    if (cell_ < least || cells_ < count_) set_cells(least);
    for (int i = 0; i < 3; ++i) lower_[i] = lower[i], stretch_[i] = (upper[i] - lower[i]) / static_cast<double>(n_[i]), velocity_[i] = p.reals("velocity")[i];
  }

  std::int64_t count() const override { return count_; }

  NodeInit body(std::int64_t k, const CounterRandom& random) const override {
    const auto site = static_cast<std::int64_t>(Shuffle(static_cast<std::uint64_t>(cells_), random.seed())(static_cast<std::uint64_t>(k)));
    const std::int64_t cell[3] = {site % n_[0], site / n_[0] % n_[1], site / (n_[0] * n_[1])};
    NodeInit node = sphere_grain(sizes_.radius(random), density_, velocity_);
    for (int i = 0; i < 3; ++i) {
      const double play = stretch_[i] - 2 * node.data.radius;
      node.q[i] = lower_[i] + static_cast<double>(cell[i]) * stretch_[i] + node.data.radius + play * random.uniform(1 + i);
    }
    return node;
  }

 private:
  SizeDistribution sizes_;
  double density_, cell_ = 0, lower_[3], stretch_[3], velocity_[3];
  std::int64_t count_, n_[3] = {1, 1, 1}, cells_ = 0;
};

const RegisterFill registered{"fills", "random", "bodies at random places of a region, without overlap", schema(),
                              [](const Parameters& p) { return std::make_unique<RandomFill>(p); }};

}  // namespace
}  // namespace percussion
