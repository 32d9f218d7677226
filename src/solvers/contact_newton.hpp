// One step of the semismooth Newton method on contact blocks, on the map of Alart and Curnier (1991) with a proximal term:
//
//   open (r_N <= rho u_N): r = 0;   else u_N = 0 and
//   stick (|z| <= R): u_T = 0;      slip: r_T = R z / |z|,   z = r_T - rho_T u_T
//
// with u = W r + q + eps (r - r_now). R = mu r_N, or mu (r_N - rho u_N): the same at a solution, different on the way, and
// where one runs in circles the other often does not. eps makes the matrix regular for redundant contacts, damps the
// step, and changes neither the equations at r_now nor the solution. Only closed contacts take part in the
// factorisation (solvers/block_factor.hpp).
#pragma once
#include "solvers/block_factor.hpp"

namespace percussion {

enum class SlipRadius : std::uint8_t { percussion, augmented };

class ContactNewton {
 public:
  explicit ContactNewton(const ContactBlocks& blocks);

  /// r += dr, with u = W r + q at the old r. False if the matrix is singular: then r is as before.
  bool step(double eps, SlipRadius radius, const std::vector<double>& u, std::vector<double>& r);
  /// r of open contacts := 0, of the others into the cone.
  void project(const std::vector<double>& u, std::vector<double>& r) const;

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
