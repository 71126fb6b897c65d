// Computations of orbitals and densities of electrons that have a CUDA body, small.
#include "tests/compute/faults/computations.h"

#include <cmath>

#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/gradient_model.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/electron_density/mesh/density_mesh.h"
#include "compute/electron_density/promolecule.h"
#include "compute/electron_density/topology/critical_points.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "tests/compute/faults/made_inputs.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume::test {
namespace {

const Orbitals& orbitals() {
  static const Orbitals made = [] {
    Orbitals o = orbitals_of_all_shells();
    o.orbitals[0].occupation = o.orbitals[1].occupation = 2;
    return o;
  }();
  return made;
}

std::vector<double> one_orbital(Device device) {
  Job job;
  const Grid grid = fault_grid();
  return floats_on(device, grid.size(), [&](Span<float> values) { orbital(orbitals(), 1, grid, values, job); });
}

std::vector<double> all_orbitals(Device device) {
  Job job;
  const Grid grid = make_grid({-2, -2, -2}, {0.7, 0.7, 0.7}, {7, 6, 5});
  const std::vector<std::size_t> all{0, 1, 2, 3, 4};
  return floats_on(device, all.size() * grid.size(),
                   [&](Span<float> values) { orbital_amplitudes(orbitals(), all, grid, values, job); });
}

std::vector<double> density(Device device) {
  Job job;
  const Grid grid = fault_grid();
  return floats_on(device, grid.size(),
                   [&](Span<float> values) { electron_density(orbitals(), DensityKind::electron, grid, values, job); });
}

/// On a grid that is interpolated from every second point.
std::vector<double> fine_density(Device device) {
  Job job;
  const SpinEvaluator evaluator(one_gaussian(0.8, 2));
  const Grid grid = make_grid({-2.4, -2.4, -2.4}, {0.1, 0.1, 0.1}, {48, 48, 48});
  return floats_on(device, grid.size(), [&](Span<float> values) {
    measure_on_grid(evaluator, *find_density_measure("laplacian"), grid, values, job);
  });
}

std::vector<double> derivatives(Device device) {
  Job job;
  const DensityEvaluator evaluator(orbitals(), std::vector<double>{2, 2, 0, 0, 0});
  std::vector<double> found;
  for (const DensityDerivatives& d : evaluator.at(fault_points(100, 2), DensityOrder::hessian, job, device)) {
    found.push_back(d.density);
    found.push_back(d.laplacian());
  }
  return found;
}

std::vector<double> density_at_points(Device device) {
  Job job;
  const Orbitals one = one_gaussian(0.8, 2);
  const std::vector<double> weights{2}, nuclei{2};
  const DensityPotential potential(one, weights, nuclei, job);
  const std::vector<glm::dvec3> points = fault_points(64, 3);
  std::vector<double> found(points.size());
  std::vector<glm::dvec3> field(points.size());
  potential.at(points, found, field, job, device);
  for (const glm::dvec3 e : field) found.push_back(e.x);
  return found;
}

std::vector<double> density_mesh(Device device) {
  Job job;
  const Orbitals one = one_gaussian(2, 2);
  const std::vector<double> weights{2}, nuclei{2};
  const DensityPotential potential(one, weights, nuclei, job);
  const Grid grid = make_grid({-1.1, -1.05, -1}, {0.3, 0.3, 0.3}, {8, 7, 7});
  const DensityPotentialMesh mesh(
      potential.density(),
      plan_density_mesh(potential.density(), potential.centres(), potential.charges(), grid, 1e-3, 1, job), job,
      device);
  return floats_on(device, grid.size(), [&](Span<float> values) { mesh.on_grid(grid, 1, values, job); });
}

std::vector<double> promolecule(Device device) {
  Job job;
  const std::vector<glm::dvec3> positions{{0, 0, 0}, {1.4, 1.1, 0}, {-1.4, 1.1, 0}, {0.3, -5.2, 0.8}};
  const std::vector<int> elements{8, 1, 1, 17};
  const Promolecule atoms(positions, elements, std::vector<std::uint8_t>{1, 1, 1, 2});
  std::vector<double> found = floats_on(device, fault_grid().size(), [&](Span<float> values) {
    atoms.on_grid(PromoleculeField::delta_g_inter, fault_grid(), values, job);
  });
  for (const PromoleculePoint& point : atoms.at(fault_points(50, 3), job, device)) found.push_back(point.delta_g);
  return found;
}

std::vector<double> gradient_model(Device device) {
  Job job;
  const Orbitals one = one_gaussian(0.8, 2);
  const HirshfeldGradientModel model(one, std::vector<int>{2}, std::vector<std::uint8_t>{1});
  const Grid grid = make_grid({-1.2, -1.1, -1}, {0.3, 0.3, 0.3}, {9, 8, 7});
  std::vector<double> found = floats_on(
      device, grid.size(), [&](Span<float> values) { model.on_grid(PromoleculeField::electron, grid, values, job); });
  for (const PromoleculePoint& point : model.at(fault_points(50, 2), job, device))
    found.push_back(point.density.gradient.x);
  return found;
}

std::vector<double> critical(Device device) {
  Job job;
  const Orbitals one = one_gaussian(0.8, 2);
  const DensityEvaluator evaluator(one, std::vector<double>{2});
  // Two centres, of which only one has functions: the iteration comes from the other too.
  const std::vector<glm::dvec3> centres{{0, 0, 0}, {0.3, 0.2, 0.1}};
  std::vector<double> found;
  for (const CriticalPoint& point : critical_points(evaluator, centres, job, 1e-9, device).points) {
    found.push_back(point.values.density);
    found.insert(found.end(), point.eigenvalues.begin(), point.eigenvalues.end());
  }
  return found;
}

std::vector<double> hirshfeld(Device device) {
  Job job;
  const HirshfeldCharges charges =
      hirshfeld_charges(one_gaussian(0.8, 2), std::vector<int>{2}, std::vector<double>{2}, job, device, {8, 6});
  return {charges.charges[0], charges.electrons};
}

}  // namespace

std::vector<Computation> density_computations() {
  return {{"Orbital", one_orbital},          {"Orbitals", all_orbitals},
          {"ElectronDensity", density},      {"DensityDerivatives", derivatives},
          {"FineDensity", fine_density},     {"DensityPotential", density_at_points},
          {"DensityMesh", density_mesh},     {"Promolecule", promolecule},
          {"GradientModel", gradient_model}, {"CriticalPoints", critical},
          {"HirshfeldCharges", hirshfeld}};
}

}  // namespace isolume::test
