// A checksum of distributed arrays: the sum over all 64-bit words of a mix of word and position, modulo 2^64.
// Ranks sum their slices, so the result does not depend on the number of ranks; a changed, lost or exchanged
// word changes it but for one case in 2^64.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace percussion {

/// Of a slice that begins `first_byte` (a multiple of 8) bytes into the array; a last incomplete word is
/// padded with zeros.
inline std::uint64_t checksum_of(std::span<const std::byte> bytes, std::uint64_t first_byte) {
  // The finaliser of MurmurHash3 is a bijection of words in which every bit depends on every other.
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
  };
  std::uint64_t sum = 0, position = first_byte / 8;
  for (std::size_t at = 0; at < bytes.size(); at += 8, ++position) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, at + 8 <= bytes.size() ? 8 : bytes.size() - at);
    sum += mix(word + (position + 1) * 0x9e3779b97f4a7c15ull);
  }
  return sum;
}

}  // namespace percussion
