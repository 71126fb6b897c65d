// One frame: where the atoms are at one time.
#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "molecule/cell.h"

namespace isolume {

/// Positions (and what else the file has) of all atoms at one time.
struct Frame {
  std::vector<glm::vec3> positions;           ///< angstrom, one per atom
  std::vector<glm::dvec3> precise_positions;  ///< angstrom, where a quantum-chemistry file gave doubles; else empty
  std::vector<glm::vec3> velocities;          ///< angstrom/ps, empty where there are none
  std::vector<glm::vec3> forces;              ///< kcal/(mol angstrom), empty where there are none
  Cell cell;                                  ///< no cell where the file has none
  double time = 0;                            ///< ps
  bool has_time = false;
};

}  // namespace isolume
