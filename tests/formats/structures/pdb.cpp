// PDB files: fields, models, records, and what is wrong in some.
#include <array>

#include "formats/structures/pdb_fields.h"
#include "molecule/elements.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

std::string atom(int serial, const std::string& name, const std::string& residue, char chain, int number,
                 const std::string& xyz, const std::string& rest = "  1.00  0.00") {
  char text[128];
  std::snprintf(text, sizeof text, "ATOM  %5d %-4s %-4s%c%4d    %s%s\n", serial, name.c_str(), residue.c_str(), chain,
                number, xyz.c_str(), rest.c_str());
  return text;
}

TEST(PdbFields, numbers_overflow_in_hybrid_36_and_hexadecimal) {
  EXPECT_EQ(pdb::number("99999"), 99999);
  EXPECT_EQ(pdb::number("A0000"), 100000);  // the examples of the hybrid-36 specification
  EXPECT_EQ(pdb::number("A0001"), 100001);
  EXPECT_EQ(pdb::number("ZZZZZ"), 43770015);
  EXPECT_EQ(pdb::number("a0000"), 43770016);
  EXPECT_EQ(pdb::number("zzzzz"), 87440031);
  EXPECT_EQ(pdb::number("A000"), 10000);
  EXPECT_EQ(pdb::number("a000"), 1223056);
  EXPECT_EQ(pdb::number("zzzz"), 2436111);
  EXPECT_EQ(pdb::number("186a0"), 100000);  // VMD
  EXPECT_EQ(pdb::number(" -12"), -12);
  EXPECT_FALSE(pdb::number("*****"));
  EXPECT_FALSE(pdb::number(""));
}

TEST(PdbFields, formal_charges_have_their_sign_on_either_side) {
  const auto charge = [](const std::string& text) { return pdb::formal_charge(std::string(78, ' ') + text); };
  EXPECT_EQ(charge("2+"), 2);
  EXPECT_EQ(charge("1-"), -1);
  EXPECT_EQ(charge("+3"), 3);
  EXPECT_EQ(charge("  "), 0);
  EXPECT_EQ(charge("xx"), 0);
}

TEST(Pdb, anisotropic_displacements_belong_to_the_atom_before) {
  const std::string first = atom(1, " N  ", "ALA", 'A', 1, "   1.000   2.000   3.000"),
                    second = atom(2, " CA ", "ALA", 'A', 1, "   2.000   2.000   3.000");
  const Molecule molecule = read_text(first + second +
                                          "ANISOU    2  CA  ALA A   1     2406   1892   1614    198    519   -328\n"
                                          "ANISOU    9  CB  ALA A   1     9999   9999   9999    999    999    999\n" +
                                          "END\n",
                                      "u.pdb");
  const auto& u = molecule.topology->displacements;
  ASSERT_EQ(u.size(), 2u);
  EXPECT_EQ(u[0], (std::array<float, 6>{}));
  const std::array<float, 6> wanted = {0.2406f, 0.1892f, 0.1614f, 0.0198f, 0.0519f, -0.0328f};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(u[1][i], wanted[i]) << i;
  EXPECT_TRUE(read_text(first + second, "none.pdb").topology->displacements.empty());
}

TEST(Pdb, has_the_disulfides_of_conect_and_ssbond_once) {
  const std::string text =
      "SSBOND   1 CYS A    1    CYS A    2\n" + atom(1, " SG ", "CYS ", 'A', 1, "   0.000   0.000   0.000") +
      atom(2, " SG ", "CYS ", 'A', 2, "   2.050   0.000   0.000") + "CONECT    1    2\nCONECT    2    1\nEND\n";
  const Molecule molecule = read_text(text, "ss.pdb");
  ASSERT_EQ(molecule.topology->bonds.size(), 1u);
  EXPECT_EQ(molecule.topology->bonds[0], (Bond{0, 1, 1}));
}

TEST(Pdb, a_partner_that_conect_names_twice_is_a_double_bond) {
  const std::string text = atom(7, " C1 ", "LIG ", 'A', 1, "   0.000   0.000   0.000") +
                           atom(9, " O1 ", "LIG ", 'A', 1, "   1.200   0.000   0.000") + "CONECT    7    9    9\n";
  const Molecule molecule = read_text(text, "double.pdb");
  ASSERT_EQ(molecule.topology->bonds.size(), 1u);
  EXPECT_EQ(molecule.topology->bonds[0].order, 2);
}

TEST(Pdb, conect_of_missing_atoms_is_a_warning) {
  const Molecule molecule =
      read_text(atom(1, " C1 ", "LIG ", 'A', 1, "   0.000   0.000   0.000") + "CONECT    1   99\n", "missing.pdb");
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Pdb, elements_columns_win_and_guesses_are_noted) {
  const std::string plain = "   0.000   0.000   0.000";
  const Molecule molecule = read_text(atom(1, " CA ", "ALA ", 'A', 1, plain) + atom(2, "CA  ", "CA  ", 'A', 2, plain) +
                                          atom(3, " X1 ", "LIG ", 'A', 3, plain, "  1.00  0.00          SE1-"),
                                      "elements.pdb");
  const auto& atoms = molecule.topology->atoms;
  EXPECT_EQ(atoms[0].element, 6);
  EXPECT_EQ(atoms[1].element, 20);
  EXPECT_EQ(atoms[2].element, 34);
  EXPECT_EQ(atoms[2].formal_charge, -1);
  ASSERT_FALSE(molecule.topology->notes.empty());
  EXPECT_EQ(molecule.topology->notes[0], "The elements of 2 of 3 atoms were guessed from their names.");
}

TEST(Pdb, the_unit_cube_is_no_cell) {
  const std::string one = atom(1, " CA ", "ALA ", 'A', 1, "   0.000   0.000   0.000");
  EXPECT_FALSE(read_text("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n" + one, "nmr.pdb")
                   .trajectory->frame(0)
                   .cell.exists());
  EXPECT_FALSE(read_text("CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1\n" + one, "zero.pdb")
                   .trajectory->frame(0)
                   .cell.exists());
  const Molecule broken = read_text("CRYST1   xx.000    1.000    1.000  90.00  90.00  90.00\n" + one, "broken.pdb");
  EXPECT_EQ(broken.warnings.size(), 1u);
}

TEST(Pdb, models_are_frames_with_their_own_cells) {
  const std::string text = "MODEL        1\nCRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1\n" +
                           atom(1, " O  ", "HOH ", 'A', 1, "   1.000   0.000   0.000") + "ENDMDL\nMODEL        2\n" +
                           "CRYST1   20.000   10.000   10.000  90.00  90.00  90.00 P 1\n" +
                           atom(1, " O  ", "HOH ", 'A', 1, "   2.000   0.000   0.000") + "ENDMDL\nEND\n";
  const Molecule molecule = read_text(text, "models.pdb");
  ASSERT_EQ(molecule.frame_count(), 2u);
  EXPECT_FLOAT_EQ(molecule.trajectory->frame(1).positions[0].x, 2.0F);
  EXPECT_NEAR(molecule.trajectory->frame(0).cell.lengths().x, 10, 1e-12);
  EXPECT_NEAR(molecule.trajectory->frame(1).cell.lengths().x, 20, 1e-12);
  EXPECT_THROW(molecule.trajectory->frame(2), Error);
}

TEST(Pdb, models_with_other_atoms_are_left_out_and_named) {
  const std::string one = atom(1, " O  ", "HOH ", 'A', 1, "   1.000   0.000   0.000");
  const std::string two = atom(1, " N  ", "HOH ", 'A', 1, "   1.000   0.000   0.000");
  const Molecule molecule =
      read_text("MODEL 1\n" + one + "ENDMDL\nMODEL 2\n" + two + "ENDMDL\nMODEL 3\n" + one + "ENDMDL\n", "mixed.pdb");
  EXPECT_EQ(molecule.frame_count(), 2u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_EQ(molecule.warnings[0],
            "Left out because they do not have the 1 atoms of the first model: model 2 (1 atoms).");
}

TEST(Pdb, end_separates_frames_too) {
  const std::string path = shared_data("trajectories/water_100frames.pdb.gz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 297u);
  ASSERT_EQ(molecule.frame_count(), 100u);
  expect_near(molecule.trajectory->frame(0).positions[0], {0.417, 8.303, 11.737}, 1e-5);
  expect_near(molecule.trajectory->frame(1).positions[0], {0.358, 8.306, 11.745}, 1e-5);
  expect_near(molecule.trajectory->frame(99).positions[296], {7.090, 10.350, 12.816}, 1e-5);
  EXPECT_NEAR(molecule.trajectory->frame(99).cell.lengths().z, 15.0, 1e-9);
}

TEST(Pdb, numbers_beyond_the_columns) {
  const std::string path = shared_data("structures/1tw7_h36.pdb.gz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  ASSERT_EQ(molecule.atom_count(), 100586u);
  // ATOM  A0000  OH2 TIP3 A49P       7.196  19.661  36.293: residue A49P = 10000 + 4*1296 + 9*36 + 25
  const auto found = std::find_if(molecule.topology->atoms.begin(), molecule.topology->atoms.end(),
                                  [](const Atom& a) { return a.serial == 100000; });
  ASSERT_NE(found, molecule.topology->atoms.end());
  const auto index = static_cast<std::size_t>(found - molecule.topology->atoms.begin());
  EXPECT_EQ(index, 99999u);
  EXPECT_EQ(molecule.topology->residue_of(index).number, 10000 + 4 * 1296 + 9 * 36 + 25);
  EXPECT_EQ(molecule.topology->residue_of(index).name, "TIP3");
  EXPECT_EQ(molecule.topology->chain_of(index).segment, "SOLV");
}

TEST(Pdb, insertion_codes_make_residues) {
  const std::string path = shared_data("structures/insertion-code.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  ASSERT_EQ(molecule.topology->residues.size(), 4u);
  EXPECT_EQ(molecule.topology->residues[0].insertion, 'a');
  EXPECT_EQ(molecule.topology->residues[3].insertion, ' ');
}

TEST(Pdb, alternate_names_at_one_place_are_one_residue) {
  const std::string path = shared_data("structures/1ejg.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 831u);
  EXPECT_EQ(molecule.topology->residues.size(), 46u);  // crambin: PRO/SER 22 and LEU/ILE 25 are one each
}

TEST(Pdb, atoms_after_ter_begin_a_chain_but_waters_do_not_each) {
  const std::string p = "   0.000   0.000   0.000";
  const Molecule molecule =
      read_text(atom(1, " CA ", "ALA ", 'A', 1, p) + "TER\n" + atom(2, " CA ", "ALA ", 'A', 2, p) + "TER\n" +
                    atom(3, " O  ", "HOH ", 'A', 3, p) + "TER\n" + atom(4, " O  ", "HOH ", 'A', 4, p) + "TER\n",
                "ter.pdb");
  EXPECT_EQ(molecule.topology->chains.size(), 3u);
}

TEST(Pdb, old_files_repeat_the_entry_where_segments_stand) {
  const std::string header = "HEADER    PLANT PROTEIN                           30-APR-81   1CRN\n";
  const Molecule molecule = read_text(
      header + atom(1, " N  ", "THR ", 'A', 1, "   0.000   0.000   0.000", "  1.00 13.79      1CRN  70"), "old.pdb");
  EXPECT_EQ(molecule.topology->chains[0].segment, "");
}

TEST(Pdb, says_what_is_wrong_and_where) {
  const std::string good = atom(1, " N  ", "THR ", 'A', 1, "   0.000   0.000   0.000");
  expect_error("", "empty.pdb", 0, "empty");
  expect_error("REMARK nothing\n", "none.pdb", 0, "no ATOM or HETATM record");
  expect_error(good + atom(2, " CA ", "THR ", 'A', 1, "     nan   0.000   0.000"), "nan.pdb", 2, "not finite");
  expect_error(good + atom(2, " CA ", "THR ", 'A', 1, "   0.000-1.0e+99   0.000"), "far.pdb", 2, "million");
  expect_error(good + atom(2, " CA ", "THR ", 'A', 1, "********   0.000   0.000"), "stars.pdb", 2, "x (columns 31");
  expect_error(good + "ATOM      2  CA  THR A   1      11.", "cut.pdb", 2, "ends before its coordinates");
}

}  // namespace
}  // namespace isolume
