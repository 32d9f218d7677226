// Fills: generated bodies. Catalogue "fills". Every body is a pure function of its number, so each rank makes its own
// share and no rank holds them all; random numbers are keyed by (seed, global id).
#pragma once
#include <cstdint>
#include <memory>

#include "base/registry.hpp"
#include "math/random.hpp"
#include "model/node_types.hpp"

namespace percussion {

class Fill {
 public:
  virtual ~Fill() = default;
  virtual std::int64_t count() const = 0;
  /// Body k of [0, count()); local.
  virtual NodeInit body(std::int64_t k, const CounterRandom& random) const = 0;
};

using FillRegistry = Registry<Fill, const Parameters&>;
using RegisterFill = Registration<Fill, const Parameters&>;

}  // namespace percussion
