// The Morton (Z) curve: interleaved bits of three cell numbers. Cells near on the curve are near in space.
#pragma once
#include <cstdint>

namespace percussion {

/// Bit k of x goes to bit 3k; x < 2^21.
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// Place of the cell (i, j, k) on the curve; each below 2^21.
constexpr std::uint64_t morton_code(std::uint64_t i, std::uint64_t j, std::uint64_t k) {
  return spread_bits(i) | spread_bits(j) << 1 | spread_bits(k) << 2;
}

}  // namespace percussion
