#include "assembly/mass_shares.hpp"

#include <algorithm>

namespace percussion {

void MassShares::divide(std::span<const std::uint8_t> used) {
  copies_.assign(used.size(), 1.);
  shared_.assign(used.size(), 0);
  if (!channel_) return;
  users_.resize(used.size());
  std::transform(used.begin(), used.end(), users_.begin(), [](auto flag) { return flag ? 1 : 0; });
  channel_->reduce_add(users_);
  // Only the owner can tell a body that it alone uses from a shared one: it says so by the sign.
  for (std::size_t i = 0; i < users_.size(); ++i)
    if (users_[i] == (used[i] ? 1 : 0)) users_[i] = -users_[i];
  channel_->broadcast(users_);
  for (std::size_t i = 0; i < users_.size(); ++i) {
    if (users_[i] <= 0) continue;
    shared_[i] = 1;
    if (used[i]) copies_[i] = users_[i];
  }
}

}  // namespace percussion
