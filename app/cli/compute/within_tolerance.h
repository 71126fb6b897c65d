// --tolerance of Poisson-Boltzmann: the same once more with shorter steps until the estimated error is within.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "app/cli/command.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume::cli {

struct SteppedRun {
  double tolerance = 0;  ///< of the relative error; 0: the first try is the last
  bool fixed = false;    ///< the steps are given, so that only the error is checked
  std::string fixed_by;  ///< "--spacing", for the message
  std::span<const ChargedSphere> atoms;
  const PoissonBoltzmannOptions* options = nullptr;
  std::size_t further = 0;                   ///< bytes of a point apart from the solver's
  std::function<Grid(double)> grid_of;       ///< with steps of so many angstrom
  std::function<double(const Grid&)> solve;  ///< returns the estimated relative error
  /// Bytes that a grid takes; empty: those of one solution of the atoms.
  std::function<std::size_t(const Grid&)> memory;
};

/// Solves on `grid`, and with shorter steps until the error is within; the grid becomes that of the last solution. The
/// report gets the tries. Throws Error (failed) where the tolerance is not met: with steps that are given, after the
/// last try, or where the next one does not fit in the memory.
void within_tolerance(Run& run, const SteppedRun& what, Grid& grid);

}  // namespace isolume::cli
