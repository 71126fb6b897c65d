// The hairpin of trpzip2, and the map of another of its conformations.
#pragma once

#include <string>
#include <vector>

#include "compute/density_maps/density_map.h"
#include "formats/read.h"
#include "molecule/molecule.h"
#include "tests/support/data.h"

namespace isolume::test {

inline std::vector<std::string> hairpin_files() {
  return {shared_data("trajectories/tz2/tz2.parm7"), shared_data("trajectories/tz2/tz2.nc")};
}

/// The map of its frame 1 at 6 angstrom, of all atoms but hydrogen.
inline Volume hairpin_map(const Molecule& molecule) {
  std::vector<std::uint32_t> atoms;
  for (std::uint32_t i = 0; i < molecule.topology->atoms.size(); ++i)
    if (molecule.topology->atoms[i].element != 1) atoms.push_back(i);
  const Frame other = molecule.trajectory->frame(1);
  const auto gaussians =
      map_atoms(*molecule.topology, other.positions, atoms, 6, MapConvention::chimerax, MapWeights::electrons);
  glm::vec3 lower(1e9f), upper(-1e9f);
  for (const glm::vec3& p : other.positions) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  Volume map;
  map.grid = Grid{glm::dvec3(glm::floor(lower)) - 8.0, glm::dmat3(1.0), glm::ivec3(glm::ceil(upper - lower)) + 18};
  map.values.resize(map.grid.size());
  Job job;
  density_map(gaussians, map.grid, {map.values.data(), map.values.size(), Device::cpu()}, job);
  return map;
}

}  // namespace isolume::test
