// Maps of the coefficients of a Poisson-Boltzmann problem: permittivities and accessibility.
#include "compute/electrostatics/poisson_boltzmann/pb_maps.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_checks.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_spline.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

PoissonBoltzmannMaps poisson_boltzmann_maps(std::span<const ChargedSphere> atoms, const Grid& grid,
                                            const PoissonBoltzmannOptions& o, Job& job) {
  PoissonBoltzmannOptions options = o;
  options.focus = true;  // charges outside of the grid do no harm here
  pb_check(atoms, grid, options, {});
  pb_check_overlap(atoms);
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

std::vector<float> spline_accessibility(std::span<const ChargedSphere> atoms, const Grid& grid, double width,
                                        int degree, Job& job) {
  PbProblem problem;
  problem.counts = grid.counts;
  problem.origin = grid.origin;
  for (int axis = 0; axis < 3; ++axis) problem.step[axis] = grid.step[axis][axis];
  return pb_spline(atoms, width, degree, problem, job).node;
}

std::vector<float> spread_charge(std::span<const ChargedSphere> atoms, const Grid& grid, int degree) {
  const int order = degree + 1;
  constexpr int most = 6;
  const double cell = grid.step[0][0] * grid.step[1][1] * grid.step[2][2];
  std::vector<double> sums(grid.size(), 0.0);
  for (const ChargedSphere& atom : atoms) {
    if (atom.charge == 0) continue;
    const glm::dvec3 at = grid.coordinates(glm::dvec3(atom.position));
    double weight[3][most];
    glm::ivec3 first(0);
    for (int axis = 0; axis < 3; ++axis) {
      // M_order at the nodes within half its length of the charge, by the recursion of the splines.
      const double low = at[axis] - order / 2.0;
      first[axis] = static_cast<int>(std::floor(low)) + 1;
      for (int k = 0; k < order; ++k) {
        double spline[most + 1];
        const double x = first[axis] + k - low;
        for (int j = 0; j < order; ++j) spline[j] = std::max(0.0, 1 - std::abs(x - j - 1));  // M_2(x - j)
        for (int n = 3; n <= order; ++n)
          for (int j = 0; j + n <= order; ++j)
            spline[j] = ((x - j) * spline[j] + (n - x + j) * spline[j + 1]) / (n - 1);
        weight[axis][k] = spline[0];
      }
    }
    for (int c = 0; c < order; ++c) {
      for (int b = 0; b < order; ++b) {
        for (int a = 0; a < order; ++a) {
          const glm::ivec3 node = first + glm::ivec3(a, b, c);
          if (glm::any(glm::lessThan(node, glm::ivec3(0))) || glm::any(glm::greaterThanEqual(node, grid.counts)))
            continue;
          sums[grid.index(node.x, node.y, node.z)] +=
              static_cast<double>(atom.charge) * weight[0][a] * weight[1][b] * weight[2][c] / cell;
        }
      }
    }
  }
  return {sums.begin(), sums.end()};
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
