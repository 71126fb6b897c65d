// Energies of AMBER's later topologies, by term, as OpenMM computes them from
// the same files.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/dynamics/molecular_forces.h"
#include "formats/read.h"
#include "molecule/force_field/force_field.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// A place for every atom by a formula, rounded as positions are: a cubic
/// lattice of 3 angstrom, shifted by sines.
std::vector<glm::dvec3> lattice(std::size_t count) {
  const auto side = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(count)))) + 1;
  std::vector<glm::dvec3> positions;
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i);
    const glm::dvec3 node(static_cast<double>(i % side), static_cast<double>(i / side % side),
                          static_cast<double>(i / (side * side)));
    const glm::dvec3 shift(std::sin(n), std::sin(2 * n + 1), std::sin(3 * n + 2));
    positions.emplace_back(glm::vec3(3.0 * node + 0.5 * shift));
  }
  return positions;
}

MolecularEnergies energies(const ForceField& field, const std::vector<glm::dvec3>& positions) {
  const LennardJonesOptions all_pairs{1e4, 1e4, 0};
  MolecularEnergies e = molecular_energy_reference(field, {}, all_pairs, positions).energies;
  e.electrostatics = direct_energy_reference(force_field_problem(field, {}), positions).sums.energy();
  return e;
}

/// The angles, dihedrals and correction maps of a force field among its first atoms.
ForceField bonded_part(const ForceField& field, std::size_t count) {
  ForceField part;
  part.source = field.source;
  part.coulomb_constant = field.coulomb_constant;
  part.charges.assign(count, 0.0);
  part.masses.assign(field.masses.begin(), field.masses.begin() + static_cast<std::ptrdiff_t>(count));
  part.types.assign(count, 0);
  part.type_count = 1;
  part.lj_a = part.lj_b = {0};
  part.angles = field.angles;
  part.dihedrals = field.dihedrals;
  part.maps = field.maps;
  part.corrections = field.corrections;
  part.exclusion_offsets.assign(count + 1, 0);
  part.validate();
  return part;
}

void expect_relative(double value, double expected, double tolerance, const char* what) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected)) << what;
}

// All numbers in kcal/mol by OpenMM 8.6.1 (AmberPrmtopFile, Reference platform,
// NoCutoff, no constraints, no rigid water), each force in a group of its own.

// CHARMM36 by CHAMBER: tri-alanine in water. At the lattice no term is near its
// minimum.
TEST(PrmtopEnergies, OfChamber) {
  const std::string path = test::shared_data("found/ala3_solv.parm7");
  ISOLUME_NEEDS(path);
  const ForceField field = *read_file(path).force_field;
  EXPECT_EQ(field.bonds.size(), 2735u);
  EXPECT_EQ(field.urey_bradley.size(), 24u);
  EXPECT_EQ(field.angles.size(), 958u);
  EXPECT_EQ(field.impropers.size(), 5u);
  EXPECT_EQ(field.corrections.size(), 1u);
  const MolecularEnergies e = energies(field, lattice(field.atom_count()));
  expect_relative(e.bonds, 14046717 + 125653.947, 1e-7, "bonds and Urey-Bradley terms");
  expect_relative(e.angles, 126737.092, 1e-7, "angles");
  expect_relative(e.dihedrals, 27.0052377, 1e-6, "dihedrals");
  expect_relative(e.impropers, 970.469214, 1e-6, "impropers");
  expect_relative(e.corrections, -2.3911055, 1e-6, "correction maps");
}

// The same at the coordinates of the system, for the pairs: Lennard-Jones with
// CHARMM's own 1-4 table. OpenMM divides charges by 18.2223, as in AMBER's own
// files, and takes CODATA's Coulomb constant.
TEST(PrmtopEnergies, OfChambersPairs) {
  const std::string path = test::shared_data("found/ala3_solv.parm7");
  const std::string places = test::shared_data("structures/ala3_solv.crd");
  ISOLUME_NEEDS(path);
  ISOLUME_NEEDS(places);
  const auto molecules = read_files({path, places});
  ASSERT_EQ(molecules.size(), 1u);
  const ForceField& field = *molecules.front().force_field;
  std::vector<glm::dvec3> positions;
  for (const glm::vec3 p : molecules.front().trajectory->frame(0).positions) positions.emplace_back(p);
  const MolecularEnergies e = energies(field, positions);
  expect_relative(e.lennard_jones + e.lennard_jones_14, 912.6349312, 1e-6, "Lennard-Jones");
  const double codata = 332.06371, amber = 18.2223 * 18.2223;
  expect_relative(e.electrostatics, -8730.119736 * amber / codata, 2e-6, "electrostatics");
}

// ff19SB: a correction map for each residue.
TEST(PrmtopEnergies, OfAProteinWithMapsOfItsOwn) {
  const std::string path = test::shared_data("found/18protein.parm7");
  ISOLUME_NEEDS(path);
  const ForceField field = *read_file(path).force_field;
  EXPECT_EQ(field.corrections.size(), 16u);
  EXPECT_EQ(field.maps.size(), 16u);
  // Water has no angles: the protein's terms are those of its 257 atoms.
  constexpr std::size_t protein = 257;
  std::vector<glm::dvec3> positions = lattice(field.atom_count());
  positions.resize(protein);
  const MolecularEnergies e =
      molecular_energy_reference(bonded_part(field, protein), {}, LennardJonesOptions{}, positions).energies;
  expect_relative(e.angles, 52923.757, 1e-7, "angles");
  expect_relative(e.dihedrals, 700.751735, 1e-6, "dihedrals");
  expect_relative(e.corrections, 10.0538086, 1e-6, "correction maps");
}

TEST(PrmtopEnergies, OfATopologyWithBlankInsertionCodes) {
  const std::string path = test::shared_data("found/protein.parm7");
  ISOLUME_NEEDS(path);
  const ForceField field = *read_file(path).force_field;
  const MolecularEnergies e = energies(field, lattice(field.atom_count()));
  expect_relative(e.bonds, 133285.207, 1e-7, "bonds");
  expect_relative(e.angles, 2788.72908, 1e-7, "angles");
  expect_relative(e.dihedrals, 41.0963122, 1e-6, "dihedrals");
  expect_relative(e.lennard_jones + e.lennard_jones_14, 4.445838043, 1e-6, "Lennard-Jones");
  expect_relative(e.electrostatics, -18.99373985 * 18.2223 * 18.2223 / 332.06371, 2e-6, "electrostatics");
}

}  // namespace
}  // namespace isolume
