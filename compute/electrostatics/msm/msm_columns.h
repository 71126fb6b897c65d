// How the near sum on CUDA adds the lattices' part along the map's third axis.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/electrostatics/msm/msm_plan.h"

namespace isolume {

/// The last axis of eq. 17 for layers of the map: for each group of points along z, the lattice layers that any of them
/// needs, with weights that are mostly zero.
struct MsmColumns {
  int z_first = 0;  ///< lattice layer of the first column value
  int layers = 0;
  int width = 0;
  std::vector<std::int32_t> first;
  std::vector<float> weights;
};
/// For `count` layers of the map from k_first on.
MsmColumns msm_columns(const MsmPlan& plan, int k_first, int count);

}  // namespace isolume
