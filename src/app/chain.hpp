// Chains: N bar elements (model/bar.cpp) in a row between two end points, in the section `chains` of the input.
//
// Nodes 0..N and bars 0..N-1 are pure functions of their number, so each rank makes its own share and no rank holds them
// all; bar k leads from node k to node k + 1. Nodes have no mass of their own. Only the ends have names: <name>.first and
// <name>.last.
#pragma once
#include <cstdint>
#include <vector>

#include "base/schema.hpp"
#include "model/node_types.hpp"

namespace percussion {

Schema chain_schema();

class Chain {
 public:
  /// `p`: a section of chain_schema(). `gravity`: of the case, for the masses of the bars. InputError if no chain is like that.
  Chain(const Parameters& p, const Vec3& gravity);

  std::int64_t elements() const { return elements_; }
  std::int64_t nodes() const { return elements_ + 1; }
  /// Node k; named if it is an end.
  NodeInit node(std::int64_t k) const;
  /// What every bar of the chain is made from: the input of a contribution of type bar.
  const Parameters& bar() const { return bar_; }

 private:
  std::string name_;
  std::vector<double> from_, to_, velocity_;
  std::int64_t elements_;
  Parameters bar_;
};

}  // namespace percussion
