// Residue templates: a structure that is a turned copy of the template without its hydrogens gets them back.
#include "molecule/force_field/residue_templates.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

#include "molecule/base/error.h"

namespace isolume {
namespace {

struct Place {
  const char* name;
  std::uint8_t element;
  double x, y, z, charge;
};

/// Glycine-like residues "AAA", joined N to C, with two hydrogens at CA and one at N; and a water.
const Place chain[] = {
    {"N", 7, -1.4, 0.3, 0.1, -0.40},    {"H", 1, -1.9, 1.15, 0.0, 0.30},   {"CA", 6, 0, 0, 0, -0.05},
    {"HA2", 1, 0.35, -0.6, 0.85, 0.05}, {"HA3", 1, 0.4, -0.5, -0.9, 0.05}, {"C", 6, 0.7, 1.35, 0.05, 0.60},
    {"O", 8, 0.1, 2.4, 0.1, -0.55},
};
const Place water[] = {{"O", 8, 0, 0, 0, -0.8}, {"H1", 1, 0.96, 0, 0, 0.4}, {"H2", 1, -0.24, 0.93, 0, 0.4}};

/// Three residues in a row, 3 angstrom apart along x with the next N bonded to C, and a water far away.
Molecule structure(bool hydrogens, const glm::dmat4& turn) {
  TopologyBuilder builder;
  Frame frame;
  const auto add = [&](const Place& p, glm::dvec3 shift, const char* residue, int number, const char* id) {
    if (!hydrogens && p.element == 1) return;
    Atom atom;
    atom.name = p.name;
    atom.element = p.element;
    atom.charge = hydrogens ? static_cast<float>(p.charge) : 0;
    builder.add(atom, residue, number, ' ', id);
    frame.positions.emplace_back(turn * glm::dvec4(p.x + shift.x, p.y + shift.y, p.z + shift.z, 1));
  };
  for (int r = 0; r < 3; ++r) {
    for (const Place& p : chain) add(p, glm::dvec3(3.3 * r, 1.1 * r, 0.2 * r), "AAA", r + 1, "A");
  }
  for (const Place& p : water) add(p, glm::dvec3(30, 0, 0), hydrogens ? "WAT" : "HOH", 9, "W");
  Molecule molecule;
  Topology topology = builder.finish();
  topology.has_charges = hydrogens;
  molecule.topology = std::make_shared<const Topology>(std::move(topology));
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{frame});
  return molecule;
}

TEST(ResidueTemplates, GiveATurnedCopyItsHydrogensBack) {
  const ResidueTemplates templates(structure(true, glm::dmat4(1.0)));
  glm::dmat4 turn = glm::rotate(glm::dmat4(1.0), 1.1, glm::normalize(glm::dvec3(1, -2, 0.5)));
  turn[3] = glm::dvec4(12, -7, 40, 1);
  const Molecule expected = structure(true, turn);
  const CompletedStructure got = templates.complete(structure(false, turn));
  EXPECT_TRUE(got.unmatched.empty());
  EXPECT_EQ(got.matched, 4u);
  EXPECT_EQ(got.added_hydrogens, 11u);
  ASSERT_EQ(got.molecule.atom_count(), expected.atom_count());
  const auto at = got.molecule.trajectory->frame(0).positions;
  const auto there = expected.trajectory->frame(0).positions;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Atom& a = got.molecule.topology->atoms[i];
    EXPECT_EQ(a.name, expected.topology->atoms[i].name);
    EXPECT_EQ(a.charge, expected.topology->atoms[i].charge);
    // A water may turn about its oxygen.
    if (got.molecule.topology->residue_of(i).name == "AAA") {
      EXPECT_LT(glm::length(at[i] - there[i]), 1e-4f) << a.name;
    } else if (a.element == 1) {
      EXPECT_NEAR(static_cast<double>(glm::length(at[i] - at[21])), 0.96, 2e-3);
    }
  }
}

TEST(ResidueTemplates, SayWhatDoesNotMatch) {
  const ResidueTemplates templates(structure(true, glm::dmat4(1.0)));
  Molecule poor = structure(false, glm::dmat4(1.0));
  Topology topology = *poor.topology;
  for (Residue& r : topology.residues) {
    if (r.number == 2) r.name = "XXX";
  }
  topology.atoms.change(0, [&](Atom& atom) { atom.name = "NX"; });
  poor.topology = std::make_shared<const Topology>(topology);
  const CompletedStructure got = templates.complete(poor);
  ASSERT_EQ(got.unmatched.size(), 2u);
  EXPECT_EQ(got.unmatched[0], "AAA 1 A: lacks N");
  EXPECT_EQ(got.unmatched[1], "XXX 2 A: no template");
  for (Residue& r : topology.residues) r.name = "XXX";
  poor.topology = std::make_shared<const Topology>(topology);
  EXPECT_THROW(templates.complete(poor), Error);
  EXPECT_THROW(ResidueTemplates(structure(false, glm::dmat4(1.0))), Error);
}

TEST(ResidueTemplates, KnowOtherSpellings) {
  EXPECT_EQ(common_atom_name("O5*", "DA"), "O5'");
  EXPECT_EQ(common_atom_name("O1P", "DA"), "OP1");
  EXPECT_EQ(common_atom_name("CD", "ILE"), "CD1");
  EXPECT_EQ(common_atom_name("CD", "LYS"), "CD");
  EXPECT_EQ(common_atom_name("OT2", "GLY"), "OXT");
}

}  // namespace
}  // namespace isolume
