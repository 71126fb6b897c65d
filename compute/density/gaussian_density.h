// Gaussian density of atoms: the volume that QuickSurf surfaces are cut from.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <memory>
#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/base/storage.h"
#include "compute/density/density_atoms.h"
#include "molecule/grid.h"

namespace isolume {

class Stream;

/// Parameters, with the names of VMD's QuickSurf (Krone, Stone, Ertl, Schulten 2012, doi:10.2312/PE/EuroVisShort/
/// EuroVisShort2012/067-071).
struct GaussianDensityOptions {
  float radius_scale = 1.0f;   ///< sigma of each Gaussian is radius_scale * radius
  float cutoff_sigmas = 2.5f;  ///< a Gaussian falls to 0 at this many of its own sigmas (2.0 low ... 4.0 maximum)
  /// Colours are wanted for the surface at this density alone: those of points that no edge across it ends at may be
  /// anything. NaN: all are wanted.
  float coloured_surface = std::numeric_limits<float>::quiet_NaN();
};

/// Layers of grid points along the grid's third axis: first, first + 1, ... first + count - 1.
struct LayerRange {
  int first = 0;
  int count = 0;
};

/// Memory that the densities of consecutive frames share, so that a steady state allocates nothing. Belongs to one
/// device (that of its first use) and to one computation at a time.
class DensityWorkspace {
 public:
  DensityWorkspace();
  ~DensityWorkspace();
  DensityWorkspace(DensityWorkspace&&) noexcept;
  DensityWorkspace& operator=(DensityWorkspace&&) noexcept;

  struct Memory;  ///< what the bodies keep
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

/// The value of a Gaussian of height 1 at its cutoff.
inline double gaussian_at_cutoff(const GaussianDensityOptions& options) {
  return std::exp(-0.5 * double{options.cutoff_sigmas} * double{options.cutoff_sigmas});
}

/// rho(r) = sum_i rho_i(r) over atoms with d_i = |r - r_i| <= c_i, at every grid point; with `colours` also
/// sum_i colour_i rho_i(r) / rho(r), 0 where rho is 0. The usual isovalue is 0.5.
///
///     rho_i(r) = exp(-d_i^2 / (2 sigma_i^2)) - e d_i^2 / c_i^2,  sigma_i = radius_scale * radius_i,
///     c_i = cutoff_sigmas * sigma_i,  e = exp(-cutoff_sigmas^2 / 2)
///
/// A Gaussian that is 1 at its atom and falls to 0 at its cutoff without a step: rho is continuous.
///
/// @param atoms    host memory, any number
/// @param grid     axis-aligned (Error (usage) otherwise)
/// @param density  grid.size() values, x fastest, on the device that computes: float, Half or Unorm8 (rho up to 1)
/// @param colours  grid.size() colours on the same device, of any element of their own, or empty for none
/// Accuracy: 1e-5 of the largest density against gaussian_density_reference(), and 1e-5 of colours where the density is
/// above 1e-3; halves and 8 bits add their own rounding (2^-12 of the value, 1/510). The sums are formed in one order:
/// the same input gives the same bits.
void gaussian_density(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Values density, Colours colours, Job& job);

/// The same for atoms that are on the device already, with a workspace that is kept from frame to frame: nothing is
/// allocated once it has grown, and nothing but a flag comes back to the host. Throws Error (usage) where a position
/// is not finite.
void gaussian_density(const DensityAtoms& atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Values density, Colours colours, Job& job, DensityWorkspace& workspace);

/// The same put into a stream of the CUDA device, and not waited for unless it is long: atoms, workspace and outputs
/// are in use until the stream was waited for, and finish_gaussian_density() comes after that. Throws Error as the
/// others.
void start_gaussian_density(const DensityAtoms& atoms, const Grid& grid, const GaussianDensityOptions& options,
                            Values density, Colours colours, Stream& stream, Job& job, DensityWorkspace& workspace);
/// Throws Error (usage) where a position was not finite.
void finish_gaussian_density(DensityWorkspace& workspace);

/// Some layers of it: density and colours hold layers.count layers. Where layers.first is a multiple of
/// density_layer_step the values are those of the whole grid bit by bit.
void gaussian_density_layers(const DensityAtoms& atoms, const Grid& grid, LayerRange layers,
                             const GaussianDensityOptions& options, Values density, Colours colours, Job& job,
                             DensityWorkspace& workspace);
constexpr int density_layer_step = 16;

/// The same in plain double precision, one thread, one loop; for tests.
void gaussian_density_reference(std::span<const DensityAtom> atoms, const Grid& grid,
                                const GaussianDensityOptions& options, std::span<double> density,
                                std::span<glm::dvec3> colours);

/// The grid that holds the surface at `isovalue` of these atoms with no part cut off.
Grid gaussian_density_grid(std::span<const DensityAtom> atoms, const GaussianDensityOptions& options, double spacing);

/// Bytes of device memory taken apart from the outputs, for `layers` of the grid's layers at a time (0: all).
std::size_t gaussian_density_memory(std::size_t atoms, const Grid& grid, Device device, int layers = 0);

}  // namespace isolume
