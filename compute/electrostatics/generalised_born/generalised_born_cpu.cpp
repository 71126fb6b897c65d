// Generalised Born on the CPU: blocks of atoms on threads, against runs of others whose loops become vectors.
#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/generalised_born/generalised_born_bodies.h"
#include "compute/electrostatics/generalised_born/generalised_born_math.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::size_t block = 16, run = 64;  // atoms of a task; others that are summed in single precision

/// Atoms as arrays, positions about their middle.
struct Columns {
  std::vector<float> x, y, z, charge, reduced, scaled;

  Columns(std::span<const GeneralisedBornAtom> atoms, double offset) {
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
double sum_others(std::size_t i, std::size_t count, const Term& term) {
  double sum = 0;
  for (std::size_t first = 0; first < count; first += run) {
    const std::size_t end = std::min(count, first + run);
    float values[run];
    for (std::size_t j = first; j < end; ++j) values[j - first] = term(j);
    if (i >= first && i < end) values[i - first] = 0;
    float part = 0;
    for (std::size_t m = 0; m < end - first; ++m) part += values[m];
    sum += static_cast<double>(part);
  }
  return sum;
}

}  // namespace

void generalised_born_cpu(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& o,
                          GeneralisedBornResult& result, Job& job) {
  const Columns c(atoms, o.offset);
  const std::size_t count = atoms.size(), tasks = (count + block - 1) / block;
  const auto in_blocks = [&](const char* what, const auto& body) {
    parallel_for(tasks, job, what, [&](std::size_t task) {
      for (std::size_t i = task * block; i < std::min(count, (task + 1) * block); ++i) body(i);
    });
  };
  std::vector<float> radii(count);
  in_blocks("Born radii", [&](std::size_t i) {
    const float rho = c.reduced[i];
    const double integral = sum_others(i, count, [&](std::size_t j) {
      const float r2 = c.apart(i, j);
      return born_integral(std::sqrt(r2 > 1e-8f ? r2 : 1e-8f), rho, c.scaled[j]);
    });
    result.radii[i] = born_radius(integral, static_cast<double>(atoms[i].radius), o.offset, o.alpha, o.beta, o.gamma);
    radii[i] = static_cast<float>(result.radii[i]);
  });
  const float kappa = static_cast<float>(o.inverse_debye_length());
  const float inside = static_cast<float>(1 / o.solute_permittivity);
  const float outside = static_cast<float>(1 / o.solvent_permittivity);
  in_blocks("generalised Born", [&](std::size_t i) {
    const float own = radii[i];
    const auto term = [&](float r2, std::size_t j) {
      const float product = own * radii[j];
      const float f = std::sqrt(r2 + product * std::exp(-r2 / (4 * product)));
      return c.charge[j] * (inside - outside * std::exp(-kappa * f)) / f;
    };
    const double sum = sum_others(i, count, [&](std::size_t j) { return term(c.apart(i, j), j); });
    result.energies[i] = -0.5 * units::coulomb_kcal_angstrom * static_cast<double>(atoms[i].charge) *
                         (sum + static_cast<double>(term(0, i)));
  });
}

}  // namespace isolume
