// A convergence study as a table for the terminal and as CSV for postprocess/plot_convergence.py.
#pragma once
#include <string>

#include "app/convergence.hpp"

namespace percussion {

/// `l1`, `l2`, `linf`, `l3.5`...
std::string norm_name(double p);

std::string to_table(const ConvergenceStudy& study, const ConvergenceRows& rows);

/// method,h [s],error_q,error_u,order_q,order_u,norm_q,norm_u,reference,status. Numbers read back bit by bit; what does
/// not exist is empty. `status`: ok, `ok, n steps not converged` or `failed: reason`.
std::string to_csv(const ConvergenceStudy& study, const ConvergenceRows& rows);

}  // namespace percussion
