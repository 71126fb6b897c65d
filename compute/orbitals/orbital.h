// Molecular orbitals on grids and at points.
#pragma once

#include <span>
#include <string>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

class Stream;

/// How exact an orbital is: the largest error over the largest |psi|, both over the grid.
enum class OrbitalAccuracy {
  fine,     ///< 1e-6
  preview,  ///< 5e-4: in single precision, terms cut earlier; nodes move by less than a picture shows
};

/// "fine" or "preview". Throws Error (usage) that names both.
OrbitalAccuracy orbital_accuracy(const std::string& name);

/// How an orbital is computed.
struct OrbitalOptions {
  OrbitalAccuracy accuracy = OrbitalAccuracy::fine;
  bool screening = true;  ///< leave out what is below the tolerance; without it every function counts everywhere
  bool compiled = true;   ///< CUDA: a kernel compiled at run time for the basis, once it is there and measured faster
  bool operator==(const OrbitalOptions&) const = default;
};

/// psi(r) = sum_mu C_mu chi_mu(r) at every grid point; the functions chi are those of molecule/quantum/basis.h.
///
/// @param orbitals   basis, centres (bohr) and coefficients
/// @param which      index of the orbital in orbitals.orbitals
/// @param grid       in angstrom as everywhere outside this room; converted to bohr here. Any parallelepiped.
/// @param amplitude  grid.size() values in bohr^-3/2, x fastest, on the device that computes
/// Accuracy: max |error| <= 1e-6 max |psi| against orbital_reference(), 5e-4 for OrbitalAccuracy::preview. Throws Error
/// (usage) for an orbital that is not there.
void orbital(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Job& job,
             const OrbitalOptions& options = {});

/// The same on a CUDA device, put into `stream` without waiting for it. All but the amplitudes may go at once; those
/// must stay until the stream was waited for.
void start_orbital(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Stream& stream,
                   Job& job, const OrbitalOptions& options = {});

/// Several orbitals of one geometry in one call.
///
/// @param which       indices in orbitals.orbitals, in any order
/// @param amplitudes  which.size() grids of grid.size() values, one orbital after another, on the device that computes
/// Accuracy and errors as above, for each orbital by itself. Many orbitals are one matrix product of their coefficients
/// and the functions that reach a tile.
void orbital_amplitudes(const Orbitals& orbitals, std::span<const std::size_t> which, const Grid& grid,
                        Span<float> amplitudes, Job& job, const OrbitalOptions& options = {});

/// The same at points (angstrom), in double precision on the host; also the reference of the tests: one thread, no
/// screening, straight from the formula.
void orbital_reference(const Orbitals& orbitals, std::size_t which, std::span<const glm::dvec3> points,
                       std::span<double> amplitude);

/// The smallest box along the axes (angstrom) outside of which |psi| stays below `cutoff` (bohr^-3/2), by a bound from
/// the basis; empty at the origin where the orbital is below it everywhere. Throws Error (usage) for a cutoff that is
/// not positive.
struct OrbitalBox {
  glm::dvec3 lower{0.0}, upper{0.0};
};
OrbitalBox orbital_box(const Orbitals& orbitals, std::size_t which, double cutoff = 1e-3);

/// The grid that covers orbital_box().
Grid orbital_grid(const Orbitals& orbitals, std::size_t which, double spacing, double cutoff = 1e-3);

/// Total electron density sum_i n_i |psi_i|^2 (bohr^-3) at points, double precision on the host.
void electron_density_reference(const Orbitals& orbitals, std::span<const glm::dvec3> points,
                                std::span<double> density);

std::size_t orbital_memory(const Orbitals& orbitals, const Grid& grid, Device device);

}  // namespace isolume
