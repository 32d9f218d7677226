#include "model/contribution.hpp"

namespace percussion {

Contribution::Contribution(std::vector<NodeRef> nodes) : nodes_(std::move(nodes)) {
  for (const NodeRef& n : nodes_) nq_ += n.nq(), nu_ += n.nu();
}

}  // namespace percussion
