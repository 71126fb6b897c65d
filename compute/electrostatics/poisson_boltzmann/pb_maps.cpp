// Maps of the coefficients of a Poisson-Boltzmann problem: permittivities and accessibility.
#include "compute/electrostatics/poisson_boltzmann/pb_maps.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_checks.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

PoissonBoltzmannMaps poisson_boltzmann_maps(std::span<const ChargedSphere> atoms, const Grid& grid,
                                            const PoissonBoltzmannOptions& o, Job& job) {
  PoissonBoltzmannOptions options = o;
  options.focus = true;  // charges outside of the grid do no harm here
  pb_check(atoms, grid, options, {});
  PbBox box;
  box.counts = grid.counts;
  box.origin = grid.origin;
  for (int axis = 0; axis < 3; ++axis) box.step[axis] = grid.step[axis][axis];
  const PbMediaMaker media(atoms, options, job);
  PbProblem problem;
  pb_form(atoms, media, box, options, problem, job);
  PoissonBoltzmannMaps maps;
  const std::array<std::vector<float>*, 3> coefficients{&problem.cx, &problem.cy, &problem.cz};
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float>& values = *coefficients[static_cast<std::size_t>(axis)];
    const double weight = box.step.x * box.step.x / (box.step[axis] * box.step[axis]);
    for (std::size_t node = 0; node < values.size(); ++node) {
      glm::ivec3 place = problem.place(node);
      if (place[axis] + 1 == box.counts[axis]) {
        --place[axis];
        values[node] = values[problem.index(place)];
      } else {
        values[node] = static_cast<float>(static_cast<double>(values[node]) / weight);
      }
    }
    maps.dielectric[static_cast<std::size_t>(axis)] = std::move(values);
  }
  const std::vector<DensityAtom> spheres = pb_surface_atoms(atoms);
  const auto outside = [&](const MolecularSurfaceOptions& surface) {
    std::vector<float> depth(grid.size());
    molecular_surface(spheres, grid, surface, Span<float>(depth), {}, job);
    for (float& value : depth) value = value > 0 ? 0.0f : 1.0f;
    return depth;
  };
  maps.solvent = outside({SolventSurface::excluded, static_cast<float>(options.probe_radius)});
  maps.spheres = outside({SolventSurface::accessible, 0});
  maps.ions = outside(pb_ion_surface(options));
  for (std::size_t node = 0; node < maps.ions.size(); ++node)
    if (options.ionic_strength() > 0 && problem.kappa[node] == 0) maps.ions[node] = 0;
  return maps;
}

IonDensity ion_density(const PoissonBoltzmannOptions& o, double potential) {
  IonDensity density;
  double excess = 0;
  for (const IonSpecies& ion : o.ions) {
    const double factor = o.nonlinear ? std::exp(std::min(60.0, -ion.charge * potential)) : 1 - ion.charge * potential;
    density.number += ion.concentration * factor;
    density.charge += ion.charge * ion.concentration * factor;
    excess += ion.concentration * (factor - 1);
  }
  const double full = o.nonlinear ? 1 + std::pow(o.ion_size, 3) * 6.02214076e-4 * excess : 1;
  density.number /= full;
  density.charge /= full;
  return density;
}

}  // namespace isolume
