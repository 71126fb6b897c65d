// A probe's field: checks, and the choice of the body.
#include "compute/sampling/probe_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/sampling/probe_system.h"
#include "molecule/base/error.h"

namespace isolume {

std::size_t probe_memory(std::size_t atoms, const Grid& grid, const Cell& cell, const ProbeOptions& options) {
  std::size_t images = atoms;
  if (cell.exists()) {
    const GridBox box = box_of(grid);
    const glm::dvec3 size = box.upper - box.lower + 2 * (options.cutoff + 2);
    images =
        static_cast<std::size_t>(static_cast<double>(atoms) * std::max(1.0, size.x * size.y * size.z / cell.volume()));
  }
  return images * 96;
}

void probe_free_energy(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                       std::span<const glm::dquat> orientations, const Grid& grid, const ProbeOptions& options,
                       Span<float> free_energy, Job& job) {
  if (free_energy.size != grid.size())
    throw Error(fmt::format("probe: {} values for {} points", free_energy.size, grid.size()), Error::Kind::usage);
  require_memory(probe_memory(atoms.size(), grid, cell, options), Device::cpu(), "the atoms that a probe meets");
  job.check();
  if (grid.size() == 0) return;
  const GridBox box = box_of(grid);
  const ProbeSystem system = probe_system(atoms, cell, probe, orientations, box.lower, box.upper, options);
  if (free_energy.device.is_cuda()) {
    probe_free_energy_cuda(system, grid, free_energy, job);
  } else {
    probe_free_energy_cpu(system, grid, free_energy, job);
  }
}

}  // namespace isolume
