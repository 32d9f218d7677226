#include "contact/sweep_order.hpp"

#include <algorithm>

namespace percussion {

namespace {

constexpr int waiting_max = 16;  // contacts to choose from: more lose the neighbourhood in space and gain nothing
constexpr int look_back = 2;     // updates in flight at the same time

struct Pair {
  std::int32_t a = -1, b = -1;  // b < 0: wall
  bool shares_body(const Pair& other) const { return a == other.a || a == other.b || (b >= 0 && (b == other.a || b == other.b)); }
};

}  // namespace

std::span<const std::int32_t> SweepOrder::operator()(std::span<const SphereContactGeometry> contacts, std::span<const Candidate> candidates) {
  const auto n = static_cast<std::int32_t>(contacts.size());
  order_.resize(n);
  std::int32_t waiting[waiting_max], next = 0;
  Pair pair[waiting_max], last[look_back];
  int count = 0;
  for (std::int32_t place = 0; place < n; ++place) {
    for (; next < n && count < waiting_max; ++next, ++count) {
      const Candidate& c = candidates[contacts[next].candidate];
      waiting[count] = next, pair[count] = {c.a, c.b};
    }
    int pick = 0;
    while (pick < count && std::ranges::any_of(last, [&](const Pair& l) { return pair[pick].shares_body(l); })) ++pick;
    if (pick == count) pick = 0;
    order_[place] = waiting[pick];
    last[place % look_back] = pair[pick];
    // The others keep their order, so that none waits for ever.
    std::copy(waiting + pick + 1, waiting + count, waiting + pick);
    std::copy(pair + pick + 1, pair + count, pair + pick);
    --count;
  }
  return order_;
}

}  // namespace percussion
