// Molecular orbitals on grids: checks, the terms that count, and the choice of the body.
#include "compute/orbitals/orbital.h"

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/base/stream.h"
#include "compute/base/timing.h"
#include "compute/orbitals/orbital_bodies.h"
#include "compute/orbitals/orbital_plan.h"
#include "molecule/base/units.h"

namespace isolume {

OrbitalAccuracy orbital_accuracy(const std::string& name) {
  if (name == "fine") return OrbitalAccuracy::fine;
  if (name == "preview") return OrbitalAccuracy::preview;
  throw Error("orbital accuracy \"" + name + "\": there are fine and preview", Error::Kind::usage);
}

namespace {

void check_request(const Orbitals& orbitals, std::size_t which, const Grid& grid, const Span<float>& amplitude,
                   Job& job) {
  check_grid(grid, "orbital");
  check_values(grid, amplitude, "orbital");
  job.check();
  check_orbital(orbitals, which);
  if (!amplitude.empty()) require_memory(orbital_memory(orbitals, grid, amplitude.device), amplitude.device, "orbital");
}

}  // namespace

void start_orbital(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Stream& stream,
                   Job& job, const OrbitalOptions& options) {
  check_request(orbitals, which, grid, amplitude, job);
  if (!amplitude.device.is_cuda() || stream.device() != amplitude.device)
    throw Error("orbital: a stream of the CUDA device that computes is needed", Error::Kind::usage);
  if (!amplitude.empty()) orbital_cuda(orbitals, which, grid, amplitude, stream, false, job, options);
}

void orbital(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Job& job,
             const OrbitalOptions& options) {
  check_request(orbitals, which, grid, amplitude, job);
  if (amplitude.empty()) return;
  if (amplitude.device.is_cuda()) {
    Stream stream(amplitude.device);
    return orbital_cuda(orbitals, which, grid, amplitude, stream, true, job, options);
  }
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

std::size_t orbital_memory(const Orbitals& orbitals, const Grid& grid, Device device) {
  if (!orbitals.basis) return 0;
  const std::shared_ptr<const OrbitalPlan> plan = orbital_plan(orbitals.basis);
  std::size_t bytes = plan->terms.size() * sizeof(OrbitalTerm) + plan->coefficient_count() * sizeof(double);
  // On a device the tables, and how far each term counts.
  if (device.is_cuda()) bytes += plan->terms.size() * 32 + orbital_table_bytes(*plan, grid);
  return bytes;
}

}  // namespace isolume
