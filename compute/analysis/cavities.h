// Cavities and pockets of a molecule: room for solvent inside it, and in its clefts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/density/gaussian_density.h"
#include "molecule/grid.h"

namespace isolume {

struct CavityOptions {
  double minimum_volume = 10;  ///< angstrom^3; smaller ones are left out
  /// Pockets end this far (angstrom) from what the large probe reaches, so that the shallow layer over the whole
  /// surface of a molecule does not join all its clefts into one. 0: they end where it reaches.
  double removal = 2.4;
};

/// One connected room.
struct Cavity {
  bool open = false;                  ///< a pocket: connected to the outside; else closed on all sides
  double volume = 0;                  ///< angstrom^3: grid points times the volume of a cell
  glm::dvec3 centre{0.0};             ///< of its points, angstrom
  std::vector<std::uint32_t> lining;  ///< atoms whose van der Waals surface is within 1.5 grid steps of it, ascending
};

struct Cavities {
  std::vector<Cavity> list;  ///< the largest first
  /// grid.size() values, x fastest: angstrom, positive inside the cavities of the list, 0 at their surface.
  std::vector<float> depth;
};

/// Finds them by flood fill over the neighbours along the axes. A point is empty where it is outside the excluded
/// surface of a small probe (water, 1.4); empty points that no path of empty points leads to the border of the grid are
/// closed cavities; those that a large probe (some 4 angstrom), for which the mouths are too narrow, does not reach
/// from there, and that are farther than `removal` from what it reaches, are pockets (the two probes and the removal
/// distance of KVFinder: S. H. P. Oliveira et al., BMC Bioinformatics 15 (2014) 197).
///
/// @param atoms  with van der Waals radii
/// @param small  molecular_surface() (excluded) of a small probe: grid.size() values in host memory
/// @param large  the same of a large probe, or empty for closed cavities alone
Cavities find_cavities(std::span<const DensityAtom> atoms, const Grid& grid, std::span<const float> small,
                       std::span<const float> large, const CavityOptions& options, Job& job);

}  // namespace isolume
