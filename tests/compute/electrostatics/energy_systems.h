// Systems and comparisons for the tests of energies and forces.
#pragma once

#include <cmath>
#include <vector>

#include "compute/electrostatics/energy/electrostatics.h"
#include "molecule/base/units.h"
#include "molecule/crystal/water_box.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume::test {

struct EnergySystem {
  ElectrostaticProblem problem;
  std::vector<glm::vec3> positions;
};

/// Water in a cube, its molecules' own pairs excluded.
inline EnergySystem water_system(double side, std::uint32_t seed = 1) {
  const Molecule water = make_water_box(side, seed);
  EnergySystem s;
  s.positions = water.trajectory->frame(0).positions;
  std::vector<ExcludedPair> pairs;
  for (const Atom& atom : water.topology->atoms) s.problem.charges.push_back(atom.charge);
  for (const Residue& residue : water.topology->residues) {
    for (std::uint32_t a = 0; a < residue.atom_count; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) pairs.push_back({residue.first_atom + b, residue.first_atom + a, 0.0f});
    }
  }
  s.problem.exclusions = make_exclusions(s.problem.atoms(), std::move(pairs));
  s.problem.cell = Cell{glm::dmat3(side)};
  return s;
}

/// Charges of both signs anywhere in a cell, some pairs excluded and some scaled. They keep 0.8 angstrom apart.
inline EnergySystem random_system(std::size_t atoms, const Cell& cell, double net = 0, std::uint64_t seed = 5) {
  EnergySystem s;
  Random random(seed);
  s.problem.cell = cell;
  double total = 0;
  while (s.positions.size() < atoms) {
    const glm::vec3 p(cell.vectors * random.in_box(0, 1));
    bool near = false;
    for (const glm::vec3 o : s.positions) near = near || glm::length(cell.minimum_image(glm::dvec3(p - o))) < 0.8;
    if (near) continue;
    s.positions.push_back(p);
    s.problem.charges.push_back(static_cast<float>(random(-1, 1)));
    total += static_cast<double>(s.problem.charges.back());
  }
  for (float& q : s.problem.charges) q += static_cast<float>((net - total) / static_cast<double>(atoms));
  std::vector<ExcludedPair> pairs;
  for (std::uint32_t i = 0; i + 3 < atoms; i += 3) {
    pairs.push_back({i, i + 1, 0.0f});
    pairs.push_back({i, i + 3, 0.5f});
  }
  // One with an index far away.
  if (atoms > 150) pairs.push_back({2, static_cast<std::uint32_t>(atoms - 2), 0.0f});
  s.problem.exclusions = make_exclusions(atoms, std::move(pairs));
  return s;
}

/// RMS of the difference of forces over the RMS of the expected.
template <class A, class B>
double force_error(const A& forces, const B& expected) {
  EXPECT_EQ(forces.size(), expected.size());
  double squares = 0;
  double scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const glm::dvec3 d = glm::dvec3(forces[i]) - glm::dvec3(expected[i]);
    squares += glm::dot(d, d);
    scale += glm::dot(glm::dvec3(expected[i]), glm::dvec3(expected[i]));
  }
  return std::sqrt(squares / scale);
}

/// What a method gives for a system.
struct Evaluated {
  std::vector<glm::vec3> forces;
  std::vector<float> energies;
  ElectrostaticSums sums;
};
inline Evaluated evaluate(Electrostatics& method, const std::vector<glm::vec3>& positions) {
  const Device device = method.device();
  const auto at = DeviceArray<glm::vec3>::from_host(positions, device);
  DeviceArray<glm::vec3> forces(positions.size(), device);
  DeviceArray<float> energies(positions.size(), device);
  Job job;
  Evaluated e;
  e.sums = method.evaluate(at.span(), {forces.span(), energies.span(), true}, job);
  e.forces = forces.copy_to_host();
  e.energies = energies.copy_to_host();
  return e;
}

}  // namespace isolume::test
