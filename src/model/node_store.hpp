// The nodes of one rank as a structure of arrays: owned nodes first, then ghost copies of other ranks' nodes.
//
// The contribution graph, migration, ghosts, contact detection and output all work on this store; q and u are the
// state of the simulation. Offsets are kept as prefix sums, so blocks of any kind follow each other without gaps.
// Only partition/ and the case builder add or remove nodes; integrators change q and u; everybody else reads.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/node.hpp"

namespace percussion {

/// Everything that makes a node, as it travels between ranks (fixed part; q and u follow).
struct NodeData {
  std::int64_t id = -1;
  NodeKind kind = NodeKind::point_3d;
  std::int8_t dofs = 3;        ///< nu
  std::int16_t reserved = 0;
  std::int32_t shape = -1;     ///< index into the table of shapes; -1: no shape, never detected
  double mass = 0;
  double inertia[3] = {0, 0, 0};  ///< principal moments in K (planar: [2] only)
  double radius = 0;              ///< of the shape's bounding sphere; the sphere itself for sphere shapes
  std::int32_t image[3] = {0, 0, 0};  ///< periods to add to the stored position for the way the node has really gone
  std::int32_t reserved_2 = 0;
};

class NodeStore {
 public:
  std::int32_t size() const { return static_cast<std::int32_t>(data_.size()); }
  std::int32_t owned() const { return owned_; }
  bool is_owned(std::int32_t i) const { return i < owned_; }

  const NodeData& operator[](std::int32_t i) const { return data_[i]; }
  /// Periods passed by node i; whoever moves its position by a period counts it here.
  std::int32_t* image(std::int32_t i) { return data_[i].image; }
  NodeRef ref(std::int32_t i) const { return {data_[i].id, data_[i].kind, data_[i].dofs}; }

  std::span<double> q(std::int32_t i) { return {q_.data() + q_offset_[i], std::size_t(q_offset_[i + 1] - q_offset_[i])}; }
  std::span<const double> q(std::int32_t i) const { return {q_.data() + q_offset_[i], std::size_t(q_offset_[i + 1] - q_offset_[i])}; }
  std::span<double> u(std::int32_t i) { return {u_.data() + u_offset_[i], std::size_t(u_offset_[i + 1] - u_offset_[i])}; }
  std::span<const double> u(std::int32_t i) const { return {u_.data() + u_offset_[i], std::size_t(u_offset_[i + 1] - u_offset_[i])}; }

  /// Whole arrays (owned and ghosts); size nq_total(), nu_total().
  std::vector<double>& q() { return q_; }
  std::vector<double>& u() { return u_; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& u() const { return u_; }
  std::span<const std::int32_t> q_offset() const { return q_offset_; }
  std::span<const std::int32_t> u_offset() const { return u_offset_; }
  /// End of the owned part of q and u.
  std::int32_t nq_owned() const { return q_offset_[owned_]; }
  std::int32_t nu_owned() const { return u_offset_[owned_]; }

  /// Appends a node; owned nodes must all be added before the first ghost.
  void add(const NodeData& data, std::span<const double> q, std::span<const double> u, bool ghost);
  void clear();
  /// Drops all ghosts.
  void drop_ghosts();
  void reserve(std::int32_t nodes);

  /// Bytes held by the arrays.
  std::size_t memory() const;

 private:
  std::vector<NodeData> data_;
  std::vector<double> q_, u_;
  std::vector<std::int32_t> q_offset_{0}, u_offset_{0};
  std::int32_t owned_ = 0;
};

}  // namespace percussion
