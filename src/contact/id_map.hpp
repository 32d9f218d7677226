// Global id -> local index: a flat hash table with linear probing, filled once. Absent ids give -1.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace percussion {

class IdMap {
 public:
  IdMap() = default;
  /// ids[i] -> i; ids must be different from each other.
  explicit IdMap(std::span<const std::int64_t> ids)
      : entry_(std::bit_ceil(2 * ids.size() + 2)), shift_(64 - std::countr_zero(entry_.size())) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::size_t k = home(ids[i]);
      while (entry_[k].index >= 0) k = next(k);
      entry_[k] = {ids[i], static_cast<std::int32_t>(i)};
    }
  }

  bool empty() const { return entry_.empty(); }

  std::int32_t find(std::int64_t id) const {
    for (std::size_t k = home(id); entry_[k].index >= 0; k = next(k))
      if (entry_[k].id == id) return entry_[k].index;
    return -1;
  }

 private:
  struct Entry {
    std::int64_t id = 0;
    std::int32_t index = -1;
  };
  // Fibonacci hashing: the upper bits of id * 2^64 / golden ratio.
  std::size_t home(std::int64_t id) const { return (static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ull) >> shift_; }
  std::size_t next(std::size_t k) const { return (k + 1) & (entry_.size() - 1); }

  std::vector<Entry> entry_;
  int shift_ = 63;
};

}  // namespace percussion
