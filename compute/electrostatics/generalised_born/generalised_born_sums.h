// What the CPU bodies of generalised Born share: sums over all other atoms, and the energies from Born radii.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/generalised_born/generalised_born.h"
#include "molecule/base/units.h"

namespace isolume {

constexpr std::size_t born_block = 16, born_run = 64;  // atoms of a task; others that are summed in single precision

/// Atoms as arrays, positions about their middle.
struct BornColumns {
  std::vector<float> x, y, z, charge, reduced, scaled;

  BornColumns(std::span<const GeneralisedBornAtom> atoms, double offset) {
    glm::dvec3 middle(0);
    for (const GeneralisedBornAtom& atom : atoms) middle += glm::dvec3(atom.position);
    middle /= static_cast<double>(atoms.size());
    for (const GeneralisedBornAtom& atom : atoms) {
      const glm::vec3 at(glm::dvec3(atom.position) - middle);
      x.push_back(at.x);
      y.push_back(at.y);
      z.push_back(at.z);
      charge.push_back(atom.charge);
      reduced.push_back(atom.radius - static_cast<float>(offset));
      scaled.push_back(atom.scale * reduced.back());
    }
  }
  /// Squared distance.
  float apart(std::size_t i, std::size_t j) const {
    const float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
    return dx * dx + dy * dy + dz * dz;
  }
};

/// The sum of term(j) over all atoms but i, runs in single precision.
template <class Term>
double born_sum_others(std::size_t i, std::size_t count, const Term& term) {
  double sum = 0;
  for (std::size_t first = 0; first < count; first += born_run) {
    const std::size_t end = std::min(count, first + born_run);
    float values[born_run];
    for (std::size_t j = first; j < end; ++j) values[j - first] = term(j);
    if (i >= first && i < end) values[i - first] = 0;
    float part = 0;
    for (std::size_t m = 0; m < end - first; ++m) part += values[m];
    sum += static_cast<double>(part);
  }
  return sum;
}

/// Calls body(i) for all atoms, in blocks on all threads.
template <class Body>
void born_blocks(std::size_t count, Job& job, const char* what, const Body& body) {
  parallel_for((count + born_block - 1) / born_block, job, what, [&](std::size_t task) {
    for (std::size_t i = task * born_block; i < std::min(count, (task + 1) * born_block); ++i) body(i);
  });
}

/// result.energies from result.radii.
inline void born_energies(const BornColumns& c, const GeneralisedBornOptions& o, GeneralisedBornResult& result,
                          Job& job) {
  const std::size_t count = c.x.size();
  const std::vector<float> radii(result.radii.begin(), result.radii.end());
  const float kappa = static_cast<float>(o.inverse_debye_length());
  const float inside = static_cast<float>(1 / o.solute_permittivity);
  const float outside = static_cast<float>(1 / o.solvent_permittivity);
  born_blocks(count, job, "generalised Born", [&](std::size_t i) {
    const float own = radii[i];
    const auto term = [&](float r2, std::size_t j) {
      const float product = own * radii[j];
      const float f = std::sqrt(r2 + product * std::exp(-r2 / (4 * product)));
      return c.charge[j] * (inside - outside * std::exp(-kappa * f)) / f;
    };
    const double sum = born_sum_others(i, count, [&](std::size_t j) { return term(c.apart(i, j), j); });
    result.energies[i] = -0.5 * units::coulomb_kcal_angstrom * static_cast<double>(c.charge[i]) *
                         (sum + static_cast<double>(term(0, i)));
  });
}

/// Throws Error (usage) as generalised_born() does.
void check_generalised_born(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& options);

}  // namespace isolume
