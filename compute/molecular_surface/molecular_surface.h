// Molecular surfaces as the zero of a distance field: solvent-accessible and solvent-excluded.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/density/gaussian_density.h"
#include "molecule/grid.h"

namespace isolume {

enum class SolventSurface : unsigned char {
  accessible,  ///< where the centre of a probe may be: the boundary of the balls of radius_i + probe (Lee, Richards
               ///< 1971)
  excluded  ///< what no probe touches: all of the above that is farther than the probe from its outside (Connolly 1983)
};

struct MolecularSurfaceOptions {
  SolventSurface kind = SolventSurface::excluded;
  float probe_radius = 1.4f;  ///< angstrom, >= 0; 0 gives the van der Waals surface for both kinds
};

/// Depth below the surface in angstrom at every grid point, positive inside, negative outside: the surface is where it
/// is 0. Beyond molecular_surface_reach() of the surface it is only known to be at least as far (its sign is right).
///
/// Of the accessible surface the depth is max_i (R_i - |r - r_i|), R_i = radius_i + probe. Of the excluded surface it
/// is D - probe, D being the distance to the accessible surface, which is on a sphere, an arc where two spheres meet,
/// or a corner of three: the first has a closed formula; the exposed parts of the arcs are found exactly (as intervals
/// of their angle), and are sampled finely enough that D is at most 0.01 grid steps too large. Probes on the arcs make
/// the saddles and probes at the corners the concave triangles of Connolly's surface.
///
/// @param atoms    host memory; `colour` is that of the surface where the atom is the deepest
/// @param grid     axis-aligned (Error (usage) otherwise)
/// @param depth    grid.size() values, x fastest, on the device that computes
/// @param colours  grid.size() values on the same device, or empty for none
void molecular_surface(std::span<const DensityAtom> atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                       Span<float> depth, Span<glm::vec3> colours, Job& job);

/// The same in plain double precision by enumeration of all spheres, circles and corners: O(atoms^4), for tests.
void molecular_surface_reference(std::span<const DensityAtom> atoms, const Grid& grid,
                                 const MolecularSurfaceOptions& options, std::span<double> depth);

/// How far from the surface the depth is a distance: two of the largest steps of the grid.
double molecular_surface_reach(const Grid& grid);

/// The grid that holds the surface of these atoms with no part cut off.
Grid molecular_surface_grid(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options, double spacing);

/// Bytes of device memory taken apart from the outputs.
std::size_t molecular_surface_memory(std::size_t atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                                     Device device);

}  // namespace isolume
