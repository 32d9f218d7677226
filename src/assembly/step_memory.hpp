// What a scheme remembers from one step to the next beside q, u and the percussions of the candidates, as
// plain records: the form in which it is stored in a checkpoint and sent to the rank that needs it.
//
// A record follows a node (that of its contact or contribution, or its own), whatever rank owns it. `numbers`
// are the same on all ranks. Writer and reader are the same class, so kinds and order are theirs; load() must
// accept records that are missing: a start without them costs iterations, not accuracy.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace percussion {

enum class MemoryKind : std::int32_t {
  row_percussion,       ///< a = role, b = contribution: percussions of a step on velocity level
  implicit_percussion,  ///< the same of the assembled view
  stage_percussion,     ///< a = role, b = contribution: mu of all stages, then Delta pi
  sphere_percussion,    ///< a, b = ids of a contact: mu of all stages
  stage_increment,      ///< a = node: dU of all stages, the start of the next Newton iteration
  linearised_state,     ///< a = node: Q, U, dU of all stages where the kept matrix was made
  linearised_row,       ///< a, b identify a block, in the order of the blocks: mu, dPi_first, axis there
  row_turning,          ///< a, b = ids of a contact: feature, percussion of rolling and pivoting (I)
  implicit_turning      ///< the same of the assembled view
};

struct MemoryKey {
  std::int64_t node = -1;
  MemoryKind kind{};
  std::int32_t count = 0;  ///< of values
  std::int64_t a = 0, b = 0;
};

struct StepMemory {
  bool complete =
      true;  ///< false: read on another number of ranks, so without anything that depends on local order
  std::vector<double> numbers;
  std::vector<MemoryKey> keys;
  std::vector<double> values;  ///< of the keys, one after the other

  void add(MemoryKind kind, std::int64_t node, std::int64_t a, std::int64_t b,
           std::span<const double> record) {
    keys.push_back({node, kind, static_cast<std::int32_t>(record.size()), a, b});
    values.insert(values.end(), record.begin(), record.end());
  }
  /// f(key, values) for the records of a kind, in their order.
  template <class Function>
  void for_each(MemoryKind kind, Function&& f) const {
    std::size_t first = 0;
    for (const MemoryKey& key : keys) {
      if (key.kind == kind) f(key, std::span<const double>(values).subspan(first, key.count));
      first += static_cast<std::size_t>(key.count);
    }
  }
  /// The next number, in the order in which they were written.
  double take_number() {
    PERCUSSION_CHECK(taken_ < numbers.size(), "a scheme reads as many numbers as it wrote");
    return numbers[taken_++];
  }

 private:
  std::size_t taken_ = 0;
};

}  // namespace percussion
