// The declared contributions of a rank (springs, joints, elements, declared contacts): those whose first node it owns.
//
// An entry is what the input said, its Parameters and node ids, and the Contribution made of it. The object is made
// in bind(), when all its nodes are here as owned nodes or ghosts, and kept while the entry stays on this rank. Order
// of use around a rebuild of the ghosts:
//
//   add                                              on the rank that owns the first node
//   distribution.build_ghosts(nodes, margin, contributions.ghost_requests())
//   bind                                             after each build_ghosts; then local_nodes is valid
//   release -> distribution.migrate -> absorb        entries travel with their first node
//
// Entries are kept in ascending order of id, so the order on a rank does not depend on the migrations before.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/parameters.hpp"
#include "model/contribution.hpp"
#include "partition/distribution.hpp"

namespace percussion {

class ContributionStore {
 public:
  static constexpr std::int32_t payload_kind = 1;

  struct Entry {
    std::int64_t id = -1;  ///< place in the list of declared contributions of the run: its identity on any rank
    Parameters parameters;
    std::vector<std::int64_t> node_ids;
    std::unique_ptr<Contribution> contribution;  ///< nullptr until bind()
  };

  std::int32_t size() const { return static_cast<std::int32_t>(entries_.size()); }
  const Entry& operator[](std::int32_t k) const { return entries_[k]; }

  /// Local. `parameters` with their `type`; at least one node.
  void add(std::int64_t id, Parameters parameters, std::vector<std::int64_t> node_ids);

  /// Local. All nodes of all entries, for build_ghosts.
  std::vector<GhostRequest> ghost_requests() const;

  /// Collective, after build_ghosts. Finds the nodes and makes the contributions that are new here. An error on one
  /// rank (of the factory: InputError; first node not owned, node missing: RunError) is thrown on all.
  void bind(const NodeStore& nodes, const Distribution& distribution);

  /// Local indices of the nodes of entry k, in its order. Void after anything that moves nodes, until bind().
  std::span<const std::int32_t> local_nodes(std::int32_t k) const;

  /// Local. Appends all entries as payloads of their first node and leaves the store empty.
  void release(std::vector<Payload>& payloads);
  /// Local. Takes the entries out of `payloads` and leaves what belongs to others.
  void absorb(std::vector<Payload>& payloads);

 private:
  std::vector<Entry> entries_;
  std::vector<Entry> released_;            ///< kept until absorb: what comes back needs no new Contribution
  std::vector<std::int32_t> local_nodes_;  ///< of all entries, one after the other
  std::vector<std::int32_t> first_node_;   ///< entry k: [first_node_[k], first_node_[k+1])
};

}  // namespace percussion
