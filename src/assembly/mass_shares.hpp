// How the mass of a body is divided among the ranks whose contacts touch it (solvers/body_exchange.hpp): equally, and an
// owner without contacts there gets nothing. Shares in proportion to the number of contacts were tried: on 12^3 spheres and 8
// ranks they need 231 sweeps where equal shares need 194 (132 on one rank), since the contact with the smallest share is slowest.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "partition/halo_channel.hpp"

namespace percussion {

class MassShares {
 public:
  /// `halo`: nullptr on one rank. Same call order on all ranks; after every change of the halo.
  void reshape(const Halo* halo) { channel_ = halo ? std::make_unique<HaloChannel<std::int32_t>>(*halo, 1) : nullptr; }

  /// Collective. `used`: whether contacts of this rank touch a local node, ghosts included. One message each way per neighbour.
  void divide(std::span<const std::uint8_t> used);

  /// Whether contacts of another rank than the owner touch a node; the same on all ranks that know it.
  bool shared(std::int32_t node) const { return shared_[node] != 0; }
  /// 1 / share of this rank: the factor on the inverse mass of its copy. 1 if it has no contact there.
  double copies(std::int32_t node) const { return copies_[node]; }

  std::size_t memory() const { return copies_.capacity() * 8 + users_.capacity() * 4 + shared_.capacity(); }

 private:
  std::unique_ptr<HaloChannel<std::int32_t>> channel_;
  std::vector<std::int32_t> users_;
  std::vector<double> copies_;
  std::vector<std::uint8_t> shared_;
};

}  // namespace percussion
