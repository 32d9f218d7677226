// Nodes on [0, 1] and interpolatory weights in extended precision, from which the Runge-Kutta coefficients of any
// number of stages are computed. The simplifying assumptions of Breuling 4.1 are imposed on the shifted Legendre
// polynomials instead of the powers c^(q-1): same span, hence the same conditions, but well conditioned.
#pragma once

#include "math/types.hpp"

namespace percussion::collocation {

using Real = long double;
using Vec = VecT<Real, Eigen::Dynamic>;
using Mat = MatT<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Ascending; the end points are exactly 0 and 1.
Vec radau_right_nodes(int s);  // roots of Breuling (4.38): P_s - P_{s-1}, with c_s = 1; s >= 1
Vec lobatto_nodes(int s);      // roots of Breuling (4.41): P_s - P_{s-2}, with c_1 = 0 and c_s = 1; s >= 2

// Row k holds phi_k(c_j), k = 0..n-1, with phi_k the Legendre polynomial shifted to [0, 1].
Mat legendre_values(const Vec& c, int n);
// Row k holds the integral of phi_k from 0 to c_j.
Mat legendre_integrals(const Vec& c, int n);

// w with sum_j w_j p(c_j) = int_0^x p for all polynomials p of degree < c.size(). For x = 1 this is B(s), for
// x = c_i row i of C(s).
Vec weights(const Vec& c, Real x);
// The same with w[fixed] = value prescribed; exact for degree < c.size() - 1.
Vec weights(const Vec& c, Real x, int fixed, Real value);

// Root of p(x) = sum_k coefficients[k] x^k in [a, b]; p changes its sign there once.
Real polynomial_root(const Vec& coefficients, Real a, Real b);

}  // namespace percussion::collocation
