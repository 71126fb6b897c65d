// Energies of molecules of water against the formula, pair by pair.
#include "compute/over_time/hydration_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double side = 14;  // angstrom
constexpr std::size_t waters = 9, solute = 5, atoms = 3 * waters + solute;

/// Five atoms of a solute, then waters.
struct System {
  Topology topology;
  ForceField field;
  std::vector<glm::dvec3> positions;
  std::vector<std::uint32_t> water;
};

System make_system() {
  System s;
  std::mt19937 engine(11);
  const auto random = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  s.topology.atoms.resize(atoms);
  s.topology.residues.resize(waters + 1);
  s.field.coulomb_constant = 332.05;
  s.field.type_count = 3;
  // Types 0: the solute, 1: oxygen, 2: hydrogen, which has no Lennard-Jones energy.
  s.field.lj_a = {7e5, 6e5, 0, 6e5, 5.8e5, 0, 0, 0, 0};
  s.field.lj_b = {500, 550, 0, 550, 595, 0, 0, 0, 0};
  for (std::uint32_t i = 0; i < atoms; ++i) {
    const bool is_water = i >= solute;
    const std::uint32_t part = is_water ? (i - solute) % 3 : 0;
    s.topology.atoms.set_residue(i, is_water ? 1 + (i - solute) / 3 : 0);
    s.field.charges.push_back(is_water ? (part == 0 ? -0.834 : 0.417) : 0.3 * (i % 2 ? 1 : -1) + 0.1);
    s.field.types.push_back(is_water ? (part == 0 ? 1 : 2) : 0);
    const glm::dvec3 before = s.positions.empty() ? glm::dvec3(0) : s.positions.back();
    s.positions.push_back(part == 0   ? side * glm::dvec3(random(), random(), random())
                          : part == 1 ? before + glm::dvec3(0.9572, 0, 0)
                                      : before + glm::dvec3(-1.1972, 0.9266, 0));
    if (is_water) s.water.push_back(i);
  }
  return s;
}

double pair_energy(const System& s, std::size_t a, std::size_t b, double r) {
  const std::size_t pair = s.field.types[a] * 3 + s.field.types[b];
  return 332.05 * s.field.charges[a] * s.field.charges[b] / r + s.field.lj_a[pair] / std::pow(r, 12) -
         s.field.lj_b[pair] / std::pow(r, 6);
}

/// The shift by cells that brings `to` nearest to `from`, of 125 looked at.
glm::dvec3 shift_to(const Cell& cell, glm::dvec3 from, glm::dvec3 to) {
  if (!cell.exists()) return glm::dvec3(0);
  double least = std::numeric_limits<double>::infinity();
  glm::dvec3 best(0);
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k) {
        const glm::dvec3 shift = cell.vectors * glm::dvec3(i, j, k);
        if (const double length = glm::length(to + shift - from); length < least) {
          least = length;
          best = shift;
        }
      }
  return best;
}

TEST(HydrationEnergies, AreSumsOverPairs) {
  const System s = make_system();
  const HydrationEnergies energies(s.topology, s.field, s.water);
  Cell straight, skewed = Cell::from_lengths_angles({side, side + 1, side + 2}, {80, 95, 110});
  straight.vectors = glm::dmat3(side);
  for (const Cell& cell : {Cell{}, straight, skewed}) {
    // Atoms of molecules may lie on opposite sides of the cell.
    std::vector<glm::dvec3> stored = s.positions;
    if (cell.exists())
      for (std::size_t i = solute; i < atoms; ++i) stored[i] += cell.vectors * glm::dvec3(i % 3 - 1.0, 0, i % 2);
    for (std::size_t w = 0; w < waters; ++w) {
      const std::size_t first = solute + 3 * w;
      double with_solute = 0, with_water = 0;
      const auto energy = [&](std::size_t a, std::size_t b) {
        const glm::dvec3 shift = shift_to(cell, s.positions[a], s.positions[b]);
        return pair_energy(s, a, b, glm::length(s.positions[b] + shift - s.positions[a]));
      };
      for (std::size_t a = first; a < first + 3; ++a)
        for (std::size_t b = 0; b < atoms; ++b) {
          if (b < solute) with_solute += energy(a, b);
          if (b >= solute && (b < first || b >= first + 3)) with_water += 0.5 * energy(a, b);
        }
      // Any atom of a molecule stands for it.
      const std::uint32_t which[] = {static_cast<std::uint32_t>(first + w % 3)};
      const double found_solute = energies.of(which, stored, cell, HydrationPartner::solute, Job())[0];
      const double found_water = energies.of(which, stored, cell, HydrationPartner::water, Job())[0];
      EXPECT_NEAR(found_solute, with_solute, 1e-8 * (1 + std::abs(with_solute))) << w;
      EXPECT_NEAR(found_water, with_water, 1e-8 * (1 + std::abs(with_water))) << w;
    }
  }
}

TEST(HydrationEnergies, OfAPairOfWatersAddUpToItsEnergy) {
  System s = make_system();
  s.topology.atoms.resize(solute + 6);
  s.field.charges.resize(solute + 6);
  s.field.types.resize(solute + 6);
  s.positions.resize(solute + 6);
  s.water.resize(6);
  const HydrationEnergies energies(s.topology, s.field, s.water);
  const std::uint32_t which[] = {solute, solute + 3};
  const std::vector<double> found = energies.of(which, s.positions, {}, HydrationPartner::water, Job());
  EXPECT_NEAR(found[0], found[1], 1e-12);
  double whole = 0;
  for (std::size_t a = solute; a < solute + 3; ++a)
    for (std::size_t b = solute + 3; b < solute + 6; ++b)
      whole += pair_energy(s, a, b, glm::length(s.positions[a] - s.positions[b]));
  EXPECT_NEAR(found[0] + found[1], whole, 1e-9 * std::abs(whole));
}

TEST(HydrationEnergies, RefuseWhatIsNoWater) {
  const System s = make_system();
  EXPECT_THROW(HydrationEnergies(s.topology, s.field, {}), Error);
  EXPECT_THROW(HydrationEnergies(s.topology, ForceField{}, s.water), Error);
  const HydrationEnergies energies(s.topology, s.field, s.water);
  const std::uint32_t atom[] = {0};
  EXPECT_THROW(energies.of(atom, s.positions, {}, HydrationPartner::water, Job()), Error);
  EXPECT_THROW(energies.of({}, {}, {}, HydrationPartner::water, Job()), Error);
}

}  // namespace
}  // namespace isolume
