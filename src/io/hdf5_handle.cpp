#include "io/hdf5_handle.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace percussion {

namespace {

// The innermost message says most: it carries the reason of the operating system.
std::string innermost_message() {
  std::string text;
  const auto take_first = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& message = *static_cast<std::string*>(out);
    if (message.empty() && error->desc) message = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
  return text.empty() ? "unknown HDF5 error" : text;
}

}  // namespace

hid_t hdf5_check(const std::string& path, hid_t result) {
  if (result >= 0) return result;
  throw RunError(fmt::format("cannot access {}: {}", path, innermost_message()));
}

}  // namespace percussion
