// What the bodies do to the walls: percussion and moment of a step, summed over the contacts of every part of the walls.
//
// Parts: first the planes, each by its name ("floor", "box.left", "drum.near_end"), then the walls with surfaces that are no
// planes (drum, hopper, mesh), all such surfaces of a wall together, by the name of the wall.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "assembly/contact_rows.hpp"
#include "assembly/system.hpp"

namespace percussion {

struct Reaction {
  Vec3 P = Vec3::Zero();  ///< percussion of the bodies on the wall [N s]
  Vec3 M = Vec3::Zero();  ///< its moment about the reference point [N m s]
};

class WallParts {
 public:
  struct Part {
    std::string name;
    std::int32_t input;  ///< number of its wall in the input
    Vec3 reference;      ///< `rotation_centre` of the wall; moves with its displacement, not with its rotation
  };

  explicit WallParts(const Walls& walls);

  const std::vector<Part>& all() const { return parts_; }
  /// Where the reference point of a part is at time t.
  Vec3 reference(const Walls& walls, std::size_t part, double t) const;
  /// Collective: one reduction of six numbers per part. `records`: the contacts of the last step on this rank.
  std::vector<Reaction> reactions(const System& system, std::span<const ContactRecord> records) const;

 private:
  std::vector<Part> parts_;
  std::vector<std::int32_t> part_of_input_;  ///< of the surfaces that are no planes; -1: the wall has none
};

}  // namespace percussion
