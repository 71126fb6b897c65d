// The solvers of the discrete Poisson-Boltzmann problem, one per kind of device, and the plain one for tests.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

namespace isolume {

/// How a solution was reached.
struct PbProgress {
  int cycles = 0;       ///< of multigrid
  int steps = 1;        ///< of Newton's method
  double residual = 0;  ///< of the equation, RMS relative to that of u = 0
};

/// Solves the problem from u (its faces are given, inside is the first guess). Returns where the residual is within
/// options.tolerance, or after options.most_cycles.
PbProgress pb_solve_cpu(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u,
                        Job& job);
PbProgress pb_solve_cuda(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u,
                         Device device, Job& job);
/// By conjugate gradients in double precision without multigrid; for tests on small grids.
PbProgress pb_solve_reference(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u);

}  // namespace isolume
