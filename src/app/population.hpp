// Bodies that come and go during a run: insertion regions and outlets, and the balance of what passed them.
//
// exchange() is called between steps. Ids of bodies that enter follow those of all bodies before and are never used again.
// What happens depends on the seed and the state only, not on the ranks: every rank proposes the same bodies, tests the places
// against its own bodies, and one reduction of a byte per place says which are free.
// Cost of a step in which a body is due or outlets are looked at: O(owned), and two small reductions; if bodies come or go, new
// ghosts and candidates.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/insertion.hpp"
#include "assembly/system.hpp"
#include "io/checkpoint_reader.hpp"
#include "io/checkpoint_writer.hpp"

namespace percussion {

/// What has passed so far, on all ranks alike. Energies: kinetic and of gravity, when a body entered or left.
struct Passed {
  std::int64_t bodies = 0;
  double mass = 0, energy = 0;
};

Schema outlet_schema();

class Population {
 public:
  /// `first_id`: the first id that is free; `fills`: ids [first, last) of the bodies of the input that may leave (declared nodes
  /// and chains stay). Shapes of the regions join the table of the system.
  void setup(System& system, const Parameters& input, std::int64_t first_id, std::int64_t fills_begin, std::int64_t fills_end);

  bool changes() const { return !insertions_.empty() || !outlets_.empty(); }
  double largest() const;  ///< radius of a body that may enter
  const Passed& entered() const { return entered_; }
  const Passed& left() const { return left_; }

  /// Collective, before a step of size h. The number of bodies on all ranks changes by the result.
  std::int64_t exchange(System& system, double h);

  void store(CheckpointWriter& file) const;
  void restore(const CheckpointReader& file);

 private:
  struct Outlet {
    Vec3 n;
    double offset;
    std::int64_t every;
  };
  /// A body that is due, and the places it may take.
  struct Proposal {
    std::size_t insertion;
    NodeInit node;
    std::vector<Vec3> places;
  };
  std::vector<std::uint8_t> leaving(const System& system);
  std::vector<Proposal> proposals(const System& system) const;
  std::vector<NodeInit> entering(System& system, std::span<const std::uint8_t> leaving);

  std::vector<Insertion> insertions_;
  std::vector<Outlet> outlets_;
  std::int64_t next_id_ = 0, fills_begin_ = 0, fills_end_ = 0, first_entered_id_ = 0;
  std::int64_t calls_ = 0;  ///< of exchange(): the number of the attempt, and when outlets are looked at
  Passed entered_, left_;
};

}  // namespace percussion
