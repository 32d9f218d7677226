// Tableaus under test with what theory says about them, and the simplifying assumptions written out (Breuling 4.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/tableau.hpp"

namespace tableau_samples {

using namespace percussion;

struct Sample {
  Tableau tableau;
  int p, eta, zeta;  // largest B(p), C(eta), D(zeta)
  double R_inf;
  bool algebraically_stable;
};

constexpr int most = 6;  // stages, where nothing else is said
constexpr double rho[] = {0.0, 0.1, 0.5, 0.9, 0.999999, 1.0};

inline std::vector<Sample> samples() {
  std::vector<Sample> list;
  for (int s = 1; s <= most; ++s) list.push_back({radau_iia(s), 2 * s - 1, s, s - 1, 0.0, true});
  for (int s = 2; s <= most; ++s) {
    const double sign = s % 2 == 0 ? -1.0 : 1.0;  // diagonal Pade approximant of degree s - 1
    list.push_back({lobatto_iiic(s), 2 * s - 2, s - 1, s - 1, 0.0, true});
    list.push_back({lobatto_iiia(s), 2 * s - 2, s, s - 2, sign, false});
    list.push_back({lobatto_iiib(s), 2 * s - 2, s - 2, s, sign, false});
  }
  for (int s = 2; s <= 3; ++s) list.push_back({sdirk(s), s, 1, 0, 0.0, false});
  list.push_back({tr_bdf2(), 2, 2, 0, 0.0, false});
  list.push_back({trx2(), 2, 2, 0, 1.0, false});
  for (const double r : rho) list.push_back({tr_theta(r), 2, 2, 0, r, false});
  return list;
}

// std::pow by entries: Eigen's own does not compile without warnings under AVX-512 (g++ 12).
inline VecX power(const VecX& c, int q) {
  return c.unaryExpr([q](double x) { return std::pow(x, q); });
}

// Largest violation of the condition number q (counted from 1) of B, C, D.
inline double violation_B(const VecX& b, const VecX& c, int q) {
  return std::abs(b.dot(power(c, q - 1)) - 1.0 / q);
}
inline double violation_C(const MatX& A, const VecX& c, int q) {
  return (A * power(c, q - 1) - power(c, q) / q).cwiseAbs().maxCoeff();
}
inline double violation_D(const MatX& A, const VecX& b, const VecX& c, int q) {
  const VecX right = b.cwiseProduct(VecX::Ones(c.size()) - power(c, q)) / q;
  return (A.transpose() * b.cwiseProduct(power(c, q - 1)) - right).cwiseAbs().maxCoeff();
}

}  // namespace tableau_samples
