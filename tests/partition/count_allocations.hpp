#pragma once

namespace percussion::test {

#ifdef PERCUSSION_SANITIZE
inline constexpr bool allocations_are_counted = false;
#else
inline constexpr bool allocations_are_counted = true;
#endif

/// C++ allocations of this process so far; 0 where they are not counted.
long allocations();

}  // namespace percussion::test
