// Molecular orbitals on grids: checks, the terms that count, and the choice of the body.
#include "compute/orbitals/orbital.h"

#include <algorithm>
#include <limits>

#include "compute/backends.h"
#include "compute/checks.h"
#include "compute/memory.h"
#include "compute/timing.h"
#include "molecule/units.h"

namespace isolume {

namespace {

/// What one term may leave out, as a part of max |psi|: with a hundred terms at their cutoffs and the rounding of the
/// result to single precision this stays below the promised 1e-6 (or 5e-4).
double term_tolerance(OrbitalAccuracy accuracy) {
  return accuracy == OrbitalAccuracy::fine ? 5e-9 : 2.5e-6;
}

}  // namespace

OrbitalAccuracy orbital_accuracy(const std::string& name) {
  if (name == "fine") return OrbitalAccuracy::fine;
  if (name == "preview") return OrbitalAccuracy::preview;
  throw Error("orbital accuracy \"" + name + "\": there are fine and preview", Error::Kind::usage);
}

void orbital(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Job& job,
             const OrbitalOptions& options) {
  check_grid(grid, "orbital");
  check_values(grid, amplitude, "orbital");
  job.check();
  OrbitalTerms terms;
  {
    const PhaseTimer timer("orbital: terms");
    terms = orbital_terms(orbitals, which);
    if (options.screening) terms.cut(term_tolerance(options.accuracy) * sampled_maximum(terms, grid));
  }
  require_memory(orbital_memory(orbitals, grid, amplitude.device), amplitude.device, "orbital");
  if (amplitude.empty()) return;
  if (amplitude.device.is_cuda()) {
    orbital_cuda(terms, grid, amplitude, job);
  } else {
    orbital_cpu(terms, grid, amplitude, job);
  }
}

void orbital_amplitudes(const Orbitals& orbitals, std::span<const std::size_t> which, const Grid& grid,
                        Span<float> amplitudes, Job& job, const OrbitalOptions& options) {
  check_grid(grid, "orbitals");
  if (amplitudes.size != which.size() * grid.size()) {
    throw Error(fmt::format("orbitals: {} values for {} orbitals on a grid of {} points", amplitudes.size, which.size(),
                            grid.size()),
                Error::Kind::usage);
  }
  for (std::size_t n = 0; n < which.size(); ++n) {
    orbital(orbitals, which[n], grid, {amplitudes.data + n * grid.size(), grid.size(), amplitudes.device}, job,
            options);
  }
}

Grid orbital_grid(const Orbitals& orbitals, std::size_t which, double spacing, double cutoff) {
  if (!(cutoff > 0)) throw Error(fmt::format("orbital: the cutoff {} must be positive", cutoff), Error::Kind::usage);
  const OrbitalTerms terms = orbital_terms(orbitals, which);
  if (terms.terms.empty()) return Grid::covering(glm::dvec3(0), glm::dvec3(0), spacing);
  glm::dvec3 box[2];
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      // Beyond a plane every term is at least as far from its centre as the plane is; the sum falls with the plane.
      const auto beyond = [&](double plane) {
        double sum = 0;
        for (const OrbitalTerm& term : terms.terms) {
          sum += terms.bound(term, std::max(0.0, plane - sign * term.centre[axis]));
        }
        return sum;
      };
      double lower = std::numeric_limits<double>::max();
      double outermost = std::numeric_limits<double>::lowest();
      for (const OrbitalTerm& term : terms.terms) {
        lower = std::min(lower, sign * term.centre[axis]);
        outermost = std::max(outermost, sign * term.centre[axis]);
      }
      double reach = 1;
      while (beyond(outermost + reach) > cutoff && reach < 1e4) reach *= 2;
      double upper = outermost + reach;
      while (upper - lower > 1e-3) {
        const double middle = 0.5 * (lower + upper);
        (beyond(middle) > cutoff ? lower : upper) = middle;
      }
      box[side][axis] = units::bohr_in_angstrom * sign * upper;
    }
  }
  return Grid::covering(glm::min(box[0], box[1]), glm::max(box[0], box[1]), spacing);
}

std::size_t orbital_memory(const Orbitals& orbitals, const Grid&, Device) {
  if (!orbitals.basis) return 0;
  const std::size_t primitives = orbitals.basis->primitive_count();
  const int degree = std::clamp(orbitals.basis->max_l(), 0, max_degree);
  return primitives * (sizeof(OrbitalTerm) + sizeof(double) * static_cast<std::size_t>(monomial_count(degree)));
}

}  // namespace isolume
