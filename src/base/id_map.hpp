// Flat hash map from ids (int64, >= 0) to int32 values: open addressing, linear probing, 16 bytes per slot and two to
// four slots per entry. There is no erase: maps are made anew when the set of ids changes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace percussion {

/// Spreads the bits of consecutive numbers over the whole word (finaliser of MurmurHash3).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

class IdMap {
 public:
  static constexpr std::int32_t absent = -1;

  IdMap() = default;
  /// ids[i] -> i; of equal ids the first one counts.
  explicit IdMap(std::span<const std::int64_t> ids) {
    reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) insert(ids[i], static_cast<std::int32_t>(i));
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void clear() { slots_.clear(), size_ = 0; }

  /// Room for this many entries without growing.
  void reserve(std::size_t entries) {
    std::size_t slots = 16;
    while (slots < 2 * entries) slots *= 2;
    if (slots > slots_.size()) rehash(slots);
  }

  /// Returns false if the id was there already; its value is then left as it is.
  bool insert(std::int64_t id, std::int32_t value) {
    reserve(size_ + 1);
    Slot& slot = slots_[position(id)];
    if (slot.id == id) return false;
    slot = {id, value};
    ++size_;
    return true;
  }

  void assign(std::int64_t id, std::int32_t value) {
    if (!insert(id, value)) slots_[position(id)].value = value;
  }

  std::int32_t find(std::int64_t id) const {
    if (slots_.empty() || id < 0) return absent;
    const Slot& slot = slots_[position(id)];
    return slot.id == id ? slot.value : absent;
  }

 private:
  struct Slot {
    std::int64_t id = -1;  ///< -1: free
    std::int32_t value = absent;
  };

  // The slot of the id, or the free one where it belongs.
  std::size_t position(std::int64_t id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix_bits(static_cast<std::uint64_t>(id)) & mask;
    while (slots_[at].id != id && slots_[at].id >= 0) at = (at + 1) & mask;
    return at;
  }

  void rehash(std::size_t slots) {
    const auto old = std::exchange(slots_, std::vector<Slot>(slots));
    for (const auto& slot : old)
      if (slot.id >= 0) slots_[position(slot.id)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace percussion
