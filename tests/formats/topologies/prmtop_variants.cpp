// AMBER topology files as later programs write them: formats, blank names, CHAMBER, repartitioned masses.
#include <array>
#include <cmath>

#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;

std::string sample() {
  return std::string(ByteSource::open(test::data("formats/sample.prmtop"))->text());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// LEaP of AMBER 19 writes correction maps in "(8(F9.5))", CHAMBER its force field's name in "(i2,a78)".
TEST(PrmtopVariants, formats_in_parentheses_and_of_several_kinds) {
  std::string maps =
      "%FLAG CMAP_COUNT\n%FORMAT(2I8)\n       1       1\n%FLAG CMAP_RESOLUTION\n%FORMAT(20I4)\n   4\n"
      "%FLAG CMAP_PARAMETER_01\n%FORMAT(8(F9.5))\n";
  for (int i = 0; i < 16; ++i) maps += "  0." + std::to_string(10000 + i) + (i % 8 == 7 ? "\n" : "");
  maps +=
      "%FLAG CMAP_INDEX\n%FORMAT(6I8)\n       1       2       3       4       5       1\n"
      "%FLAG FORCE_FIELD_TYPE\n%FORMAT(i2,a78)\n 1             >>>> CHARMM36 <<<<\n"
      "%FLAG UNHEARD_OF\n%FORMAT(3Q8.2)\n 1 2 3\n";
  const ForceField field = *read_text(sample() + maps, "maps.prmtop").force_field;
  ASSERT_EQ(field.maps.size(), 1u);
  EXPECT_EQ(field.maps[0].energies[9], 0.10009);
  ASSERT_EQ(field.corrections.size(), 1u);
  EXPECT_EQ(field.corrections[0].atoms, (std::array<std::uint32_t, 8>{0, 1, 2, 3, 1, 2, 3, 4}));
}

TEST(PrmtopVariants, blank_names_are_names) {
  const std::string blank =
      "%FLAG RESIDUE_ICODE\n%FORMAT(20a4)\n        \n%FLAG RESIDUE_CHAINID\n%FORMAT(20a4)\nB   B   \n";
  const Molecule molecule = read_text(sample() + blank, "blank.prmtop");
  EXPECT_EQ(molecule.topology->residues[0].insertion, ' ');
  EXPECT_EQ(molecule.topology->chains[0].id, "B");
  EXPECT_EQ(read_text(sample() + "%FLAG RESIDUE_ICODE\n%FORMAT(20a4)\n", "none.prmtop").atom_count(), 5u);
}

TEST(PrmtopVariants, without_lennard_jones_types_there_is_no_force_field) {
  const Molecule molecule = read_text(replaced(sample(), "       5       3", "       5       0"), "none.prmtop");
  EXPECT_EQ(molecule.atom_count(), 5u);
  EXPECT_EQ(molecule.topology->bonds.size(), 3u);
  EXPECT_FLOAT_EQ(molecule.topology->atoms[1].charge, -0.4F);
  EXPECT_FALSE(molecule.force_field);
  EXPECT_NE(molecule.topology->notes.back().find("NTYPES 0"), std::string::npos);
}

// CHARMM's Coulomb constant is 332.0716, of which CHAMBER takes the root.
TEST(PrmtopVariants, chamber_has_the_constant_of_charmm) {
  const auto field = read_text(replaced(sample(), "%FLAG TITLE", "%FLAG CTITLE"), "chamber.prmtop").force_field;
  EXPECT_NEAR(field->coulomb_constant, 332.0716, 1e-9);
  EXPECT_NEAR(field->charges[0], 7.28892 / std::sqrt(332.0716), 1e-12);
  EXPECT_NEAR(field->charges[0] * field->charges[4] * field->coulomb_constant, 7.28892 * 18.2223, 1e-9);
}

// Each hydrogen took 2.016 Da from its oxygen, which then weighs about as much as nitrogen.
TEST(PrmtopVariants, repartitioned_masses_do_not_change_elements) {
  std::string text = replaced(sample(), "%FLAG ATOMIC_NUMBER", "%FLAG OTHER_NUMBER");
  text = replaced(text, "  1.00800000E+00  1.60000000E+01  1.60000000E+01  1.00800000E+00",
                  "  3.02400000E+00  1.39840000E+01  1.39840000E+01  3.02400000E+00");
  const Topology topology = *read_text(text, "heavy.prmtop").topology;
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(topology.atoms[i].element, (std::array{1, 8, 8, 1, 11})[i]) << i;
  ASSERT_FALSE(topology.notes.empty());
  EXPECT_NE(topology.notes[0].find("hydrogens have taken mass"), std::string::npos) << topology.notes[0];
}

// In this file the first letter of each name is the symbol of the element.
TEST(PrmtopVariants, elements_of_a_repartitioned_system_are_those_of_its_names) {
  const std::string path = shared_data("structures/jac/JAC.prmtop.gz");
  ISOLUME_NEEDS(path);
  const Topology topology = *read_file(path).topology;
  std::array<std::size_t, 17> counts{}, by_letter{};
  for (const Atom& atom : topology.atoms) {
    ++counts[atom.element];
    const char letter = atom.name[atom.name.text().find_first_not_of("0123456789")];
    ++by_letter[letter == 'H' ? 1 : letter == 'C' ? 6 : letter == 'N' ? 7 : letter == 'O' ? 8 : letter == 'S' ? 16 : 0];
  }
  EXPECT_EQ(counts, by_letter);
  EXPECT_EQ(counts[6], 805u);
  EXPECT_EQ(counts[8], 7263u);
}

}  // namespace
}  // namespace isolume
