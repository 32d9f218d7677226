#include "math/time_function.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace percussion {

namespace {

constexpr const char* blanks = " \t\n\r";

std::string trimmed(const std::string& s) {
  const std::size_t first = s.find_first_not_of(blanks);
  return first == std::string::npos ? "" : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

// The whole of s as a finite number.
std::optional<double> number(const std::string& s) {
  double x = 0.0;
  const char* begin = s.data() + (!s.empty() && s[0] == '+');  // from_chars takes no plus sign
  const auto [end, error] = std::from_chars(begin, s.data() + s.size(), x);
  if (error != std::errc() || end != s.data() + s.size() || !std::isfinite(x)) return std::nullopt;
  return x;
}

// Shortest text that reads back to the same double.
std::string exact(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::vector<std::string> split(const std::string& s, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = s.find(separator, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(s.substr(begin, end - begin));
  parts.push_back(s.substr(begin));
  return parts;
}

constexpr const char* table_word = "table";

bool looks_like_table(const std::string& text) {
  return text.starts_with(table_word) && text.size() > 5 && std::string(blanks).find(text[5]) != std::string::npos;
}

Table table_from_text(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = trimmed(text.substr(5, colon == std::string::npos ? colon : colon - 5));
  if (colon == std::string::npos || (kind != "linear" && kind != "cubic"))
    throw std::invalid_argument("table: expected 'table linear: t v, t v, ...' or 'table cubic: ...', got '" + text +
                                "'");
  std::vector<double> x, y;
  for (const std::string& part : split(text.substr(colon + 1), ',')) {
    const std::string pair = trimmed(part);
    const std::size_t gap = std::min(pair.find_first_of(blanks), pair.size());
    const auto t = number(pair.substr(0, gap)), v = number(trimmed(pair.substr(gap)));
    if (!t || !v)
      throw std::invalid_argument("table: point " + std::to_string(x.size() + 1) + " is '" + pair +
                                  "', expected two numbers 't v'");
    x.push_back(*t);
    y.push_back(*v);
  }
  return {std::move(x), std::move(y), kind == "linear" ? Interpolation::linear : Interpolation::cubic};
}

}  // namespace

TimeFunction TimeFunction::formula_from_text(const std::string& text) {
  const std::vector<std::string> parts = split(text, ';');
  if (parts.size() > 3)
    throw std::invalid_argument("expression '" + text + "': at most f; df/dt; d2f/dt2 can be given");
  Formula formula{Expression(parts[0]), std::nullopt, std::nullopt};
  std::size_t offset = parts[0].size() + 1;
  if (parts.size() > 1) formula.df.emplace(parts[1], offset);
  if (parts.size() > 2) formula.ddf.emplace(parts[2], offset + parts[1].size() + 1);
  return TimeFunction(std::move(formula));
}

TimeFunction TimeFunction::from_text(const std::string& text) {
  const std::string s = trimmed(text);
  if (const auto x = number(s)) return TimeFunction(*x);
  if (looks_like_table(s)) return TimeFunction(table_from_text(s));
  return formula_from_text(text);  // untrimmed: error positions refer to what the user wrote
}

std::string TimeFunction::text() const {
  if (const double* constant = std::get_if<double>(&form_)) return exact(*constant);
  if (const Formula* formula = std::get_if<Formula>(&form_)) {
    std::string s = formula->f.text();
    if (formula->df) s += ";" + formula->df->text();
    if (formula->ddf) s += ";" + formula->ddf->text();
    return s;
  }
  const Table& table = std::get<Table>(form_);
  std::string s = std::string(table_word) + (table.kind() == Interpolation::linear ? " linear:" : " cubic:");
  for (std::size_t i = 0; i < table.x().size(); ++i)
    s += (i ? ", " : " ") + exact(table.x()[i]) + " " + exact(table.y()[i]);
  return s;
}

double TimeFunction::value(double t) const {
  if (const double* constant = std::get_if<double>(&form_)) return *constant;
  if (const Formula* formula = std::get_if<Formula>(&form_)) return formula->f.value(t);
  return std::get<Table>(form_).value(t);
}

double TimeFunction::first_derivative(double t) const {
  if (is_constant()) return 0.0;
  if (const Formula* formula = std::get_if<Formula>(&form_))
    return formula->df ? formula->df->value(t) : formula->f.first_derivative(t);
  return std::get<Table>(form_).first_derivative(t);
}

double TimeFunction::second_derivative(double t) const {
  if (is_constant()) return 0.0;
  if (const Formula* formula = std::get_if<Formula>(&form_)) {
    if (formula->ddf) return formula->ddf->value(t);
    return formula->df ? formula->df->first_derivative(t) : formula->f.second_derivative(t);
  }
  return std::get<Table>(form_).second_derivative(t);
}

}  // namespace percussion
