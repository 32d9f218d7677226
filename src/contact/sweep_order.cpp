#include "contact/sweep_order.hpp"

#include <algorithm>

namespace percussion {

namespace {

constexpr int waiting_max = 16;  // contacts to choose from: more lose the neighbourhood in space and gain nothing
constexpr int look_back = 2;     // updates in flight at the same time

struct Waiting {
  std::int32_t contact = -1, a = -1, b = -1;  // b < 0: wall
  bool shares_body(const Waiting& other) const { return a == other.a || a == other.b || (b >= 0 && (b == other.a || b == other.b)); }
};

}  // namespace

std::span<const std::int32_t> SweepOrder::operator()(std::span<const SphereContactGeometry> contacts, std::span<const Candidate> candidates) {
  const auto n = static_cast<std::int32_t>(contacts.size());
  order_.resize(n);
  Waiting waiting[2 * waiting_max], last[look_back];
  std::int32_t next = 0;
  int first = 0, end = 0;  // of those that wait
  for (std::int32_t place = 0; place < n; ++place) {
    if (end + waiting_max > 2 * waiting_max) {
      std::copy(waiting + first, waiting + end, waiting);
      end -= first, first = 0;
    }
    for (; next < n && end - first < waiting_max; ++next, ++end) {
      const Candidate& c = candidates[contacts[next].candidate];
      waiting[end] = {next, c.a, c.b};
    }
    int pick = first;
    while (pick < end && (waiting[pick].shares_body(last[0]) || waiting[pick].shares_body(last[1]))) ++pick;
    if (pick == end) pick = first;
    const Waiting picked = waiting[pick];
    order_[place] = picked.contact;
    last[place % look_back] = picked;
    // The others keep their order, so that none waits for ever; mostly one of the first is picked.
    for (int k = pick; k > first; --k) waiting[k] = waiting[k - 1];
    ++first;
  }
  return order_;
}

}  // namespace percussion
