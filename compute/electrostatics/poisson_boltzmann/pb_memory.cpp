// The memory that a Poisson-Boltzmann computation takes.
#include <algorithm>

#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/poisson_boltzmann/pb_box_plan.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "compute/molecular_surface/surface_arcs.h"

namespace isolume {

std::size_t poisson_boltzmann_memory(std::span<const ChargedSphere> atoms, const Grid& grid,
                                     const PoissonBoltzmannOptions& options, Device device) {
  // Bytes of a node: of a box that was solved, while it is solved, and while its coefficients are formed.
  constexpr std::size_t ions = 16;
  const bool cuda = device.is_cuda(), by_host = pb_formed_by_host(atoms, options);
  // Of a linear equation a device keeps the solution and the sides of the nodes.
  const std::size_t kept = cuda && !options.nonlinear ? 9 : 29;
  std::size_t most = 0, outer = 0;
  const std::vector<PbBox> boxes = pb_boxes(atoms, grid, options);
  for (const PbBox& box : boxes) {
    const auto nodes = static_cast<std::size_t>(box.counts.x) * static_cast<std::size_t>(box.counts.y) *
                       static_cast<std::size_t>(box.counts.z);
    const bool last = &box == &boxes.back();
    // With steps twice as long there is an eighth of the nodes.
    const std::size_t coarse = last && options.estimate_error ? kept * nodes / 8 : 0;
    // Codes: u 8, sides 1, edges 6, ions 2, inverse diagonal 2, three vectors 12, sources and coarser grids 3.5. Else
    // coefficients and sources 20, six vectors 24, rounded coefficients 8, coarser grids 4.7.
    const bool compact = cuda && !by_host && !options.nonlinear && nodes >= options.compact_from;
    const std::size_t solving = (cuda ? (compact ? 35 : 65) : 61) + (options.nonlinear ? ions : 0);
    const std::size_t formed = !cuda ? 60 : compact ? 29 : 34;
    most = std::max(most, kept * outer + coarse + std::max(formed, solving) * nodes);
    outer = nodes;
  }
  constexpr std::size_t lists = 160;  // of an atom: its spheres, balls in cells, and charges for the sums
  std::size_t of_atoms = lists * atoms.size();
  const bool arcs =
      options.boundary == DielectricBoundary::solvent_excluded || options.boundary == DielectricBoundary::smooth;
  if (arcs && !device.is_cuda()) of_atoms += SurfaceArcs::memory(atoms.size());
  // The lattices of Coulomb's sums are made with the first box, and stay.
  const auto charges = static_cast<std::size_t>(
      std::count_if(atoms.begin(), atoms.end(), [](const ChargedSphere& atom) { return atom.charge != 0; }));
  if (coulomb_sum_may_have_lattices(charges)) {
    const PbExtent extent = pb_extent(atoms);
    const glm::dvec3 step = boxes.front().step;
    const CoulombSumMemory sums = coulomb_sum_memory(charges, extent.lower - step, extent.upper + step, device);
    const glm::ivec3 n = boxes.front().counts;
    const std::size_t first =
        static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    constexpr std::size_t then = 40;  // bytes of a node by that time
    most = std::max(most + sums.kept, then * first + sums.most);
  }
  return most + of_atoms + (std::size_t{8} << 20);
}

}  // namespace isolume
