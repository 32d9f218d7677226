// An inclusion problem of a run as an FCLIB problem, so that a step can be studied alone and sent to others.
//
// FCLIB's contacts have a normal row and a disc of friction, in rolling problems a second disc, all of the
// same dimension. What is smaller is filled up with rows that stay at rest and carry nothing (q = 0, W = the
// normal entry of the contact on the diagonal): frictionless contacts get mu = 0, planar ones among spatial
// ones a second tangent. Restitution and moving walls are in c, which becomes q. Bilateral rows become V, R
// and s. An elliptic reservoir is a disc after scaling of its rows and is written as such.
#pragma once
#include "assembly/assembled_problem.hpp"
#include "io/fclib_problem.hpp"

namespace percussion {

/// Collective. InputError on all ranks that names a law of these rows which FCLIB cannot express.
void check_fclib_laws(MPI_Comm comm, const GeneralRows& rows);

struct DumpedProblem {
  FclibProblem problem;
  FclibSolution start, solution;
};

/// Collective. `start`: percussions before the solver, those of `problem` are the solution. Laws are checked.
DumpedProblem to_fclib(const AssembledProblem& problem, const std::vector<double>& start);

}  // namespace percussion
