// MOL2 files: types, charges, bonds, several molecules.
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

std::string molecule_text(const std::string& x, const std::string& name = "C1") {
  return "@<TRIPOS>MOLECULE\ntest\n 3 2 1\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n 1 " + name + " " + x +
         " 0.0 0.0 C.ar 7 LIG7 0.10\n 2 CA 1.4 0 0 CA 7 LIG7 -0.20\n 3 CL 3.1 0 0 Cl 7 LIG7 0.10\n"
         "@<TRIPOS>BOND\n 1 2 1 ar\n 2 2 3 am\n";
}

TEST(Mol2, types_are_elements_where_sybyl_says_so) {
  const Molecule molecule = read_text(molecule_text("0.0"), "types.mol2");
  ASSERT_EQ(molecule.atom_count(), 3u);
  const Topology& topology = *molecule.topology;
  EXPECT_EQ(topology.atoms[0].element, 6);
  EXPECT_EQ(topology.atoms[1].element, 6);  // "CA" is a force field's aromatic carbon
  EXPECT_EQ(topology.atoms[2].element, 17);
  EXPECT_EQ(topology.atoms[0].type, "C.ar");
  EXPECT_EQ(topology.residues[0].name, "LIG");
  EXPECT_EQ(topology.residues[0].number, 7);
  EXPECT_TRUE(topology.has_charges);
  EXPECT_TRUE(topology.has_bonds);
  EXPECT_EQ(topology.bonds, (std::vector<Bond>{{0, 1, 4}, {1, 2, 1}}));
}

TEST(Mol2, molecules_of_the_same_atoms_are_frames) {
  const Molecule molecule =
      read_text(molecule_text("0.0") + molecule_text("0.5") + molecule_text("0.7", "N1"), "several.mol2");
  ASSERT_EQ(molecule.frame_count(), 2u);
  EXPECT_FLOAT_EQ(molecule.trajectory->frame(1).positions[0].x, 0.5F);
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Mol2, reads_200_molecules) {
  const std::string path = shared_data("structures/Molecules.mol2.gz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 49u);
  ASSERT_EQ(molecule.frame_count(), 200u);
  EXPECT_EQ(molecule.topology->bonds.size(), 51u);
  // the first atoms of molecules 1 and 200
  expect_near(molecule.trajectory->frame(0).positions[0], {6.8420, 9.9900, 22.7430}, 1e-5);
  expect_near(molecule.trajectory->frame(199).positions[0], {1.7240, 11.2730, 14.1200}, 1e-5);
}

TEST(Mol2, shared_files_have_their_counts_and_charges) {
  struct Case {
    const char* name;
    std::size_t atoms;
    std::size_t bonds;
    std::size_t frames;
    double charge;
    bool has_charges;
  };
  for (const Case& c : {Case{"Ligand.mol2", 297, 297, 1, 4.9999, true},
                        {"adp.mol2", 39, 41, 1, -3, true},
                        {"adrenalin.mol2", 26, 26, 1, -0.0001, true},
                        {"caffeine.mol2", 24, 25, 2, 0.0001, true},
                        {"imatinib.mol2", 68, 72, 1, 0.002, true},
                        {"dopc/dopc.charmm.mol2.gz", 11040, 10960, 1, 0, true},
                        {"ligs3d.mol2", 36, 39, 1, 0, true},
                        {"lysozyme-ligand-tripos.mol2", 18, 18, 1, 0, false}}) {
    const std::string path = shared_data(std::string("structures/") + c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    EXPECT_EQ(molecule.topology->bonds.size(), c.bonds);
    EXPECT_EQ(molecule.frame_count(), c.frames);
    EXPECT_EQ(molecule.topology->has_charges, c.has_charges);
    EXPECT_NEAR(molecule.topology->total_charge(), c.charge, 1e-5);
  }
}

TEST(Mol2, a_cell_that_makes_no_sense_is_a_warning) {
  const std::string path = shared_data("malformed/mol2/error.mol2");  // CRYSIN with five numbers
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 638u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("line 7"), std::string::npos);
}

TEST(Mol2, says_what_is_wrong_and_where) {
  const std::string head = "@<TRIPOS>MOLECULE\ntest\n 2 1\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n";
  const std::string atoms = " 1 C 0 0 0 C.3 1 A 0.1\n 2 C 1.5 0 0 C.3 1 A -0.1\n";
  expect_error("@<TRIPOS>MOLECULE\n", "name.mol2", 2, "name");
  expect_error("@<TRIPOS>MOLECULE\nx\nmany\n", "count.mol2", 3, "number of atoms");
  expect_error("@<TRIPOS>MOLECULE\nx\n 400000000 1\n", "large.mol2", 3, "promises");
  expect_error(head + " 1 C 0 0 0 C.3 1 A 0.1\n@<TRIPOS>BOND\n", "few.mol2", 8, "a new section");
  expect_error(head + atoms + "@<TRIPOS>BOND\n 1 1 3 1\n", "range.mol2", 10, "not in 1 to 2");
  expect_error(head + atoms + "@<TRIPOS>BOND\n 1 1 0 1\n", "zero.mol2", 10, "not in 1 to 2");
  expect_error(head + atoms + "@<TRIPOS>BOND\n 1 1 1 1\n", "self.mol2", 10, "with itself");
  expect_error(head + atoms, "cut.mol2", 0, "cut short");
  expect_error(head + " 1 C 0 nan 0 C.3 1 A 0.1\n", "nan.mol2", 7, "not finite");
  const std::string broken = shared_data("malformed/mol2/BrokenMolecule.mol2");
  ISOLUME_NEEDS(broken);
  EXPECT_THROW(read_file(broken), Error);
}

}  // namespace
}  // namespace isolume
