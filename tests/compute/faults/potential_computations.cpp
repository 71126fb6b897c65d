// The computations of potentials, energies and forces that have a CUDA body, small.
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/ewald/spme_map.h"
#include "compute/electrostatics/generalised_born/generalised_born.h"
#include "compute/electrostatics/hcp/hcp.h"
#include "compute/electrostatics/hcp/hcp_energy.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "tests/compute/faults/computations.h"
#include "tests/compute/faults/made_inputs.h"

namespace isolume::test {
namespace {

constexpr std::size_t atoms = 200;

/// Runs `compute(charges, grid, values, job)` on the device.
template <class Compute>
std::vector<double> map_on(Device device, const Compute& compute) {
  Job job;
  const std::vector<PointCharge> charges = fault_charges(atoms);
  const Grid grid = fault_grid();
  return floats_on(device, grid.size(), [&](Span<float> values) { compute(charges, grid, values, job); });
}

Cell fault_cell() {
  return Cell::from_lengths_angles({20, 20, 20}, {90, 90, 90});
}

std::vector<double> direct(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    direct_potential(charges, grid, values, job);
  });
}

std::vector<double> fast_direct(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    fast_direct_potential(charges, grid, {}, values, job);
  });
}

std::vector<double> cutoff(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    cutoff_potential(charges, grid, {}, values, job);
  });
}

std::vector<double> debye_hueckel(Device device) {
  Job job;
  const Grid grid = fault_grid();
  return floats_on(device, grid.size(),
                   [&](Span<float> values) { debye_hueckel_potential(fault_spheres(atoms), grid, {}, values, job); });
}

std::vector<double> msm(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    MsmOptions options;
    options.lattice = MsmLattice::direct;
    msm_potential(charges, grid, options, values, job);
  });
}

std::vector<double> periodic_msm(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    MsmOptions options;
    options.lattice = MsmLattice::fft;
    options.periodic = {true, true, true};
    options.cell = fault_cell();
    msm_potential(charges, grid, options, values, job);
  });
}

std::vector<double> spme_map(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    spme_potential(charges, grid, fault_cell(), {}, SpmeMap::full, values, job);
  });
}

// Two frames, of which the second takes what the first has made.
std::vector<double> spme_frames(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    SpmeField field;
    for (int frame = 0; frame < 2; ++frame) {
      field.reset(charges, fault_cell(), {}, SpmeMap::full, values.device, job);
      field.map(grid, values, job);
    }
  });
}

std::vector<std::uint32_t> every(std::size_t step, std::size_t count) {
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < count; i += step) first.push_back(static_cast<std::uint32_t>(i));
  first.push_back(static_cast<std::uint32_t>(count));
  return first;
}

HcpHierarchy fault_hierarchy() {
  HcpHierarchy hierarchy;
  hierarchy.first[0] = every(10, atoms);      // groups of ten atoms
  hierarchy.first[1] = every(5, atoms / 10);  // chains of five groups
  hierarchy.first[2] = every(4, atoms / 50);  // all chains
  return hierarchy;
}

std::vector<double> hcp_map(Device device) {
  return map_on(device, [](const auto& charges, const Grid& grid, Span<float> values, Job& job) {
    HcpOptions options;
    options.thresholds = {6, 12, HcpOptions::never};
    hcp_potential(charges, fault_hierarchy(), grid, options, values, job);
  });
}

ElectrostaticProblem fault_problem(bool periodic) {
  ElectrostaticProblem problem;
  for (const PointCharge& c : fault_charges(atoms)) problem.charges.push_back(c.charge);
  if (periodic) problem.cell = fault_cell();
  return problem;
}

/// Twice: what is recorded at the first evaluation is started again at the second.
std::vector<double> evaluated(std::unique_ptr<Electrostatics> sum, Device device) {
  Job job;
  std::vector<glm::vec3> places;
  for (const PointCharge& c : fault_charges(atoms)) places.push_back(c.position);
  const auto positions = DeviceArray<glm::vec3>::from_host(places, device);
  DeviceArray<glm::vec3> forces(atoms, device, "forces");
  DeviceArray<float> energies(atoms, device, "energies");
  ElectrostaticSums sums;
  for (int round = 0; round < 3; ++round)
    sums = sum->evaluate(positions.span(), {forces.span(), energies.span(), true}, job);
  std::vector<double> found{sums.energy()};
  for (const glm::vec3 f : forces.copy_to_host()) found.push_back(f.x);
  return found;
}

std::vector<double> direct_energies(Device device) {
  return evaluated(direct_electrostatics(fault_problem(false), device), device);
}

std::vector<double> spme_energies(Device device) {
  return evaluated(spme_electrostatics(fault_problem(true), {}, device), device);
}

std::vector<double> msm_energies(Device device) {
  return evaluated(msm_electrostatics(fault_problem(false), {}, false, device), device);
}

std::vector<double> hcp_energies(Device device) {
  HcpOptions options;
  options.thresholds = {6, 12, HcpOptions::never};
  return evaluated(hcp_electrostatics(fault_problem(false), fault_hierarchy(), options, device), device);
}

std::vector<double> coulomb(Device device) {
  Job job;
  const std::vector<PointCharge> charges = fault_charges(atoms);
  const std::vector<glm::dvec3> points = fault_points(500, 8);
  CoulombSum sum(charges, glm::dvec3(-9), glm::dvec3(9), device);
  std::vector<double> found(points.size());
  sum.at(points, found, {}, job);
  return found;
}

std::vector<double> poisson_boltzmann_map(Device device, bool nonlinear) {
  Job job;
  PoissonBoltzmannOptions options;
  options.nonlinear = nonlinear;
  options.estimate_error = false;
  options.focus = false;
  const Grid grid = make_grid({-9, -9, -9}, {1.1, 1.1, 1.1}, {17, 17, 17});
  double energy = 0;
  std::vector<double> found = floats_on(device, grid.size(), [&](Span<float> values) {
    energy = poisson_boltzmann(fault_spheres(60), grid, options, values, job).solvation_energy;
  });
  found.push_back(energy);
  return found;
}

std::vector<double> linear_poisson_boltzmann(Device device) {
  return poisson_boltzmann_map(device, false);
}

std::vector<double> nonlinear_poisson_boltzmann(Device device) {
  return poisson_boltzmann_map(device, true);
}

std::vector<double> born(Device device) {
  Job job;
  std::vector<GeneralisedBornAtom> solute;
  for (const PointCharge& c : fault_charges(atoms)) solute.push_back({c.position, c.charge, 1.5f, 0.8f});
  const GeneralisedBornResult result = generalised_born(solute, {}, device, job);
  std::vector<double> found = result.energies;
  found.push_back(result.energy);
  return found;
}

}  // namespace

std::vector<Computation> potential_computations() {
  return {{"Direct", direct},
          {"FastDirect", fast_direct},
          {"Cutoff", cutoff},
          {"DebyeHueckel", debye_hueckel},
          {"Msm", msm},
          {"PeriodicMsm", periodic_msm},
          {"Spme", spme_map},
          {"SpmeFrames", spme_frames},
          {"Hcp", hcp_map},
          {"DirectEnergies", direct_energies},
          {"SpmeEnergies", spme_energies},
          {"MsmEnergies", msm_energies},
          {"HcpEnergies", hcp_energies},
          {"CoulombSum", coulomb},
          {"PoissonBoltzmann", linear_poisson_boltzmann},
          {"NonlinearPoissonBoltzmann", nonlinear_poisson_boltzmann},
          {"GeneralisedBorn", born}};
}

}  // namespace isolume::test
