// An insertion region (section `insertions` of the input): bodies that enter during the run, at free places of a box.
//
// Body k of a region is a pure function of the seed and k, its place one of the seed, k and the attempt, so all ranks propose
// the same bodies. They enter in their order: one that finds no place holds up those after it, which keeps the size
// distribution of what enters that of the input. State: how many have entered, and their mass.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "app/size_distribution.hpp"
#include "contact/shape.hpp"
#include "model/node_types.hpp"

namespace percussion {

Schema insertion_schema();

class Insertion {
 public:
  /// `p`: a section of insertion_schema(); `index`: its number; `shape`: its index in the table of shapes. InputError for an
  /// unclear rate or a region too small for a body.
  Insertion(const Parameters& p, std::size_t index, std::int32_t shape, std::uint64_t seed, double start);

  std::int64_t entered() const { return entered_; }
  double mass() const { return mass_; }
  void set_state(std::int64_t entered, double mass) { entered_ = entered, mass_ = mass; }

  /// Whether body k = entered() + `ahead` should have entered by time t, if those before it have; `mass`: theirs.
  bool is_due(double t, std::int64_t ahead, double mass) const;
  /// Body k at the origin; `shapes`: of the system.
  NodeInit body(std::int64_t k, const ShapeTable& shapes) const;
  /// Random place for body k of radius r.
  Vec3 place(std::int64_t k, std::uint64_t attempt, double r) const;
  void accept(double mass) { ++entered_, mass_ += mass; }

  const Vec3& lower() const { return lower_; }
  const Vec3& upper() const { return upper_; }
  int attempts() const { return attempts_; }
  double largest() const { return sizes_.largest(); }

 private:
  SizeDistribution sizes_;
  Vec3 lower_, upper_, velocity_;
  double start_, end_ = std::numeric_limits<double>::infinity(), density_, spread_;
  std::optional<double> rate_, mass_rate_, every_;
  std::int64_t count_, limit_ = std::numeric_limits<std::int64_t>::max();
  std::uint64_t seed_;
  std::int32_t shape_;
  bool turned_;
  int attempts_;
  std::int64_t entered_ = 0;
  double mass_ = 0;
};

}  // namespace percussion
