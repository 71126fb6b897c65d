// Generalised Born in plain double precision.
#include <cmath>

#include "compute/electrostatics/generalised_born/generalised_born.h"
#include "molecule/base/units.h"

namespace isolume {

GeneralisedBornResult generalised_born_reference(std::span<const GeneralisedBornAtom> atoms,
                                                 const GeneralisedBornOptions& o) {
  GeneralisedBornResult result;
  const auto distance = [](const GeneralisedBornAtom& a, const GeneralisedBornAtom& b) {
    return glm::distance(glm::dvec3(a.position), glm::dvec3(b.position));
  };
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double rho = static_cast<double>(atoms[i].radius), reduced = rho - o.offset;
    double integral = 0;
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      if (j == i) continue;
      const double r = distance(atoms[i], atoms[j]);
      const double s = static_cast<double>(atoms[j].scale) * (static_cast<double>(atoms[j].radius) - o.offset);
      const double upper = r + s, lower = std::max(reduced, std::abs(r - s));
      if (upper <= reduced) continue;
      double term = 1 / lower - 1 / upper + 0.25 * (r - s * s / r) * (1 / (upper * upper) - 1 / (lower * lower)) +
                    0.5 * std::log(lower / upper) / r;
      if (reduced < s - r) term += 2 * (1 / reduced - 1 / lower);
      integral += 0.5 * term;
    }
    const double psi = integral * reduced;
    const double bent = std::tanh(o.alpha * psi - o.beta * psi * psi + o.gamma * psi * psi * psi);
    result.radii.push_back(1 / (1 / reduced - bent / rho));
  }
  const double kappa = o.inverse_debye_length();
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      const double r = distance(atoms[i], atoms[j]), product = result.radii[i] * result.radii[j];
      const double f = std::sqrt(r * r + product * std::exp(-r * r / (4 * product)));
      sum += static_cast<double>(atoms[j].charge) *
             (1 / o.solute_permittivity - std::exp(-kappa * f) / o.solvent_permittivity) / f;
    }
    result.energies.push_back(-0.5 * units::coulomb_kcal_angstrom * static_cast<double>(atoms[i].charge) * sum);
    result.energy += result.energies.back();
  }
  return result;
}

}  // namespace isolume
