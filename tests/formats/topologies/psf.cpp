// PSF files: charges, masses, bonds, the variants of their columns.
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::read_text;
using test::shared_data;

const std::string head = "PSF\n\n       1 !NTITLE\n REMARKS test\n\n";
const std::string water =
    "       3 !NATOM\n"
    "       1 WAT  1    TIP3 OH2  OT    -0.834000       15.9994           0\n"
    "       2 WAT  1    TIP3 H1   HT     0.417000        1.0080           0\n"
    "       3 WAT  1    TIP3 H2   HT     0.417000        1.0080           0\n\n";
const std::string bonds = "       2 !NBOND: bonds\n       1       2       1       3\n";

TEST(Psf, reads_charges_masses_types_and_bonds) {
  const Molecule molecule = read_text(head + water + bonds, "water.psf");
  ASSERT_EQ(molecule.atom_count(), 3u);
  EXPECT_EQ(molecule.frame_count(), 0u);
  const Topology& topology = *molecule.topology;
  EXPECT_TRUE(topology.has_charges);
  EXPECT_TRUE(topology.has_bonds);
  EXPECT_EQ(topology.atoms[0].type, "OT");
  EXPECT_FLOAT_EQ(topology.atoms[0].charge, -0.834F);
  EXPECT_FLOAT_EQ(topology.atoms[1].mass, 1.008F);
  EXPECT_EQ(topology.atoms[0].element, 8);
  EXPECT_EQ(topology.chains[0].segment, "WAT");
  EXPECT_EQ(topology.bonds, (std::vector<Bond>{{0, 1, 1}, {0, 2, 1}}));
}

// Each hydrogen has taken 2.016 Da from its heavy atom: names and types tell the elements.
TEST(Psf, repartitioned_masses_do_not_change_elements) {
  std::string text = head + water + bonds;
  for (const auto& [from, to] : {std::pair("15.9994", "11.9674"), {"1.0080", "3.0240"}, {"1.0080", "3.0240"}})
    text.replace(text.find(from), std::string(from).size(), to);
  const Molecule molecule = read_text(text, "heavy.psf");
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
  EXPECT_EQ(molecule.topology->atoms[1].element, 1);
  ASSERT_EQ(molecule.topology->notes.size(), 1u);
  EXPECT_NE(molecule.topology->notes[0].find("elements of 3 of 3 atoms were guessed from their names: hydrogens"),
            std::string::npos)
      << molecule.topology->notes[0];
}

TEST(Psf, bonds_may_touch) {
  const Molecule molecule =
      read_text(head + water + "       2 !NBOND: bonds\n00000001000000020000000100000003\n", "touch.psf");
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 1}, {0, 2, 1}}));
}

TEST(Psf, insertion_codes) {
  const std::string path = shared_data("structures/1a2c_ins_code.psf");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.topology->residues[0].number, 1);  // "1H"
  EXPECT_EQ(molecule.topology->residues[0].insertion, 'H');
}

TEST(Psf, shared_files_have_their_counts_and_charges) {
  struct Case {
    const char* name;
    std::size_t atoms;
    std::size_t residues;
    std::size_t bonds;
    double charge;
  };
  // MANIFEST.tsv; 4TVP has its counts only
  for (const Case& c : {Case{"structures/776wat_1Ca.psf", 3105, 777, 3104, 2},
                        {"structures/ala3_solv.psf", 2776, 944, 2735, 0},
                        {"structures/ala_ala_ala.psf", 33, 3, 32, 0},
                        {"structures/charmm_dhfr/5dhfr_cube.psf.gz", 23558, 7182, 16569, -11},
                        {"structures/parv.psf", 1659, 109, 1671, -14},
                        {"structures/4TVP-dmj_wat-ion.psf.gz", 66264, 0, 46634, 0},
                        {"trajectories/SiN_tric_namd.psf.gz", 5545, 1495, 5274, -0.0002},
                        {"trajectories/adk/adk.psf.gz", 3341, 214, 3365, -4},
                        {"trajectories/ala3/ala3.psf", 42, 3, 41, 0},
                        {"trajectories/tip125_tric_C36.psf", 375, 125, 375, 0},
                        {"trajectories/trz_psf.psf", 8184, 24, 8160, 0}}) {
    const std::string path = shared_data(c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    if (c.residues > 0) {
      EXPECT_EQ(molecule.topology->residues.size(), c.residues);
    }
    EXPECT_EQ(molecule.topology->bonds.size(), c.bonds);
    EXPECT_NEAR(molecule.topology->total_charge(), c.charge, 2e-4);
  }
}

TEST(Psf, says_what_is_wrong_and_where) {
  expect_error("PSF\n\n", "none.psf", 0, "no atoms");
  expect_error(head + "       4 !NATOM\n" + water.substr(water.find('\n') + 1), "few.psf", 10, "expected number");
  expect_error(head + " 400000000 !NATOM\n", "large.psf", 6, "promises");
  expect_error(head + " -3 !NATOM\n", "negative.psf", 6, "!NATOM");
  expect_error(head + water + "       1 !NBOND: bonds\n       1       9\n", "range.psf", 12, "not in 1 to 3");
  expect_error(head + water + "       1 !NBOND: bonds\n       0       1\n", "zero.psf", 12, "not in 1 to 3");
  expect_error(head + water + "       1 !NBOND: bonds\n       1       1\n", "self.psf", 12, "with itself");
  expect_error(head + water + "       3 !NBOND: bonds\n       1       2\n", "cut.psf", 13,
               "ends where one of the bonds");
  expect_error(bonds, "order.psf", 1, "PSF");
  const std::string bad = shared_data("malformed/psf/adk_notop_BAD.psf");
  ISOLUME_NEEDS(bad);
  EXPECT_THROW(read_file(bad), Error);  // it ends before its last atoms
}

TEST(Psf, without_bonds_there_is_a_warning) {
  const Molecule molecule = read_text(head + water, "nobonds.psf");
  EXPECT_FALSE(molecule.topology->has_bonds);
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

}  // namespace
}  // namespace isolume
