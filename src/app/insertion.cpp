#include "app/insertion.hpp"

#include <cmath>

#include "app/grain_keys.hpp"
#include "app/shape_library.hpp"
#include "model/model_input.hpp"

namespace percussion {

namespace {

// Numbers of draws, beyond those of sizes, orientations and velocities.
constexpr std::uint64_t place_draw = std::uint64_t{1} << 20;
// Keeps the random numbers of regions apart from those of fills and of each other.
constexpr std::uint64_t stream_of(std::uint64_t seed, std::size_t index) { return seed ^ ((index + 1) * 0x9E3779B97F4A7C15ull); }

}  // namespace

Schema insertion_schema() {
  Schema s;
  s.reals("lower", 3).required().unit("m").doc("lower corner of the region");
  s.reals("upper", 3).required().unit("m").doc("upper corner of the region; bodies enter wholly inside");
  s.real("start").unit("s").doc("when the first body enters; default time.start");
  s.real("end").unit("s").doc("no body is due at this time or later; default never");
  s.real("rate").positive().unit("1/s").doc("bodies per second");
  s.real("mass_rate").positive().unit("kg/s").doc("mass per second, instead of rate");
  s.real("every").positive().unit("s").doc("time between batches of `count` bodies, instead of rate");
  s.integer("count").fallback(1).at_least(1).doc("with every: bodies per batch");
  s.integer("limit").at_least(1).doc("at most this many bodies in all");
  s.integer("attempts").fallback(20).at_least(1).doc("places tried per body and step; if none is free the body waits for the next step");
  add_grain_keys(s);
  return s;
}

Insertion::Insertion(const Parameters& p, std::size_t index, std::int32_t shape, std::uint64_t seed, double start)
    : sizes_(p),
      lower_(vector_of(p, "lower")),
      upper_(vector_of(p, "upper")),
      velocity_(vector_of(p, "velocity")),
      start_(p.has("start") ? p.real("start") : start),
      density_(p.real("density")),
      spread_(p.real("velocity_spread")),
      count_(p.integer("count")),
      seed_(stream_of(seed, index)),
      shape_(shape),
      turned_(shape > 0 && p.text("orientation") == "random"),
      attempts_(static_cast<int>(p.integer("attempts"))) {
  const auto optional = [&](const char* key) { return p.has(key) ? std::optional(p.real(key)) : std::nullopt; };
  rate_ = optional("rate"), mass_rate_ = optional("mass_rate"), every_ = optional("every");
  if (rate_.has_value() + mass_rate_.has_value() + every_.has_value() != 1)
    p.fail(rate_ ? "rate" : mass_rate_ ? "mass_rate" : every_ ? "every" : "", "when do bodies enter?", "one of rate, mass_rate, every", "give exactly one of them");
  if (p.has("end")) end_ = p.real("end");
  if (end_ <= start_) p.fail("end", "not after the start", "a time after start", "raise end or lower start");
  if (p.has("limit")) limit_ = p.integer("limit");
  if (((upper_ - lower_).array() < 2 * sizes_.largest()).any())
    p.fail("upper", "the region is too small for the largest body", "edges of at least " + to_text(2 * sizes_.largest()) + " m", "enlarge the region");
}

bool Insertion::is_due(double t, std::int64_t ahead, double mass) const {
  const std::int64_t k = entered_ + ahead;
  if (k >= limit_ || t < start_) return false;
  const double until = std::min(t, std::nextafter(end_, start_)) - start_;
  // 1e-9: a time that is a multiple of the interval but for rounding.
  if (rate_) return static_cast<double>(k) <= until * *rate_ + 1e-9;
  if (every_) return k < count_ * (1 + static_cast<std::int64_t>(std::floor(until / *every_ + 1e-9)));
  return mass <= until * *mass_rate_;
}

NodeInit Insertion::body(std::int64_t k, const ShapeTable& shapes) const {
  const CounterRandom random(seed_, static_cast<std::uint64_t>(k));
  NodeInit node = sphere_grain(sizes_.radius(random), density_, velocity_.data());
  finish_grain(shapes, shape_, density_, turned_ ? &random : nullptr, node);
  spread_velocity(spread_, random, node);
  return node;
}

Vec3 Insertion::place(std::int64_t k, std::uint64_t attempt, double r) const {
  const CounterRandom random(seed_, static_cast<std::uint64_t>(k));
  Vec3 x;
  for (int i = 0; i < 3; ++i) x[i] = random.uniform(place_draw + 3 * attempt + i, lower_[i] + r, upper_[i] - r);
  return x;
}

}  // namespace percussion
