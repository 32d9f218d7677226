// Parameters <-> text. Numbers end with a space, strings carry their length, so no character needs an escape:
//   section := path origin count { key origin value };  value := one letter for the kind, then the value.
// An origin repeats the file name only when it differs from the enclosing section's.
#include <charconv>
#include <stdexcept>

#include "base/parameters.hpp"

namespace percussion {

namespace {

constexpr std::string_view version = "P1 ";

class Writer {
 public:
  std::string out{version};

  void section(const Parameters& p, const std::string& outer_file) {
    put(p.path());
    origin(p.origin(), outer_file);
    put(p.values().size());
    for (const auto& [key, value] : p.values()) {
      put(key);
      origin(p.origin(key), p.origin().file);
      std::visit([&](const auto& v) { this->value(v, p.origin().file); }, value);
    }
  }

 private:
  template <class Number>
  void number(Number x) {
    char buffer[40];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
    out += ' ';
  }
  void put(std::size_t n) { number(n); }
  void put(const std::string& text) {
    number(text.size());
    out += text;
  }
  void origin(const Origin& o, const std::string& outer_file) {
    const bool same = o.file == outer_file;
    out += same ? '=' : '!';
    if (!same) put(o.file);
    number(o.line);
  }
  void value(std::monostate, const std::string&) { out += '-'; }
  void value(bool b, const std::string&) { out += b ? 'T' : 'F'; }
  void value(std::int64_t i, const std::string&) { out += 'i', number(i); }
  void value(double x, const std::string&) { out += 'r', number(x); }
  void value(const std::string& t, const std::string&) { out += 't', put(t); }
  void value(const std::vector<double>& xs, const std::string&) {
    out += 'R', put(xs.size());
    for (const double x : xs) number(x);
  }
  void value(const std::vector<std::string>& ts, const std::string&) {
    out += 'X', put(ts.size());
    for (const std::string& t : ts) put(t);
  }
  void value(const std::shared_ptr<const Parameters>& p, const std::string& file) { out += 's', section(*p, file); }
  void value(const std::shared_ptr<const ParametersList>& list, const std::string& file) {
    out += 'S', put(list->size());
    for (const Parameters& p : *list) section(p, file);
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {
    if (!rest_.starts_with(version)) broken();
    rest_.remove_prefix(version.size());
  }

  Parameters section(const std::string& outer_file) {
    std::string path = text();
    Parameters p(std::move(path), origin(outer_file));
    const std::string file = p.origin().file;
    for (std::size_t n = number<std::size_t>(); n > 0; --n) {
      const std::string key = text();
      Origin where = origin(file);
      p.set(key, value(file), std::move(where));
    }
    return p;
  }
  void expect_end() const {
    if (!rest_.empty()) broken();
  }

 private:
  [[noreturn]] static void broken() { throw RunError("serialised parameters are damaged or of another version"); }

  template <class Number>
  Number number() {
    Number x{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), x);
    const std::size_t used = end - rest_.data();
    if (error != std::errc{} || used >= rest_.size() || rest_[used] != ' ') broken();
    rest_.remove_prefix(used + 1);
    return x;
  }
  char letter() {
    if (rest_.empty()) broken();
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  std::string text() {
    const auto n = number<std::size_t>();
    if (n > rest_.size()) broken();
    std::string result(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return result;
  }
  Origin origin(const std::string& outer_file) {
    Origin o;
    o.file = letter() == '=' ? outer_file : text();
    o.line = number<int>();
    return o;
  }
  Value value(const std::string& file) {
    switch (letter()) {
      case '-': return std::monostate{};
      case 'T': return true;
      case 'F': return false;
      case 'i': return number<std::int64_t>();
      case 'r': return number<double>();
      case 't': return text();
      case 'R': {
        std::vector<double> xs(checked_count());
        for (double& x : xs) x = number<double>();
        return xs;
      }
      case 'X': {
        std::vector<std::string> ts(checked_count());
        for (std::string& t : ts) t = text();
        return ts;
      }
      case 's': return std::make_shared<const Parameters>(section(file));
      case 'S': {
        ParametersList list(checked_count());
        for (Parameters& p : list) p = section(file);
        return std::make_shared<const ParametersList>(std::move(list));
      }
      default: broken();
    }
  }
  /// Every element takes a character at least: a damaged count cannot ask for all the memory.
  std::size_t checked_count() {
    const auto n = number<std::size_t>();
    if (n > rest_.size()) broken();
    return n;
  }

  std::string_view rest_;
};

}  // namespace

std::string Parameters::serialise() const {
  Writer writer;
  writer.section(*this, {});
  return std::move(writer.out);
}

Parameters Parameters::deserialise(std::string_view text) {
  Reader reader(text);
  Parameters result = reader.section({});
  reader.expect_end();
  return result;
}

}  // namespace percussion
