// What the bodies of Hirshfeld's charges take and give.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/free_atom.h"
#include "compute/electron_density/hirshfeld.h"

namespace isolume {

struct HirshfeldProblem {
  const DensityEvaluator& density;
  std::span<const glm::dvec3> centres;  ///< bohr
  std::vector<std::size_t> kinds;       ///< of the atoms
  std::vector<RadialTable> free;        ///< by kind
  std::vector<AtomicGrid> grids;        ///< by kind, about the origin
  std::vector<double> inverse;          ///< 1 / distances of the centres from each other
};

struct HirshfeldSums {
  std::vector<double> electrons;  ///< of the atoms
  double all = 0;
  std::size_t points = 0;
};

HirshfeldSums hirshfeld_sums_cpu(const HirshfeldProblem& problem, Job& job);
HirshfeldSums hirshfeld_sums_cuda(const HirshfeldProblem& problem, Device device, Job& job);

}  // namespace isolume
