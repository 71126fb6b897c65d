// Exclusions; the references for energies and forces against constants, differences and each other; the direct sum.
#include "compute/electrostatics/energy/electrostatics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

using test::EnergySystem;
using test::force_error;
using test::random_system;
constexpr double coulomb = units::coulomb_kcal_angstrom;

TEST(Exclusions, ComeFromBondsByTheShortestPath) {
  // A ring of five with a tail: 0-1-2-3-4-0, 4-5-6.
  TopologyBuilder builder;
  for (int i = 0; i < 7; ++i) builder.add({}, "X", 1, ' ', "A");
  builder.topology().bonds = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {0, 4, 1}, {4, 5, 1}, {5, 6, 1}};
  const PairExclusions x = bonded_exclusions(builder.finish(), 0.5);
  x.check(7);
  const auto kept = [&](std::uint32_t i, std::uint32_t j) {
    for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
      if (x.partners[k] == j) return x.kept[k];
    }
    return -1.0f;
  };
  for (std::uint32_t i = 0; i < 5; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) EXPECT_EQ(kept(i, j), i == j ? -1 : 0) << i << j;
  }
  EXPECT_EQ(kept(5, 4), 0);
  EXPECT_EQ(kept(5, 0), 0);
  EXPECT_EQ(kept(5, 1), 0.5f);
  EXPECT_EQ(kept(6, 4), 0);
  EXPECT_EQ(kept(6, 3), 0.5f);
  EXPECT_EQ(kept(3, 6), 0.5f);
  EXPECT_EQ(kept(6, 1), -1);
}

TEST(Exclusions, AreChecked) {
  EXPECT_THROW(make_exclusions(3, {{0, 3, 0}}), Error);
  EXPECT_THROW(make_exclusions(3, {{1, 1, 0}}), Error);
  PairExclusions x = make_exclusions(3, {{0, 1, 0}, {1, 2, 0.5f}, {2, 1, 0}});
  x.check(3);
  EXPECT_EQ(x.pairs(), 2u);
  EXPECT_EQ(x.kept[x.offsets[2]], 0);  // the least value of a pair counts
  EXPECT_THROW(x.check(4), Error);
  x.kept[0] = 0.5f;
  EXPECT_THROW(x.check(3), Error);
}

double trace(const ElectrostaticSums& sums) {
  return sums.virial[0] + sums.virial[1] + sums.virial[2];
}

TEST(EwaldEnergy, GivesMadelungsConstants) {
  // E per pair of ions = -M/d; NaCl (OEIS A085469), CsCl (OEIS A181152, of the nearest distance).
  ElectrostaticProblem p;
  const double a = 5.6;
  p.cell = Cell{glm::dmat3(a)};
  std::vector<glm::dvec3> at;
  for (int i = 0; i < 8; ++i) {
    at.push_back(glm::dvec3(i % 2, i / 2 % 2, i / 4) * (a / 2));
    p.charges.push_back((i % 2 + i / 2 % 2 + i / 4) % 2 ? -1.0f : 1.0f);
  }
  const auto nacl = ewald_energy_reference(p, at);
  EXPECT_NEAR(nacl.sums.energy(), -4 * 1.747564594633182 / (a / 2) * coulomb, 1e-9 * coulomb);
  EXPECT_NEAR(trace(nacl.sums), nacl.sums.energy(), 1e-9 * coulomb);
  p.charges = {1, -1};
  at = {{0, 0, 0}, glm::dvec3(a / 2)};
  const auto cscl = ewald_energy_reference(p, at);
  EXPECT_NEAR(cscl.sums.energy(), -1.762674773070990 / (a / 2 * std::sqrt(3.0)) * coulomb, 1e-9 * coulomb);
  for (const glm::dvec3 f : cscl.forces) EXPECT_LT(glm::length(f), 1e-9 * coulomb);
  // One charge in its background: Wigner's constant.
  p.charges = {1};
  at = {{1, 2, 3}};
  EXPECT_NEAR(ewald_energy_reference(p, at).sums.energy(), -2.837297479480620 / 2 / a * coulomb, 1e-10 * coulomb);
}

/// Forces and the virial as differences of the energy, per-atom energies as its parts.
template <class Energy>
void expect_derivatives(const EnergySystem& s, const Energy& reference) {
  const auto at = precise(s.positions);
  const ElectrostaticReference r = reference(s.problem, at);
  EXPECT_NEAR(std::accumulate(r.energies.begin(), r.energies.end(), 0.0), r.sums.energy(), 1e-9 * coulomb);
  EXPECT_NEAR(trace(r.sums), r.sums.energy(), 1e-8 * coulomb);
  const double step = 1e-4;
  for (const std::size_t i : {0u, 3u, 7u}) {
    for (int axis = 0; axis < 3; ++axis) {
      double e[2];
      for (int side = 0; side < 2; ++side) {
        auto moved = at;
        moved[i][axis] += side ? step : -step;
        e[side] = reference(s.problem, moved).sums.energy();
      }
      EXPECT_NEAR(r.forces[i][axis], (e[0] - e[1]) / (2 * step), 1e-5 * coulomb);
    }
  }
  const int rows[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 6; ++k) {
    double e[2];
    for (int side = 0; side < 2; ++side) {
      glm::dmat3 strain(1.0);
      strain[rows[k][1]][rows[k][0]] += side ? step : -step;
      EnergySystem strained = s;
      strained.problem.cell.vectors = strain * s.problem.cell.vectors;
      auto moved = at;
      for (auto& p : moved) p = strain * p;
      e[side] = reference(strained.problem, moved).sums.energy();
    }
    EXPECT_NEAR(r.sums.virial[static_cast<std::size_t>(k)], (e[0] - e[1]) / (2 * step), 1e-5 * coulomb) << k;
  }
}

TEST(EnergyReferences, HaveForcesAndVirialsThatAreDerivatives) {
  const Cell cell = Cell::from_lengths_angles({9, 10, 11}, {75, 100, 65});
  expect_derivatives(random_system(12, cell, 1.5), ewald_energy_reference);
  expect_derivatives(random_system(12, cell, 1.5), direct_energy_reference);
}

TEST(EwaldEnergy, AgreesWithTheSumOverImagesInALargeCell) {
  // Two opposite charges 1 apart in a cell of 200: the images add a dipole's reaction, 2 pi/3 mu^2/V to leading order.
  ElectrostaticProblem p;
  p.charges = {1, -1};
  p.cell = Cell{glm::dmat3(200.0)};
  const std::vector<glm::dvec3> at{{100, 100, 100}, {101, 100, 100}};
  const double images = -2 * units::pi / 3 / (200.0 * 200 * 200);
  EXPECT_NEAR(ewald_energy_reference(p, at).sums.energy() / coulomb, -1 + images, 1e-10);
}

class DirectEnergy : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DirectEnergy);

TEST_P(DirectEnergy, EqualsItsReference) {
  for (const std::size_t atoms : {2u, 5u, 700u}) {
    const EnergySystem s = random_system(atoms, Cell{glm::dmat3(25.0)}, 0.7);
    const auto expected = direct_energy_reference(s.problem, precise(s.positions));
    const auto method = direct_electrostatics(s.problem, GetParam());
    const auto got = test::evaluate(*method, s.positions);
    EXPECT_LE(force_error(got.forces, expected.forces), 1e-5);
    EXPECT_NEAR(got.sums.energy(), expected.sums.energy(), 2e-6 * std::abs(expected.sums.pairs));
    EXPECT_LE(test::deviation(got.energies, expected.energies).rms, 1e-5);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(got.sums.virial[k], expected.sums.virial[k], 1e-5 * std::abs(expected.sums.energy()));
    }
  }
}

TEST_P(DirectEnergy, RefusesWhatMakesNoSense) {
  EXPECT_THROW(direct_electrostatics({}, GetParam()), Error);
  ElectrostaticProblem p;
  p.charges = {1, NAN};
  EXPECT_THROW(direct_electrostatics(p, GetParam()), Error);
  p.charges = {1, -1};
  const auto method = direct_electrostatics(p, GetParam());
  Job job;
  const auto one = DeviceArray<glm::vec3>::from_host(std::vector<glm::vec3>(1), GetParam());
  EXPECT_THROW(method->evaluate(one.span(), {}, job), Error);
  const auto wrong = DeviceArray<glm::vec3>::from_host(std::vector<glm::vec3>{{0, 0, 0}, {NAN, 0, 0}}, GetParam());
  EXPECT_THROW(method->evaluate(wrong.span(), {}, job), Error);
}

TEST_P(DirectEnergy, LeavesOutCoincidentAtoms) {
  ElectrostaticProblem p;
  p.charges = {1, 1, -2};
  const auto got = test::evaluate(*direct_electrostatics(p, GetParam()), {{1, 1, 1}, {1, 1, 1}, {1, 1, 3}});
  EXPECT_NEAR(got.sums.energy(), -2.0 * coulomb, 1e-5 * coulomb);
  EXPECT_NEAR(got.forces[2].z, -coulomb, 1e-5 * coulomb);
}

}  // namespace
}  // namespace isolume
