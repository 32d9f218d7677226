// Bodies (or planar discs) on a lattice, optionally jittered and of random size, as the start of a packing.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/fill.hpp"
#include "app/grain_keys.hpp"

namespace percussion {
namespace {

Schema schema() {
  Schema s;
  s.reals("lower", {2, 3}).required().unit("m").doc("lower corner of the region; 2 entries: planar discs");
  s.reals("upper", {2, 3}).required().unit("m").doc("upper corner of the region");
  s.real("spacing").positive().unit("m").doc("lattice constant; default 2.05 times the largest radius");
  s.text("lattice").one_of({"cubic", "hexagonal"}).fallback("cubic").doc("hexagonal: close-packed layers (planar: rows)");
  s.real("jitter").fallback(0.).between(0, 1).doc("random displacement, as a fraction of the free space between neighbours");
  add_grain_keys(s);
  s.integer("limit").at_least(1).doc("at most this many bodies, lowest layers first");
  return s;
}

class Lattice final : public Fill {
 public:
  explicit Lattice(const Parameters& p) : sizes_(p) {
    const auto &lower = p.reals("lower"), &upper = p.reals("upper");
    if (lower.size() != upper.size())
      p.fail("upper", "has not the length of lower", std::to_string(lower.size()) + " numbers", "give both corners with the same number of entries");
    planar_ = lower.size() == 2;
    r_max_ = sizes_.largest();
    if (planar_ && p.has("shape") && p.section("shape").type() != "sphere")
      p.fail("shape", "planar bodies are discs", "type: sphere", "give lower and upper with three numbers");
    density_ = p.real("density");
    spacing_ = p.has("spacing") ? p.real("spacing") : 2.05 * r_max_;
    if (spacing_ < 2 * r_max_)
      p.fail("spacing", "bodies would overlap", "at least twice the largest radius, " + to_text(2 * r_max_), "raise spacing or lower radius");
    for (std::size_t i = 0; i < 3; ++i) velocity_[i] = i < p.reals("velocity").size() ? p.reals("velocity")[i] : 0.;

    const bool hexagonal = p.text("lattice") == "hexagonal";
    const int up = planar_ ? 1 : 2;
    // Two neighbours may come closer by 2 play in each coordinate; along their connecting line that is at most
    // 2 play |d|_1, which must leave them apart. |d|_1 of the unit vector to the next layer: see step_ below.
    const double d_1 = !hexagonal ? 1. : planar_ ? 0.5 * (1 + std::sqrt(3.)) : 1 + std::sqrt(0.5);
    play_ = 0.5 * p.real("jitter") * (spacing_ - 2 * r_max_) / d_1;
    for (int i = 0; i <= up; ++i) {
      step_[i] = spacing_;
      if (hexagonal && planar_ && i == 1) step_[i] *= std::sqrt(3.) / 2;
      if (hexagonal && !planar_ && i == 2) step_[i] *= 1 / std::sqrt(2.);
      // Odd layers are shifted by half a cell and lose one site per shifted direction.
      origin_[i] = lower[i] + r_max_ + play_;
      const double room = upper[i] - lower[i] - 2 * (r_max_ + play_) - (hexagonal && i < up ? 0.5 * spacing_ : 0.);
      if (room < 0) p.fail("upper", "the region is too small for one body", "a region of at least " + to_text(2 * r_max_), "enlarge the region");
      n_[i] = 1 + static_cast<std::int64_t>(std::floor(room / step_[i] * (1 + 1e-12)));  // 1e-12: a region that is an exact multiple
    }
    hexagonal_ = hexagonal;
    count_ = n_[0] * n_[1] * n_[2];
    if (p.has("limit")) count_ = std::min(count_, p.integer("limit"));
  }

  std::int64_t count() const override { return count_; }

  NodeInit body(std::int64_t k, const CounterRandom& random) const override {
    const std::int64_t layer_size = planar_ ? n_[0] : n_[0] * n_[1];
    const std::int64_t site[3] = {k % n_[0], planar_ ? k / n_[0] : k / n_[0] % n_[1], planar_ ? 0 : k / layer_size};
    const bool shifted = hexagonal_ && (k / layer_size) % 2 == 1;
    const double r = sizes_.radius(random);
    double x[3] = {0, 0, 0};
    const int up = planar_ ? 1 : 2;
    for (int i = 0; i <= up; ++i)
      x[i] = origin_[i] + step_[i] * static_cast<double>(site[i]) + (shifted && i < up ? 0.5 * spacing_ : 0.) + play_ * random.uniform(1 + i, -1, 1);

    NodeInit node = sphere_grain(r, density_, velocity_);
    if (planar_) {
      node.data.kind = NodeKind::planar_body, node.data.dofs = 3;
      node.data.mass = density_ * std::numbers::pi * r * r;
      std::fill_n(node.data.inertia, 2, 0.), node.data.inertia[2] = 0.5 * node.data.mass * r * r;
      node.q = {x[0], x[1], 0.}, node.u = {velocity_[0], velocity_[1], 0.};
    } else {
      std::copy_n(x, 3, node.q.begin());
    }
    return node;
  }

 private:
  bool planar_ = false, hexagonal_ = false;
  SizeDistribution sizes_;
  double r_max_, spacing_, density_, play_, velocity_[3];
  double origin_[3] = {0, 0, 0}, step_[3] = {0, 0, 0};
  std::int64_t n_[3] = {1, 1, 1}, count_ = 0;
};

const RegisterFill registered{"fills", "lattice", "bodies or planar discs on a cubic or hexagonal lattice", schema(),
                              [](const Parameters& p) { return std::make_unique<Lattice>(p); }};

}  // namespace
}  // namespace percussion
