// Where the slot of each node begins, in lines of 8 doubles. Pure granular systems: line(i) = i.
#pragma once
#include <cstdint>
#include <vector>

#include "assembly/body_slot.hpp"

namespace percussion {

class SlotLayout {
 public:
  void rebuild(const NodeStore& nodes) {
    first_.resize(nodes.size() + 1);
    first_[0] = 0;
    for (std::int32_t i = 0; i < nodes.size(); ++i) first_[i + 1] = first_[i] + slot_lines(nodes[i]);
  }
  std::int32_t line(std::int32_t node) const { return first_[node]; }
  std::int32_t lines() const { return first_.back(); }
  std::size_t offset(std::int32_t node) const { return static_cast<std::size_t>(first_[node]) * line_size; }
  /// Offsets in doubles of all nodes and the end, as HaloChannel takes them.
  std::vector<std::int32_t> offsets() const {
    std::vector<std::int32_t> result(first_);
    for (std::int32_t& o : result) o *= line_size;
    return result;
  }

 private:
  std::vector<std::int32_t> first_{0};
};

}  // namespace percussion
