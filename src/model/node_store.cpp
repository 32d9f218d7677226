#include "model/node_store.hpp"

#include "base/error.hpp"

namespace percussion {

const char* name(NodeKind kind) {
  switch (kind) {
    case NodeKind::point_2d: return "point_2d";
    case NodeKind::point_3d: return "point_3d";
    case NodeKind::planar_body: return "planar_body";
    case NodeKind::rigid_body: return "rigid_body";
    case NodeKind::generalized: return "generalized";
  }
  return "?";
}

void NodeStore::add(const NodeData& data, std::span<const double> q, std::span<const double> u, bool ghost) {
  PERCUSSION_CHECK(ghost || owned_ == size(), "owned nodes come before ghosts");
  PERCUSSION_CHECK(int(q.size()) == nq(data.kind, data.dofs) && int(u.size()) == nu(data.kind, data.dofs), "block sizes of a node");
  data_.push_back(data);
  q_.insert(q_.end(), q.begin(), q.end());
  u_.insert(u_.end(), u.begin(), u.end());
  q_offset_.push_back(static_cast<std::int32_t>(q_.size()));
  u_offset_.push_back(static_cast<std::int32_t>(u_.size()));
  if (!ghost) ++owned_;
}

void NodeStore::clear() {
  data_.clear(), q_.clear(), u_.clear();
  q_offset_.assign(1, 0), u_offset_.assign(1, 0);
  owned_ = 0;
}

void NodeStore::drop_ghosts() {
  data_.resize(owned_);
  q_offset_.resize(owned_ + 1), u_offset_.resize(owned_ + 1);
  q_.resize(q_offset_.back()), u_.resize(u_offset_.back());
}

void NodeStore::reserve(std::int32_t nodes) { data_.reserve(nodes), q_offset_.reserve(nodes + 1), u_offset_.reserve(nodes + 1); }

std::size_t NodeStore::memory() const {
  return data_.capacity() * sizeof(NodeData) + (q_.capacity() + u_.capacity()) * sizeof(double) +
         (q_offset_.capacity() + u_offset_.capacity()) * sizeof(std::int32_t);
}

}  // namespace percussion
