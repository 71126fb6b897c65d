// The bodies of orbitals, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_terms.h"

namespace isolume {

/// What one term may leave out, as a part of max |psi|: with a hundred terms at their cutoffs and the rounding of the
/// result to single precision this stays below the promised 1e-6 (or 5e-4).
inline double orbital_term_tolerance(OrbitalAccuracy accuracy) {
  return accuracy == OrbitalAccuracy::fine ? 5e-9 : 2.5e-6;
}

void orbital_cpu(const OrbitalTerms& terms, const Grid& grid, Span<float> amplitude, Job& job);
/// Where it is not to wait, tables are given back in the stream's order, which takes longer where they are large.
void orbital_cuda(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Stream& stream,
                  bool wait, Job& job, const OrbitalOptions& options);

}  // namespace isolume
