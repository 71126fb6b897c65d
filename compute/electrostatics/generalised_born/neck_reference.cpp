// GB-neck2 in plain double precision.
#include <cmath>

#include "compute/electrostatics/generalised_born/neck.h"
#include "molecule/base/units.h"

namespace isolume {

GeneralisedBornResult generalised_born_neck_reference(std::span<const NeckAtom> atoms,
                                                      const GeneralisedBornOptions& o) {
  GeneralisedBornResult result;
  const auto distance = [](const NeckAtom& a, const NeckAtom& b) {
    return glm::distance(glm::dvec3(a.position), glm::dvec3(b.position));
  };
  const auto radius = [](const NeckAtom& a) { return static_cast<double>(a.parameters.radius); };
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double rho = radius(atoms[i]), reduced = rho - neck_offset;
    double integral = 0;
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      if (j == i) continue;
      const double r = distance(atoms[i], atoms[j]);
      if (r < rho + radius(atoms[j]) + neck_reach) {
        const Neck neck = neck_between(rho, radius(atoms[j]));
        const double d = r - neck.distance;
        integral += neck_scale * neck.depth / (1 + d * d + 0.3 * std::pow(d, 6));
      }
      const double s = static_cast<double>(atoms[j].parameters.scale) * (radius(atoms[j]) - neck_offset);
      const double upper = r + s, lower = std::max(reduced, std::abs(r - s));
      if (upper <= reduced) continue;
      double term = 1 / lower - 1 / upper + 0.25 * (r - s * s / r) * (1 / (upper * upper) - 1 / (lower * lower)) +
                    0.5 * std::log(lower / upper) / r;
      if (reduced < s - r) term += 2 * (1 / reduced - 1 / lower);
      integral += 0.5 * term;
    }
    const double psi = integral * reduced;
    const glm::dvec3 bend(atoms[i].parameters.bend);
    const double bent = std::tanh(bend.x * psi - bend.y * psi * psi + bend.z * psi * psi * psi);
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
