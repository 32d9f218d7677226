#include "app/convergence_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// Reasons may have several lines; a row has one.
std::string status(const ConvergenceRow& row) {
  if (row.failure.empty()) return row.unconverged == 0 ? "ok" : fmt::format("ok, {} steps not converged", row.unconverged);
  std::string text = "failed: " + row.failure;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string u_name(const ConvergenceStudy& study) { return study.graph ? "graph" : norm_name(study.p); }

std::string csv_number(std::optional<double> x) { return x && !std::isnan(*x) ? fmt::format("{}", *x) : ""; }
std::string table_order(std::optional<double> order) { return order ? fmt::format("{:.2f}", *order) : "-"; }

}  // namespace

std::string norm_name(double p) { return std::isinf(p) ? "linf" : fmt::format("l{:g}", p); }

std::string to_table(const ConvergenceStudy& study, const ConvergenceRows& rows) {
  std::size_t width = 6;
  for (const ConvergenceRow& row : rows) width = std::max(width, row.method.size());
  std::string text = fmt::format("{:<{}}  {:>10}  {:>11}  {:>11}  {:>7}  {:>7}\n", "method", width, "h [s]", fmt::format("q ({})", norm_name(study.p)),
                                 fmt::format("u ({})", u_name(study)), "order q", "order u");
  for (const ConvergenceRow& row : rows) {
    text += fmt::format("{:<{}}  {:>10.6g}  ", row.method, width, row.h);
    if (!row.failure.empty()) {
      text += status(row) + '\n';
      continue;
    }
    text += fmt::format("{:>11.4e}  {:>11.4e}  {:>7}  {:>7}", row.error_q, row.error_u, table_order(row.order_q), table_order(row.order_u));
    text += row.unconverged > 0 ? fmt::format("  ({} steps not converged)\n", row.unconverged) : "\n";
  }
  return text;
}

std::string to_csv(const ConvergenceStudy& study, const ConvergenceRows& rows) {
  std::string text = "method,h [s],error_q,error_u,order_q,order_u,norm_q,norm_u,reference,status\n";
  for (const ConvergenceRow& row : rows)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_text(row.method), row.h, csv_number(row.error_q), csv_number(row.error_u),
                        csv_number(row.order_q), csv_number(row.order_u), norm_name(study.p), u_name(study), csv_text(row.reference),
                        csv_text(status(row)));
  return text;
}

}  // namespace percussion
