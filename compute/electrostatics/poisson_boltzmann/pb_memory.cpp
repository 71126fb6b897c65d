// The memory that a Poisson-Boltzmann computation takes.
#include <algorithm>

#include "compute/electrostatics/poisson_boltzmann/pb_box_plan.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "compute/molecular_surface/surface_arcs.h"

namespace isolume {

std::size_t poisson_boltzmann_memory(std::span<const ChargedSphere> atoms, const Grid& grid,
                                     const PoissonBoltzmannOptions& options, Device device) {
  // Bytes of a node: of a box that is solved, while it is solved, and while its coefficients are formed.
  constexpr std::size_t kept = 29, formed = 60, ions = 16;
  const std::size_t solved = device.is_cuda() ? 65 : 61, solving = solved + (options.nonlinear ? ions : 0);
  std::size_t most = 0, outer = 0;
  const std::vector<PbBox> boxes = pb_boxes(atoms, grid, options);
  for (const PbBox& box : boxes) {
    const auto nodes = static_cast<std::size_t>(box.counts.x) * static_cast<std::size_t>(box.counts.y) *
                       static_cast<std::size_t>(box.counts.z);
    const bool last = &box == &boxes.back();
    // With steps twice as long there is an eighth of the nodes.
    const std::size_t coarse = last && options.estimate_error ? kept * nodes / 8 : 0;
    most = std::max(most, kept * outer + coarse + std::max(formed, solving) * nodes);
    outer = nodes;
  }
  constexpr std::size_t lists = 160;  // of an atom: its spheres, balls in cells, and charges for the sums
  std::size_t of_atoms = lists * atoms.size();
  const bool arcs =
      options.boundary == DielectricBoundary::solvent_excluded || options.boundary == DielectricBoundary::smooth;
  if (arcs && !device.is_cuda()) of_atoms += SurfaceArcs::memory(atoms.size());
  return most + of_atoms + (std::size_t{8} << 20);
}

}  // namespace isolume
