// One step of the semismooth Newton method on contact blocks, on the map of solvers/alart_curnier.hpp with a proximal term:
// u = W r + q + eps (r - r_now). eps makes the matrix regular for redundant contacts, damps the step, and changes neither
// the equations at r_now nor the solution. Only closed contacts take part in the factorisation (solvers/block_factor.hpp).
#pragma once
#include <cmath>

#include "solvers/block_factor.hpp"

namespace percussion {

class ContactNewton {
 public:
  explicit ContactNewton(const ContactBlocks& blocks);

  /// r += dr, with u = W r + q at the old r. False if the matrix is singular: then r is as before.
  bool step(double eps, SlipRadius radius, const std::vector<double>& u, std::vector<double>& r);
  /// r of open contacts := 0, of the others into the cone.
  void project(const std::vector<double>& u, std::vector<double>& r) const;

  /// Whether the factors have a reasonable size.
  bool possible() const { return std::isfinite(factor_.work()); }
  /// Cost of a step in units of a sweep, at the last closed set; that of all contacts closed before the first step.
  double cost() const;

 private:
  void linearise(std::int32_t k, SlipRadius radius, const double* u, const double* r);

  const ContactBlocks& blocks_;
  BlockFactor factor_;
  std::vector<char> closed_;
  std::vector<BlockEquation> equation_;
  std::vector<double> dr_;
};

}  // namespace percussion
