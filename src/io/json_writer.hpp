// Writes JSON text member by member (we only ever write it; nothing here reads JSON).
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace percussion {

class JsonWriter {
 public:
  void begin_object(std::string_view key = {}) { open(key, '{'); }
  void end_object() { close('}'); }
  void begin_array(std::string_view key = {}) { open(key, '['); }
  void end_array() { close(']'); }

  template <class T>
  void member(std::string_view key, const T& value) {
    item(key, encode(value));
  }
  template <class T>
  void element(const T& value) {
    item({}, encode(value));
  }

  const std::string& text() const { return text_; }

 private:
  static std::string encode(std::string_view text);
  static std::string encode(const std::string& text) { return encode(std::string_view(text)); }
  static std::string encode(const char* text) { return encode(std::string_view(text)); }
  static std::string encode(bool value) { return value ? "true" : "false"; }
  static std::string encode(double value);  ///< null if not finite: JSON has no such numbers
  template <std::integral T>
  static std::string encode(T value) {
    return std::to_string(value);
  }
  template <class T>
  static std::string encode(const std::optional<T>& value) {
    return value ? encode(*value) : "null";
  }

  void item(std::string_view key, const std::string& value);
  void open(std::string_view key, char bracket);
  void close(char bracket);

  std::string text_;
  int depth_ = 0;
};

}  // namespace percussion
