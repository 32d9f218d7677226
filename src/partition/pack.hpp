// Packer and Unpacker: plain values, arrays and strings to and from a byte buffer, for messages between ranks of one
// run (same machine type on all ranks: no conversion of byte order).
//
// The reader must ask for what the writer wrote, in the same order. Every read is checked against the end of the
// buffer and throws RunError; types are not checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace percussion {

template <class T>
concept Packable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class Packer {
 public:
  template <Packable T>
  void put(const T& value) {
    append(&value, sizeof(T));
  }
  /// Length, then the elements.
  template <Packable T>
  void put_array(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  template <Packable T>
  void put_array(const std::vector<T>& values) {
    put_array(std::span<const T>(values));
  }
  void put_string(std::string_view text) { put_array(std::span<const char>(text.data(), text.size())); }

  std::size_t size() const { return data_.size(); }
  void reserve(std::size_t bytes) { data_.reserve(bytes); }
  /// Hands the buffer over and leaves the packer empty.
  std::vector<std::byte> take() { return std::exchange(data_, {}); }

 private:
  void append(const void* from, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    if (bytes > 0) data_.insert(data_.end(), first, first + bytes);
  }
  std::vector<std::byte> data_;
};

/// Reads a buffer it does not own; the buffer must outlive it.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> data) : rest_(data) {}

  template <Packable T>
  T get() {
    T value;
    extract(&value, sizeof(T));
    return value;
  }
  template <Packable T>
  std::vector<T> get_array() {
    const auto count = get<std::uint64_t>();
    // Before the allocation: a damaged length must not ask for terabytes.
    if (count > rest_.size() / sizeof(T)) throw RunError("message too short for the array it announces");
    std::vector<T> values(count);
    extract(values.data(), count * sizeof(T));
    return values;
  }
  std::string get_string() {
    const auto text = get_array<char>();
    return {text.begin(), text.end()};
  }

  bool empty() const { return rest_.empty(); }
  std::size_t remaining() const { return rest_.size(); }

 private:
  void extract(void* to, std::size_t bytes) {
    if (bytes > rest_.size()) throw RunError("read past the end of a message");
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  std::span<const std::byte> rest_;
};

}  // namespace percussion
