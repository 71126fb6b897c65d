// Molecular orbitals on grids: checks, the terms that count, and the choice of the body.
#include "compute/orbitals/orbital.h"

#include <algorithm>
#include <limits>

#include "compute/checks.h"
#include "compute/memory.h"
#include "compute/orbitals/orbital_bodies.h"
#include "compute/orbitals/orbital_plan.h"
#include "compute/timing.h"
#include "molecule/units.h"

namespace isolume {

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
  check_orbital(orbitals, which);
  if (amplitude.empty()) return;
  // Asking a CUDA device for its free memory takes longer than a small orbital; what is less than this it has, or says
  // so at once.
  constexpr std::size_t small = std::size_t{64} << 20;
  const std::size_t bytes = orbital_memory(orbitals, grid, amplitude.device);
  if (bytes > small || memory_limit() != 0) require_memory(bytes, amplitude.device, "orbital");
  if (amplitude.device.is_cuda()) return orbital_cuda(orbitals, which, grid, amplitude, job, options);
  OrbitalTerms terms;
  {
    const PhaseTimer timer("orbital: terms");
    terms = orbital_terms(orbitals, which);
    if (options.screening) {
      const std::vector<glm::dvec3> points = sample_points(orbitals.centres, grid);
      terms.cut(orbital_term_tolerance(options.accuracy) * sampled_maximum(terms, points));
    }
  }
  orbital_cpu(terms, grid, amplitude, job);
}

OrbitalBox orbital_box(const Orbitals& orbitals, std::size_t which, double cutoff) {
  if (!(cutoff > 0)) throw Error(fmt::format("orbital: the cutoff {} must be positive", cutoff), Error::Kind::usage);
  const OrbitalTerms terms = orbital_terms(orbitals, which);
  if (terms.terms.empty()) return {};
  const std::vector<TermBound> bounds = terms.bounds();
  glm::dvec3 box[2];
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      // Beyond a plane every term is at least as far from its centre as the plane is; the sum falls with the plane.
      const auto too_much_beyond = [&](double plane) {
        double sum = 0;
        for (std::size_t n = 0; n < bounds.size() && sum <= cutoff; ++n)
          sum += bounds[n].beyond(std::max(0.0, plane - sign * terms.terms[n].centre[axis]));
        return sum > cutoff;
      };
      double lower = std::numeric_limits<double>::max();
      double outermost = std::numeric_limits<double>::lowest();
      for (const OrbitalTerm& term : terms.terms) {
        lower = std::min(lower, sign * term.centre[axis]);
        outermost = std::max(outermost, sign * term.centre[axis]);
      }
      double reach = 1;
      while (too_much_beyond(outermost + reach) && reach < 1e4) reach *= 2;
      double upper = outermost + reach;
      while (upper - lower > 1e-3) {
        const double middle = 0.5 * (lower + upper);
        (too_much_beyond(middle) ? lower : upper) = middle;
      }
      box[side][axis] = units::bohr_in_angstrom * sign * upper;
    }
  }
  return {glm::min(box[0], box[1]), glm::max(box[0], box[1])};
}

Grid orbital_grid(const Orbitals& orbitals, std::size_t which, double spacing, double cutoff) {
  const OrbitalBox box = orbital_box(orbitals, which, cutoff);
  return Grid::covering(box.lower, box.upper, spacing);
}

std::size_t orbital_memory(const Orbitals& orbitals, const Grid& grid, Device device) {
  if (!orbitals.basis) return 0;
  const std::shared_ptr<const OrbitalPlan> plan = orbital_plan(orbitals.basis);
  std::size_t bytes = plan->terms.size() * sizeof(OrbitalTerm) + plan->coefficient_count() * sizeof(double);
  // On a device the tables, and how far each term counts.
  if (device.is_cuda()) bytes += plan->terms.size() * 32 + orbital_table_bytes(*plan, grid);
  return bytes;
}

}  // namespace isolume
