// Normal modes of a molecule.
#include "molecule/quantum/vibrations.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

double weighted(const VibrationalMode& a, const VibrationalMode& b, std::span<const double> masses) {
  double sum = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) sum += masses[i] * glm::dot(a.displacement[i], b.displacement[i]);
  return sum;
}

}  // namespace

double reduced_mass(const VibrationalMode& mode, std::span<const double> masses) {
  double norm = 0;
  for (const glm::dvec3& d : mode.displacement) norm += glm::dot(d, d);
  return norm > 0 ? weighted(mode, mode, masses) / norm : 0;
}

double largest_mode_overlap(const Vibrations& vibrations, std::span<const double> masses) {
  double largest = 0;
  for (std::size_t i = 0; i < vibrations.modes.size(); ++i) {
    const double own = weighted(vibrations.modes[i], vibrations.modes[i], masses);
    for (std::size_t j = 0; j < i; ++j) {
      const double other = weighted(vibrations.modes[j], vibrations.modes[j], masses);
      if (own <= 0 || other <= 0) continue;
      const double overlap = weighted(vibrations.modes[i], vibrations.modes[j], masses);
      largest = std::max(largest, std::abs(overlap) / std::sqrt(own * other));
    }
  }
  return largest;
}

}  // namespace isolume
