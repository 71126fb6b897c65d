// Energies and forces of a force field on every device, against plain double precision and finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "compute/dynamics/bonded_math.h"
#include "compute/dynamics/neighbour_list.h"
#include "compute/electrostatics/ewald/spme.h"
#include "molecule/base/error.h"
#include "tests/compute/dynamics/dynamics_systems.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

class MolecularForcesOn : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MolecularForcesOn);

const Cell skewed{glm::dmat3(glm::dvec3(34, 0, 0), glm::dvec3(7, 33, 0), glm::dvec3(-6, 9, 35))};

struct Evaluated {
  std::vector<glm::dvec3> forces;
  MolecularEnergies energies;
};

Evaluated evaluate(MolecularForces& method, const std::vector<glm::dvec3>& positions) {
  const auto at = DeviceArray<glm::dvec3>::from_host(positions, method.device());
  DeviceArray<glm::dvec3> forces(positions.size(), method.device());
  Job job;
  method.evaluate(at.span(), forces.span(), true, job);
  Evaluated e;
  e.energies = method.energies();
  e.forces = forces.copy_to_host();
  return e;
}

void expect_near(const MolecularEnergies& a, const MolecularEnergies& b, double scale) {
  EXPECT_NEAR(a.bonds, b.bonds, scale * std::abs(b.bonds));
  EXPECT_NEAR(a.angles, b.angles, scale * std::abs(b.angles));
  EXPECT_NEAR(a.dihedrals, b.dihedrals, scale * std::abs(b.dihedrals));
  EXPECT_NEAR(a.impropers, b.impropers, scale * std::abs(b.impropers));
  EXPECT_NEAR(a.lennard_jones_14, b.lennard_jones_14, scale * std::abs(b.lennard_jones_14));
}

TEST_P(MolecularForcesOn, AreTheReferenceWithoutACell) {
  const auto s = test::chains(40, 9, {}, 30);
  const LennardJonesOptions lj{9, 7, 1.5};
  const Evaluated got = evaluate(*test::direct_forces(s, GetParam(), lj), s.positions);
  auto expected = molecular_energy_reference(*s.field, s.cell, lj, s.positions);
  const auto electric = direct_energy_reference(force_field_problem(*s.field, {}), s.positions);
  for (std::size_t i = 0; i < s.positions.size(); ++i) expected.forces[i] += electric.forces[i];
  expect_near(got.energies, expected.energies, 1e-11);
  EXPECT_NEAR(got.energies.lennard_jones, expected.energies.lennard_jones,
              2e-5 * std::max(10.0, std::abs(expected.energies.lennard_jones)));
  EXPECT_NEAR(got.energies.electrostatics, electric.sums.energy(),
              2e-5 * std::max(100.0, std::abs(electric.sums.energy())));
  EXPECT_LE(test::force_error(got.forces, expected.forces), 2e-5);
}

TEST_P(MolecularForcesOn, AreTheReferenceInAnObliqueCell) {
  const auto s = test::chains(60, 7, skewed, 34);
  const LennardJonesOptions lj{10, 8, 1.5};
  SpmeOptions fine;
  fine.cutoff = 12;
  fine.tolerance = 1e-6;
  fine.order = 6;
  fine.spacing = 0.6;
  const ElectrostaticProblem problem = force_field_problem(*s.field, s.cell);
  const auto method = MolecularForces::create(s.field, spme_electrostatics(problem, fine, GetParam()), s.cell, lj);
  const Evaluated got = evaluate(*method, s.positions);
  auto expected = molecular_energy_reference(*s.field, s.cell, lj, s.positions);
  const auto electric = ewald_energy_reference(problem, s.positions);
  for (std::size_t i = 0; i < s.positions.size(); ++i) expected.forces[i] += electric.forces[i];
  expect_near(got.energies, expected.energies, 1e-11);
  EXPECT_NEAR(got.energies.lennard_jones, expected.energies.lennard_jones,
              2e-5 * std::max(10.0, std::abs(expected.energies.lennard_jones)));
  EXPECT_NEAR(got.energies.electrostatics, electric.sums.energy(),
              2e-5 * std::max(100.0, std::abs(electric.sums.energy())));
  EXPECT_LE(test::force_error(got.forces, expected.forces), 2e-5);
}

TEST_P(MolecularForcesOn, StayRightWhileAtomsMoveAndTheListIsKept) {
  const auto s = test::chains(30, 6, skewed, 34);
  const LennardJonesOptions lj{9, 7, 1.2};
  const auto method = test::direct_forces(s, GetParam(), lj);
  std::vector<glm::dvec3> at = s.positions;
  test::Random random(8);
  const auto problem = force_field_problem(*s.field, {});
  for (int move = 0; move < 6; ++move) {
    const Evaluated got = evaluate(*method, at);
    auto expected = molecular_energy_reference(*s.field, s.cell, lj, at);
    const auto electric = direct_energy_reference(problem, at);
    for (std::size_t i = 0; i < at.size(); ++i) expected.forces[i] += electric.forces[i];
    EXPECT_LE(test::force_error(got.forces, expected.forces), 2e-5) << "move " << move;
    for (glm::dvec3& p : at) p += random.in_box(-0.25, 0.25);
  }
  // It was built again, but not for every evaluation.
  EXPECT_GE(method->list_builds(), 2u);
  EXPECT_LT(method->list_builds(), 6u);
}

TEST(MolecularReference, ForcesAreTheSlopeOfTheEnergy) {
  auto s = test::chains(4, 6, skewed, 12);
  const LennardJonesOptions lj{8, 5, 1};
  const auto energy = [&](const std::vector<glm::dvec3>& at) {
    return molecular_energy_reference(*s.field, s.cell, lj, at).energies.potential();
  };
  const auto forces = molecular_energy_reference(*s.field, s.cell, lj, s.positions).forces;
  double squares = 0, scale = 0;
  const double step = 1e-5;
  for (std::size_t i = 0; i < s.positions.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      auto before = s.positions, after = s.positions;
      before[i][axis] -= step;
      after[i][axis] += step;
      const double slope = -(energy(after) - energy(before)) / (2 * step);
      squares += std::pow(forces[i][axis] - slope, 2);
      scale += slope * slope;
    }
  }
  EXPECT_LE(std::sqrt(squares / scale), 1e-7);
}

TEST(BondedMath, TermsHaveTheirClosedForms) {
  // A right angle and a dihedral of 90 degrees: H-bonded shape of hydrogen peroxide.
  const Vector3 at[4] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 2}, {0, 1, 2}};
  const auto place = [&](int k) { return at[k]; };
  Vector3 force[4];
  const double angle = units::pi / 2;
  EXPECT_NEAR(bonded_energy({{0, 1, 0, 0}, BondedTerm::bond, 0, 100, 0.9}, {}, place, force), 100 * 0.01, 1e-12);
  EXPECT_NEAR(force[0].x, -2 * 100 * 0.1, 1e-12);
  EXPECT_NEAR(bonded_energy({{0, 1, 2, 0}, BondedTerm::angle, 0, 50, 1.5}, {}, place, force),
              50 * std::pow(angle - 1.5, 2), 1e-12);
  // Seen along b -> c (upwards, from below) the turn from +x to +y is clockwise: the angle is +90 degrees by IUPAC.
  EXPECT_NEAR(bonded_energy({{0, 1, 2, 3}, BondedTerm::dihedral, 3, 2, 0.4}, {}, place, force),
              2 * (1 + std::cos(3 * angle - 0.4)), 1e-12);
  EXPECT_NEAR(bonded_energy({{0, 1, 2, 3}, BondedTerm::improper, 0, 2, 3.0}, {}, place, force),
              2 * std::pow(angle - 3.0, 2), 1e-12);
  EXPECT_NEAR(
      bonded_energy(
          {{0, 2, 0, 0}, BondedTerm::pair14, 0, 1000, 10}, {}, [&](int k) { return k == 0 ? at[1] : at[2]; }, force),
      1000 / 4096.0 - 10 / 64.0, 1e-12);
}

TEST(NeighbourLists, AreThePairsInRange) {
  for (const Cell& cell : {Cell(), skewed}) {
    const auto s = test::chains(80, 5, cell, cell.exists() ? 34 : 60);
    NeighbourList list(*s.field, cell, 9, 1.5);
    Job job;
    list.build(s.positions, job);
    for (std::uint32_t i = 0; i < s.positions.size(); i += 7) {
      std::set<std::uint32_t> expected;
      for (std::uint32_t j = 0; j < s.positions.size(); ++j) {
        if (i != j && !s.field->excludes(i, j) &&
            glm::length(cell.minimum_image(s.positions[i] - s.positions[j])) <= 10.5) {
          expected.insert(j);
        }
      }
      const auto begin = list.partners().begin() + list.offsets()[i];
      const auto end = list.partners().begin() + list.offsets()[i + 1];
      EXPECT_EQ(std::set<std::uint32_t>(begin, end), expected) << "atom " << i;
      EXPECT_EQ(static_cast<std::size_t>(end - begin), expected.size());
    }
  }
}

TEST(NeighbourLists, SayWhenTheyAreStaleAndWhatDoesNotFit) {
  const auto s = test::chains(5, 5, skewed, 20);
  NeighbourList list(*s.field, skewed, 9, 1.5);
  Job job;
  EXPECT_TRUE(list.stale(s.positions));
  list.build(s.positions, job);
  EXPECT_FALSE(list.stale(s.positions));
  auto moved = s.positions;
  moved[3].y += 0.74;
  EXPECT_FALSE(list.stale(moved));
  moved[3].y += 0.02;
  EXPECT_TRUE(list.stale(moved));
  moved[3].y = std::nan("");
  EXPECT_TRUE(list.stale(moved));
  EXPECT_THROW(list.build(moved, job), Error);
  EXPECT_THROW(NeighbourList(*s.field, skewed, 17.5, 1), Error);
  EXPECT_THROW(NeighbourList(*s.field, {}, 0, 1), Error);
}

TEST_P(MolecularForcesOn, RefuseWhatMakesNoSense) {
  const auto s = test::chains(5, 5, {}, 20);
  EXPECT_THROW(test::direct_forces(s, GetParam(), {9, 10, 1}), Error);
  EXPECT_THROW(test::direct_forces(s, GetParam(), {-9, -10, 1}), Error);
  auto other = test::chains(5, 6, {}, 20);
  EXPECT_THROW(MolecularForces::create(
                   s.field, direct_electrostatics(force_field_problem(*other.field, {}), GetParam()), {}, {}),
               Error);
}

}  // namespace
}  // namespace isolume
