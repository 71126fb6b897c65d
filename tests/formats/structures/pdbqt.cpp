// PDB files of single programs: AutoDock's PDBQT, and coordinates out of their columns.
#include <array>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;

// AutoDock's columns: the charge from 71 on, the type from 78 on, which tells the element. Rows as AutoDockTools
// writes them.
TEST(Pdbqt, docking_files_have_charges_and_types) {
  const std::string rows =
      "ATOM      1  N   PRO A   2      14.607 -11.551  25.793  1.00  0.00    -0.062 NA\n"
      "ATOM      2  HN1 PRO A   2      14.830 -12.090  26.629  1.00  0.00     0.278 HD\n"
      "ATOM      3  CG  PRO A   2      14.194 -10.147  26.136  1.00  0.00     0.277 A \n"
      "ATOM      4  O   PRO A   2      12.009 -10.800  25.387  1.00  0.00    -0.271 OA\n"
      "HETATM    5  L1  LIG A   3      15.012  -9.276  25.199  1.00  0.00    -0.100 Cl\n";
  const std::string text = "ROOT\n" + rows + "ENDROOT\nTORSDOF 0\n";
  for (const std::string name : {"x.pdbqt", "unnamed"}) {
    const Molecule molecule = read_text(text, name);
    EXPECT_EQ(molecule.format, "PDBQT");
    const Topology& topology = *molecule.topology;
    ASSERT_EQ(topology.atoms.size(), 5u);
    EXPECT_EQ(topology.chains.size(), 1u);
    EXPECT_EQ(topology.residues.size(), 2u);
    EXPECT_TRUE(topology.has_charges);
    EXPECT_FLOAT_EQ(topology.atoms[0].charge, -0.062F);
    EXPECT_EQ(topology.atoms[3].type, "OA");
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(topology.atoms[i].element, (std::array{7, 1, 6, 8, 17})[i]) << i;
    EXPECT_TRUE(topology.chains[0].segment.empty());
  }
  const Molecule poses = read_text("MODEL 1\n" + text + "ENDMDL\nMODEL 2\n" + text + "ENDMDL\n", "poses.pdbqt");
  EXPECT_EQ(poses.frame_count(), 2u);
}

TEST(Pdbqt, a_docking_file_of_the_collection) {
  const std::string path = shared_data("structures/pdbqt_inputpdbqt.pdbqt");
  ISOLUME_NEEDS(path);
  const Topology topology = *read_file(path).topology;
  EXPECT_LE(topology.chains.size(), 3u);
  std::array<std::size_t, 17> counts{};
  for (const Atom& atom : topology.atoms) ++counts[atom.element];
  // Types by cut -c78-79: C 815 and A 146, HD 309, N 264, OA 271.
  EXPECT_EQ(counts[6], 961u);
  EXPECT_EQ(counts[1], 309u);
  EXPECT_EQ(counts[7], 264u);
  EXPECT_EQ(counts[8], 271u);
}

// Coordinates one column to the left, as some programs write them, on lines that end with them.
TEST(Pdbqt, coordinates_one_column_to_the_left) {
  const Molecule molecule = read_text("HETATM    1   N 1051   X   0    2.000   1.155   0.816\n", "left.pdb");
  test::expect_near(molecule.trajectory->frame(0).positions[0], {2, 1.155, 0.816}, 1e-6);
  // A number that is cut is still refused.
  test::expect_error("HETATM    1   N 1051   X   0    2.000   1.155   0.8\n", "cut.pdb", 1,
                     "ends before its coordinates");
}

}  // namespace
}  // namespace isolume
