#include "io/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace percussion {

std::string JsonWriter::encode(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\', result += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string JsonWriter::encode(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

void JsonWriter::item(std::string_view key, const std::string& value) {
  if (!text_.empty()) {
    const char last = text_.back();
    if (last != '{' && last != '[') text_ += ',';
    text_ += '\n' + std::string(2 * static_cast<std::size_t>(depth_), ' ');
  }
  if (!key.empty()) text_ += encode(key) + ": ";
  text_ += value;
}

void JsonWriter::open(std::string_view key, char bracket) {
  item(key, std::string(1, bracket));
  ++depth_;
}

void JsonWriter::close(char bracket) {
  --depth_;
  const char last = text_.back();
  if (last != '{' && last != '[') text_ += '\n' + std::string(2 * static_cast<std::size_t>(depth_), ' ');
  text_ += bracket;
}

}  // namespace percussion
