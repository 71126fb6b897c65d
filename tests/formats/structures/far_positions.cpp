// Positions far from the origin keep the digits that their files have.
#include "molecule/far_positions.h"

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;

struct FarFile {
  const char* name;
  std::string text;
  glm::dvec3 second;  ///< position of the second atom
};

std::vector<FarFile> far_files() {
  return {
      {"far.xyz", "2\n\nO 0 0 0\nH 100000.12345 -0.5 2500.0001\n", {100000.12345, -0.5, 2500.0001}},
      {"far.mol2",
       "@<TRIPOS>MOLECULE\nfar\n2 0 0 0 0\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n"
       "1 O 100000.0001 0.0 0.0 O.3 1 WAT -0.8\n2 H 100000.9573 0.0 0.1234 H 1 WAT 0.4\n",
       {100000.9573, 0, 0.1234}},
      {"far.gro",
       "far\n2\n    1SOL     OW    1   0.000   0.000   0.000\n    1SOL    HW1    29876.543   0.012   0.034\n"
       "   1.0 1.0 1.0\n",
       {98765.43, 0.12, 0.34}},
      {"far.cif",
       "data_far\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
       "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
       "_atom_site.Cartn_y\n_atom_site.Cartn_z\nHETATM 1 O O HOH A 1 0.0 0.0 0.0\n"
       "HETATM 2 H H1 HOH A 1 123456.7891 0.25 -98765.4321\n",
       {123456.7891, 0.25, -98765.4321}},
      {"far.crd",
       "* far\n*\n         2  EXT\n"
       "         1         1  TIP3      OH2             0.0000000000        0.0000000000        0.0000000000  WAT      "
       " "
       "1               0.0000000000\n"
       "         2         1  TIP3      H1         100000.1234567890        1.2500000000        0.0000000000  WAT      "
       " "
       "1               0.0000000000\n",
       {100000.123456789, 1.25, 0}},
      {"far.rst7",
       "far\n    2\n   0.0000000   0.0000000   0.00000009999.1234567   1.0000000-999.7654321\n",
       {9999.1234567, 1, -999.7654321}},
  };
}

TEST(FarPositions, OfTextFilesKeepTheirDigits) {
  for (const FarFile& file : far_files()) {
    SCOPED_TRACE(file.name);
    const Molecule molecule = read_text(file.text, file.name);
    const Frame frame = molecule.trajectory->frame(0);
    ASSERT_EQ(frame.positions.size(), 2u);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(precise_position(frame, 1)[axis], file.second[axis], 1e-9);
    EXPECT_EQ(frame.positions[1], glm::vec3(precise_position(frame, 1)));
    EXPECT_EQ(coarse_positions_text(frame), "");
  }
}

TEST(FarPositions, NearTheOriginAreFloatsAlone) {
  const Molecule molecule = read_text("2\n\nO 0 0 0\nH 999.5 -0.5 0.5\n", "near.xyz");
  EXPECT_TRUE(molecule.trajectory->frame(0).precise_positions.empty());
}

TEST(FarPositions, MoveToTheOriginWithoutARounding) {
  Frame frame;
  add_position({100000.25, 5000.0001, -3.5}, frame);
  add_position({100003.7512, 5001.0002, -4.25}, frame);
  move_to_origin(frame);
  const glm::dvec3 d = precise_position(frame, 1) - precise_position(frame, 0);
  EXPECT_NEAR(d.x, 3.5012, 1e-10);
  EXPECT_NEAR(d.y, 1.0001, 1e-10);
  EXPECT_LT(std::abs(frame.positions[0].x), 4);
  EXPECT_NEAR(double{frame.positions[1].x} - double{frame.positions[0].x}, 3.5012, 1e-6);
  EXPECT_NEAR(double{frame.positions[1].y} - double{frame.positions[0].y}, 1.0001, 1e-6);
}

TEST(FarPositions, AsFloatsAloneAreSaidToBeCoarse) {
  Frame frame;
  frame.positions = {{1e5f, 0, 0}, {1e5f + 1, 0, 0}};  // floats have steps of 2^-7 there
  EXPECT_NE(coarse_positions_text(frame).find("0.008 angstrom"), std::string::npos) << coarse_positions_text(frame);
  frame.positions = {{100, 0, 0}};
  EXPECT_EQ(coarse_positions_text(frame), "");
}

}  // namespace
}  // namespace isolume
