// Counter-based random numbers: a draw is a pure function of (seed, id, draw), with no state.
// Keyed by a global body id the numbers do not depend on the rank, the order of evaluation or how
// many other draws were made. The generator is Philox 4x32 with 10 rounds (Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011): the seed is the key, (id, draw) the counter.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace percussion {

using PhiloxBlock = std::array<std::uint32_t, 4>;

inline PhiloxBlock philox(PhiloxBlock c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return c;
}

// Draws of one object: CounterRandom(seed, body_id).uniform(0), .normal(1), ... Every `draw` index
// is one independent number; uniform(k) and normal(k) of equal k use the same bits, so give each
// quantity its own index.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::uint64_t id) : seed_(seed), id_(id) {}

  std::uint64_t seed() const { return seed_; }

  std::array<std::uint64_t, 2> bits(std::uint64_t draw) const {
    const PhiloxBlock r = philox({low(id_), high(id_), low(draw), high(draw)}, {low(seed_), high(seed_)});
    return {(std::uint64_t{r[1]} << 32) | r[0], (std::uint64_t{r[3]} << 32) | r[2]};
  }

  // In [0, 1), multiples of 2^-53.
  double uniform(std::uint64_t draw) const { return static_cast<double>(bits(draw)[0] >> 11) * 0x1p-53; }
  double uniform(std::uint64_t draw, double a, double b) const { return a + (b - a) * uniform(draw); }

  // Standard normal by Box-Muller; the shift by half a unit keeps log away from zero.
  double normal(std::uint64_t draw) const {
    const auto r = bits(draw);
    const double u = (static_cast<double>(r[0] >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(r[1] >> 11) * 0x1p-53;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586477 * v);
  }

 private:
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

  std::uint64_t seed_, id_;
};

}  // namespace percussion
