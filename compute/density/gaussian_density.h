// Gaussian density of atoms: the volume that QuickSurf surfaces are cut from.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "compute/job.h"
#include "compute/span.h"
#include "molecule/grid.h"

namespace isolume {

/// One Gaussian: where, how wide, and which colour it gives to the surface near it.
struct DensityAtom {
  glm::vec3 position;  ///< angstrom
  float radius;        ///< angstrom, > 0 (van der Waals, or whatever the user scales)
  glm::vec3 colour;    ///< linear or sRGB as the caller likes: only averages are formed
};

/// Parameters, with the names of VMD's QuickSurf (Krone, Stone, Ertl, Schulten 2012, doi:10.2312/PE/EuroVisShort/
/// EuroVisShort2012/067-071).
struct GaussianDensityOptions {
  float radius_scale = 1.0f;   ///< sigma of each Gaussian is radius_scale * radius
  float cutoff_sigmas = 2.5f;  ///< a Gaussian counts as 0 beyond this many of its own sigmas (2.0 low ... 4.0 maximum)
};

/// rho(r) = sum_i exp(-|r - r_i|^2 / (2 (radius_scale * radius_i)^2)) over atoms with |r - r_i| <= cutoff, at every
/// grid point; with `colours` also sum_i colour_i rho_i(r) / rho(r), 0 where rho is 0. The usual isovalue is 0.5.
///
/// @param atoms    host memory, any number
/// @param grid     axis-aligned (Error (usage) otherwise)
/// @param density  grid.size() values, x fastest, on the device that computes
/// @param colours  grid.size() values on the same device, or empty for none
/// Accuracy: 1e-5 of the largest density against gaussian_density_reference(), apart from atoms within rounding of the
/// cutoff.
void gaussian_density(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Span<float> density, Span<glm::vec3> colours, Job& job);

/// The same in plain double precision, one thread, one loop; for tests.
void gaussian_density_reference(std::span<const DensityAtom> atoms, const Grid& grid,
                                const GaussianDensityOptions& options, std::span<double> density,
                                std::span<glm::dvec3> colours);

/// The grid that holds the surface at `isovalue` of these atoms with no part cut off.
Grid gaussian_density_grid(std::span<const DensityAtom> atoms, const GaussianDensityOptions& options, double spacing);

/// Bytes of device memory taken beside the outputs.
std::size_t gaussian_density_memory(std::size_t atoms, const Grid& grid, Device device);

}  // namespace isolume
