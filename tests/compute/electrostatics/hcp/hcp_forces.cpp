// Forces and energies of hierarchical charge partitioning, its thresholds and hierarchies.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/electrostatics/hcp/dielectric_error.h"
#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "compute/electrostatics/hcp/hcp_energy.h"
#include "compute/electrostatics/molecule_charges.h"
#include "molecule/assembly.h"
#include "molecule/base/error.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/electrostatics/energy_systems.h"
#include "tests/compute/electrostatics/hcp/hcp_systems.h"

namespace isolume {
namespace {

using test::deviation;
using test::make_system;
using test::System;

class HcpForces : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(HcpForces);

/// The system with some pairs inside its groups excluded and some scaled.
ElectrostaticProblem problem_of(const System& system) {
  ElectrostaticProblem problem;
  std::vector<ExcludedPair> pairs;
  for (const PointCharge& c : system.charges) problem.charges.push_back(c.charge);
  const auto& groups = system.hierarchy.first[0];
  for (std::size_t g = 0; g + 1 < groups.size(); ++g)
    for (std::uint32_t a = groups[g]; a + 1 < groups[g + 1]; ++a) pairs.push_back({a, a + 1, a % 3 == 0 ? 0.5f : 0.0f});
  problem.exclusions = make_exclusions(problem.atoms(), std::move(pairs));
  return problem;
}

TEST_P(HcpForces, ForcesAndEnergiesAreTheReference) {
  const System system = make_system(2, 3, 30);
  std::vector<glm::vec3> positions;
  for (const PointCharge& c : system.charges) positions.push_back(c.position);
  for (const int charges : {1, 2}) {
    for (const Dielectric& dielectric : {Dielectric::constant(1), Dielectric::sigmoidal()}) {
      const HcpOptions options{{15, 45, HcpOptions::never}, charges, dielectric};
      const auto method = hcp_electrostatics(problem_of(system), system.hierarchy, options, GetParam());
      const auto expected = hcp_energy_reference(problem_of(system), system.hierarchy, options, precise(positions));
      const test::Evaluated found = test::evaluate(*method, positions);
      EXPECT_LE(test::force_error(found.forces, expected.forces), 3e-5);
      EXPECT_LE(deviation(found.energies, expected.energies).rms, 3e-5);
      EXPECT_NEAR(found.sums.energy(), expected.sums.energy(), 3e-5 * std::abs(expected.sums.pairs));
      // Again, with the atoms moved: nothing stays of the first time.
      std::vector<glm::vec3> moved = positions;
      for (glm::vec3& p : moved) p += glm::vec3(20, -10, 5);
      EXPECT_LE(test::force_error(test::evaluate(*method, moved).forces, expected.forces), 1e-4);
    }
  }
}

TEST_P(HcpForces, TheErrorOfTheEnergyIsThatAgainstAllAtoms) {
  const System system = make_system(2, 3, 30);
  std::vector<glm::vec3> positions;
  for (const PointCharge& c : system.charges) positions.push_back(c.position);
  const ElectrostaticProblem problem = problem_of(system);
  for (const Dielectric& dielectric : {Dielectric::constant(2), Dielectric::sigmoidal()}) {
    const HcpOptions options{{10, 45, HcpOptions::never}, 1, dielectric};
    const HcpOptions all{{HcpOptions::never, HcpOptions::never, HcpOptions::never}, 1, dielectric};
    const double exact = hcp_energy_reference(problem, system.hierarchy, all, precise(positions)).sums.energy();
    const double approximate =
        hcp_energy_reference(problem, system.hierarchy, options, precise(positions)).sums.energy();
    ASSERT_GT(std::abs(approximate - exact), 1e-4 * std::abs(exact)) << "an error worth measuring";
    const test::Evaluated found =
        test::evaluate(*hcp_electrostatics(problem, system.hierarchy, options, GetParam()), positions);
    std::vector<float> energies(found.energies.begin(), found.energies.end());
    Job job;
    const EnergyError whole =
        dielectric_energy_error(problem, dielectric, positions, found.sums.energy(), energies, positions.size(), job);
    EXPECT_EQ(whole.atoms, positions.size());
    EXPECT_EQ(whole.standard_error, 0);
    EXPECT_NEAR(whole.error, approximate - exact, 0.02 * std::abs(approximate - exact));
    EXPECT_NEAR(whole.relative, std::abs(whole.error / exact), 1e-9);
    // A third of the atoms: within four standard errors.
    const EnergyError some = dielectric_energy_error(problem, dielectric, positions, found.sums.energy(), energies,
                                                     positions.size() / 3, job);
    EXPECT_EQ(some.atoms, positions.size() / 3);
    EXPECT_GT(some.standard_error, 0);
    EXPECT_LT(std::abs(some.error - whole.error), 4 * some.standard_error);
  }
  EXPECT_EQ(quick_energy_samples(10000), 10000u);
  EXPECT_EQ(quick_energy_samples(1000000), 100u);
  EXPECT_EQ(quick_energy_samples(100000000), 50u);
}

TEST_P(HcpForces, ForcesAloneAreTheReference) {
  // Groups of some ten atoms, and of three, which fill vectors badly.
  for (const bool small : {false, true}) {
    System system = make_system(2, 3, 30);
    if (small) {
      auto& [groups, subunits, wholes] = system.hierarchy.first;
      const auto atoms = static_cast<std::uint32_t>(system.charges.size());
      groups.clear();
      for (std::uint32_t a = 0; a < atoms; a += 3) groups.push_back(a);
      groups.push_back(atoms);
      subunits = {0, static_cast<std::uint32_t>(groups.size() - 1)};
      wholes = {0, 1};
    }
    std::vector<glm::vec3> positions;
    for (const PointCharge& c : system.charges) positions.push_back(c.position);
    // Another law, and far groups closer than tables begin elsewhere.
    for (const Dielectric& dielectric : {Dielectric::sigmoidal(), Dielectric::sigmoidal(40, 0.4)}) {
      const HcpOptions options{{small ? 9.0 : 13.0, 45, HcpOptions::never}, 1, dielectric};
      const auto method = hcp_electrostatics(problem_of(system), system.hierarchy, options, GetParam());
      const auto expected = hcp_energy_reference(problem_of(system), system.hierarchy, options, precise(positions));
      const auto at = DeviceArray<glm::vec3>::from_host(positions, GetParam());
      DeviceArray<glm::vec3> forces(positions.size(), GetParam());
      Job job;
      method->evaluate(at.span(), {forces.span(), {}, false}, job);
      EXPECT_LE(test::force_error(forces.copy_to_host(), expected.forces), 3e-5) << small << " " << dielectric.slope;
    }
  }
}

TEST_P(HcpForces, OfAllAtomsIsTheDirectEnergy) {
  const System system = make_system(1, 3, 40);
  std::vector<glm::vec3> positions;
  for (const PointCharge& c : system.charges) positions.push_back(c.position);
  HcpOptions options;
  options.thresholds.fill(HcpOptions::never);
  const auto method = hcp_electrostatics(problem_of(system), system.hierarchy, options, GetParam());
  const auto expected = direct_energy_reference(problem_of(system), precise(positions));
  const test::Evaluated found = test::evaluate(*method, positions);
  EXPECT_LE(test::force_error(found.forces, expected.forces), 3e-5);
  EXPECT_NEAR(found.sums.energy(), expected.sums.energy(), 3e-5 * std::abs(found.sums.pairs));
}

TEST(HcpThresholds, AreReadAsPublished) {
  EXPECT_EQ(HcpOptions::parse_thresholds("15"), (std::array{15.0, HcpOptions::never, HcpOptions::never}));
  EXPECT_EQ(HcpOptions::parse_thresholds("21/90"), (std::array{21.0, 90.0, HcpOptions::never}));
  EXPECT_EQ(HcpOptions::parse_thresholds("15/66/300"), (std::array{15.0, 66.0, 300.0}));
  for (const char* text : {"", "a", "15/", "0", "-3/4", "1/2/3/4", "15 66", "66/15", "15/66/40"})
    EXPECT_THROW(HcpOptions::parse_thresholds(text), Error) << text;
}

TEST(HcpHierarchy, ComesFromResiduesAndChains) {
  TopologyBuilder builder;
  const Atom atom;
  for (const auto& [residue, chain] : {std::pair{1, "A"}, {1, "A"}, {2, "A"}, {1, "B"}, {1, "B"}, {2, "B"}, {3, "B"}})
    builder.add(atom, "GLY", residue, ' ', chain);
  const HcpHierarchy hierarchy = HcpHierarchy::from_topology(builder.finish());
  EXPECT_EQ(hierarchy.first[0], (std::vector<std::uint32_t>{0, 2, 3, 5, 6, 7}));
  EXPECT_EQ(hierarchy.first[1], (std::vector<std::uint32_t>{0, 2, 5}));
  EXPECT_EQ(hierarchy.first[2], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_NO_THROW(hierarchy.check(7));
}

/// Chains of one atom of a residue each, in segments.
Topology chains_in(const std::vector<const char*>& segments) {
  TopologyBuilder builder;
  for (std::size_t c = 0; c < segments.size(); ++c)
    builder.add({}, "GLY", 1, ' ', std::string(1, static_cast<char>('A' + c)), segments[c]);
  return builder.finish();
}

TEST(HcpComplexes, AreSegmentsOrNumbersOfChains) {
  using Numbers = std::vector<std::uint32_t>;
  const Topology six = chains_in({"P", "P", "Q", "Q", "Q", "P"});
  EXPECT_EQ(chain_complexes(six, "auto"), (Numbers{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(chain_complexes(six, "segments"), (Numbers{0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(chain_complexes(six, "3"), (Numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(chain_complexes(six, "1,4,1"), (Numbers{0, 1, 1, 1, 1, 2}));
  for (const char* text : {"", "4", "2,2", "7", "0", "2,", "-1", "all", "2 4"})
    EXPECT_THROW((void)chain_complexes(six, text), Error) << text;
  const HcpHierarchy hierarchy = HcpHierarchy::from_topology(six, chain_complexes(six, "segments"));
  EXPECT_EQ(hierarchy.first[2], (std::vector<std::uint32_t>{0, 2, 5, 6}));
  EXPECT_NO_THROW(hierarchy.check(6));
  // Of a selection without the second chain of Q's three, and without the last.
  const std::vector<std::uint32_t> atoms{0, 1, 2, 4};
  const auto parts = charge_parts(six, atoms, "segments");
  EXPECT_EQ(parts->first[2], (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_NO_THROW(parts->check(atoms.size()));
  // One that has nothing of the first complex.
  const std::vector<std::uint32_t> last{3, 5};
  EXPECT_EQ(charge_parts(six, last, "segments")->first[2], (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(HcpComplexes, AreTheCopiesOfAnAssembly) {
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(chains_in({"", "", ""}));
  Frame frame;
  frame.positions = {{0, 0, 0}, {5, 0, 0}, {10, 0, 0}};
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  const glm::dmat4 none(1.0);
  molecule.assemblies = {
      std::make_shared<const Assembly>(Assembly{"1", "made", {{{0, 1, 2}, {none, none, none}, {"1", "2", "3"}}}})};
  const Molecule built = build_assembly(molecule, "1");
  EXPECT_EQ(chain_complexes(*built.topology, "auto"), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
}

TEST_P(HcpForces, FarComplexesActByTheirCharges) {
  // Two complexes of two chains of one residue of two charges; from 300 angstrom the other one is its net charge at its
  // centre, which is all that the third threshold can do.
  TopologyBuilder builder;
  ElectrostaticProblem problem;
  std::vector<glm::vec3> at;
  for (const float x : {0.0f, 300.0f}) {
    for (const float y : {-20.0f, 20.0f}) {
      for (const float z : {-2.0f, 2.0f}) {
        builder.add({}, "GLY", 1, ' ', y < 0 ? "A" : "B", x > 0 ? "2" : "1");
        problem.charges.push_back(1);
        at.emplace_back(x, y, z);
      }
    }
  }
  const Topology topology = builder.finish();
  HcpOptions options;
  options.thresholds = {HcpOptions::never, HcpOptions::never, 100};
  const auto forces_with = [&](const char* complexes) {
    const auto parts = HcpHierarchy::from_topology(topology, chain_complexes(topology, complexes));
    const auto method = hcp_electrostatics(problem, parts, options, GetParam());
    const auto positions = DeviceArray<glm::vec3>::from_host(at, GetParam());
    DeviceArray<glm::vec3> forces(at.size(), GetParam());
    Job job;
    method->evaluate(positions.span(), {forces.span(), {}, false}, job);
    return forces.copy_to_host();
  };
  const auto sum_of_first = [](const std::vector<glm::vec3>& forces) {
    double x = 0;
    for (std::size_t i = 0; i < 4; ++i) x += static_cast<double>(forces[i].x);
    return x;
  };
  constexpr double coulomb = units::coulomb_kcal_angstrom;
  double far = 0, exact = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const glm::dvec3 d = glm::dvec3(at[i]) - glm::dvec3(300, 0, 0);
    far += coulomb * 4 * d.x / std::pow(glm::length(d), 3);
    for (std::size_t j = 4; j < 8; ++j) {
      const glm::dvec3 e = glm::dvec3(at[i]) - glm::dvec3(at[j]);
      exact += coulomb * e.x / std::pow(glm::length(e), 3);
    }
  }
  EXPECT_GT(std::abs(far - exact), 1e-3 * std::abs(exact));
  EXPECT_NEAR(sum_of_first(forces_with("segments")), far, 1e-5 * std::abs(far));
  EXPECT_NEAR(sum_of_first(forces_with("auto")), exact, 1e-5 * std::abs(exact)) << "one complex is never far of itself";
}

}  // namespace
}  // namespace isolume
