// Generalised Born on the CPU: blocks of atoms on threads, against runs of others whose loops become vectors.
#include <cmath>

#include "compute/electrostatics/generalised_born/generalised_born_bodies.h"
#include "compute/electrostatics/generalised_born/generalised_born_math.h"
#include "compute/electrostatics/generalised_born/generalised_born_sums.h"

namespace isolume {

void generalised_born_cpu(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& o,
                          GeneralisedBornResult& result, Job& job) {
  const BornColumns c(atoms, o.offset);
  born_blocks(atoms.size(), job, "Born radii", [&](std::size_t i) {
    const float rho = c.reduced[i];
    const double integral = born_sum_others(i, atoms.size(), [&](std::size_t j) {
      const float r2 = c.apart(i, j);
      return born_integral(std::sqrt(r2 > 1e-8f ? r2 : 1e-8f), rho, c.scaled[j]);
    });
    result.radii[i] = born_radius(integral, static_cast<double>(atoms[i].radius), o.offset, o.alpha, o.beta, o.gamma);
  });
  born_energies(c, o, result, job);
}

}  // namespace isolume
