// Cutoff summation: the potential of the charges within a cutoff distance of each grid point.
#pragma once

#include <span>

#include "compute/electrostatics/charges/dielectric.h"
#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// How the sum ends at the cutoff. With rc the cutoff and rs the switching distance, f(r) multiplies or replaces 1/r:
///
/// * plain: 1/r, and nothing from rc on; the map has steps of q/rc.
/// * shifted: 1/r (1 - (r/rc)^2)^2: continuous with its slope everywhere (CHARMM's SHIFT; Brooks et al.,
///   J. Comput. Chem. 4, 187 (1983), doi:10.1002/jcc.540040211; the form of the cutoff maps of Rodrigues, Hardy,
///   Stone, Schulten, Hwu 2008, doi:10.1145/1366230.1366277).
/// * switched: 1/r up to rs, then 1/r (rc^2 - r^2)^2 (rc^2 + 2 r^2 - 3 rs^2) / (rc^2 - rs^2)^3 (CHARMM's SWITCH,
/// there).
enum class CutoffForm { plain, shifted, switched };

struct CutoffOptions {
  double cutoff = 12.0;     ///< rc, angstrom, > 0
  double switching = 10.0;  ///< rs, angstrom, 0 <= rs < rc; switched only
  CutoffForm form = CutoffForm::shifted;
  Dielectric dielectric;  ///< the sum is divided, pair by pair, by eps(r)
  bool operator==(const CutoffOptions&) const = default;
};

/// V(r) = sum over |r - r_j| < rc of q_j f(|r - r_j|) / (4 pi eps0 eps(|r - r_j|)) in volts at every grid point. A
/// charge within 1e-4 angstrom of a point is left out there, as in direct_potential().
///
/// @param charges    host memory, any order (sorted into bins here, so that a tile of points meets only charges near
/// it)
/// @param grid       any parallelepiped of non-zero volume
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Throws Error (usage) for parameters out of range or sizes that differ or charges that are not finite.
/// Accuracy: 1e-5 of the RMS of the potential against cutoff_potential_reference(); with the plain form apart from
/// points at which a charge is within rounding of the cutoff.
void cutoff_potential(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                      Span<float> potential, Job& job);

/// The same at points in plain double precision, with one loop over all charges; for tests.
void cutoff_potential_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                                const CutoffOptions& options, std::span<double> potential);

/// Bytes of device memory taken apart from the output.
std::size_t cutoff_potential_memory(std::size_t charges, const Grid& grid, const CutoffOptions& options, Device device);

}  // namespace isolume
