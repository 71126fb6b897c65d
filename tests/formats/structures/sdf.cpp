// SDF and MOL files: V2000, V3000, charges, conformers.
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

std::string record(const std::string& x, const std::string& symbol = "O", const std::string& extra = {}) {
  return "title\n  test    3D\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" + x +
         "    0.0000    0.0000 C   0  0  0  0  0\n    1.2000    0.0000    0.0000 " + symbol +
         "   0  5  0  0  0\n  1  2  2  0\n" + extra + "M  END\n$$$$\n";
}

TEST(Sdf, reads_atoms_bonds_and_formal_charges) {
  const Molecule molecule = read_text(record("    0.5000"), "one.sdf");
  ASSERT_EQ(molecule.atom_count(), 2u);
  EXPECT_EQ(molecule.title, "title");
  const Topology& topology = *molecule.topology;
  EXPECT_EQ(topology.atoms[1].element, 8);
  EXPECT_EQ(topology.atoms[1].formal_charge, -1);  // code 5
  EXPECT_EQ(topology.bonds, (std::vector<Bond>{{0, 1, 2}}));
  EXPECT_TRUE(topology.has_bonds);
  EXPECT_FALSE(topology.has_charges);
  EXPECT_FLOAT_EQ(molecule.trajectory->frame(0).positions[0].x, 0.5F);
}

TEST(Sdf, charges_of_the_properties_replace_those_of_the_atoms) {
  const Molecule molecule = read_text(record("    0.5000", "O", "M  CHG  1   1   1\n"), "chg.sdf");
  EXPECT_EQ(molecule.topology->atoms[0].formal_charge, 1);
  EXPECT_EQ(molecule.topology->atoms[1].formal_charge, 0);
}

TEST(Sdf, conformers_are_frames_and_other_molecules_are_not) {
  const Molecule molecule = read_text(record("    0.5000") + record("    0.7000") + record("    0.9000", "N"), "c.sdf");
  ASSERT_EQ(molecule.frame_count(), 2u);
  EXPECT_FLOAT_EQ(molecule.trajectory->frame(1).positions[0].x, 0.7F);
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Sdf, a_broken_later_record_does_not_take_the_first_ones_away) {
  const Molecule molecule = read_text(record("    0.5000") + record("    0.7000") + "title\n\n\n  9", "cut.sdf");
  EXPECT_EQ(molecule.frame_count(), 2u);
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Sdf, shared_files_have_the_atoms_that_they_count) {
  struct Case {
    const char* name;
    std::size_t atoms;
    std::size_t bonds;
  };
  for (const Case& c : {Case{"03F.sdf", 130, 130},
                        {"13136.v3000.sdf", 39, 34},
                        {"4umt_47w.sdf", 29, 32},
                        {"aspirin.sdf", 21, 21},
                        {"kinases.sdf", 47, 50},
                        {"ligs3d.sdf", 36, 39},
                        {"ligands.sd", 27, 31}}) {
    const std::string path = shared_data(std::string("structures/") + c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    EXPECT_EQ(molecule.format, "SDF");
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    EXPECT_EQ(molecule.topology->bonds.size(), c.bonds);
  }
}

TEST(Sdf, v3000_atoms_have_their_charges) {
  const std::string path = shared_data("structures/13136.v3000.sdf");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.topology->atoms[0].element, 20);  // M  V30 1 Ca 8.819800 2.569500 0.000000 0 CHG=2 VAL=-1
  EXPECT_EQ(molecule.topology->atoms[0].formal_charge, 2);
  expect_near(molecule.trajectory->frame(0).positions[0], {8.8198, 2.5695, 0}, 1e-6);
}

TEST(Sdf, partial_charges_of_pubchem) {
  const std::string path = shared_data("structures/kinases.sdf");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  ASSERT_TRUE(molecule.topology->has_charges);
  EXPECT_FLOAT_EQ(molecule.topology->atoms[0].charge, -0.36F);  // "1 -0.36"
  EXPECT_FLOAT_EQ(molecule.topology->atoms[9].charge, -0.15F);  // "10 -0.15"
}

TEST(Sdf, says_what_is_wrong_and_where) {
  expect_error("a\nb\nc\n", "head.sdf", 4, "numbers of atoms");
  expect_error("a\nb\nc\n  9  0  0  0  0  0  0  0  0  0999 V2000\n", "few.sdf", 5, "an atom");
  expect_error("a\nb\nc\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n", "zero.sdf", 4, "at least one atom");
  const std::string atom = "    0.0000    0.0000    0.0000 C   0  0\n";
  const std::string head = "a\nb\nc\n  2  1  0  0  0  0  0  0  0  0999 V2000\n";
  expect_error(head + atom + atom + "  1  9  1\n", "range.sdf", 7, "not in 1 to 2");
  expect_error(head + atom + atom + "  1  1  1\n", "self.sdf", 7, "with itself");
  expect_error(head + atom + "    0.0000       nan    0.0000 C   0  0\n", "nan.sdf", 6, "not finite");
  for (const char* name : {"malformed/sdf/bad-atom-line.sdf", "malformed/sdf/count-line-not-numbers.sdf"}) {
    const std::string path = shared_data(name);
    ISOLUME_NEEDS(path);
    EXPECT_THROW(read_file(path), Error) << name;
  }
}

}  // namespace
}  // namespace isolume
