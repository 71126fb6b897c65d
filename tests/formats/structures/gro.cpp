// GRO files: precision, velocities, boxes, frames.
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_counts;
using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

TEST(Gro, lengths_become_angstrom_and_velocities_angstrom_per_ps) {
  const Molecule molecule = read_text(
      "Water t= 12.500 step= 3\n 1\n    1SOL     OW    1   0.230   0.628   0.113  0.1000 -0.2000  0.3000\n"
      "   1.00000   2.00000   3.00000\n",
      "water.gro");
  ASSERT_EQ(molecule.atom_count(), 1u);
  const Frame frame = molecule.trajectory->frame(0);
  expect_near(frame.positions[0], {2.30, 6.28, 1.13}, 1e-6);
  ASSERT_EQ(frame.velocities.size(), 1u);
  expect_near(frame.velocities[0], {1, -2, 3}, 1e-6);
  EXPECT_TRUE(frame.has_time);
  EXPECT_EQ(frame.time, 12.5);
  EXPECT_EQ(frame.cell.lengths(), glm::dvec3(10, 20, 30));
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
}

TEST(Gro, any_number_of_decimals) {
  const std::string path = shared_data("structures/dppc/conf.gro");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 1132u);
  // 1DPPC    C1    1   0.600983290   0.724007108   1.291002619
  expect_near(molecule.trajectory->frame(0).positions[0], {6.00983290, 7.24007108, 12.91002619}, 1e-6);
}

TEST(Gro, box_columns_may_touch) {
  const std::string path = shared_data("structures/huge_box.gro");
  ISOLUME_NEEDS(path);
  const Cell cell = read_file(path).trajectory->frame(0).cell;
  EXPECT_EQ(cell.lengths(), glm::dvec3(400000));  // 40000.0000040000.0000040000.00000 nm
}

TEST(Gro, triclinic_boxes) {
  const std::string path = shared_data("structures/triclinic.gro");
  const std::string pdb = shared_data("structures/triclinic.pdb");
  ISOLUME_NEEDS(path);
  ISOLUME_NEEDS(pdb);
  const Molecule molecule = read_file(path);
  const Cell cell = molecule.trajectory->frame(0).cell;
  // 2.5 3.0 3.5 0 0 0.5 0 0.7 0.9: a = (2.5 0 0), b = (0.5 3 0), c = (0.7 0.9 3.5) nm
  EXPECT_EQ(cell.vectors[1], glm::dvec3(5, 30, 0));
  expect_near(glm::vec3(cell.vectors[2]), {7, 9, 35}, 1e-5);
  // The same system as PDB gives lengths and angles to the digits that it has.
  const Frame other = read_file(pdb).trajectory->frame(0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(cell.lengths()[i], other.cell.lengths()[i], 1e-3);
    EXPECT_NEAR(cell.angles()[i], other.cell.angles()[i], 6e-3);
  }
  const Frame frame = molecule.trajectory->frame(0);
  for (std::size_t i = 0; i < 8; ++i) expect_near(frame.positions[i], glm::dvec3(other.positions[i]), 1e-4);
}

TEST(Gro, frames_are_read_one_by_one) {
  const std::string path = shared_data("structures/lysozyme.gro");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 1960u);
  ASSERT_EQ(molecule.frame_count(), 3u);
  expect_near(molecule.trajectory->frame(0).positions[0], {42.68, 32.61, 22.84}, 1e-5);
  expect_near(molecule.trajectory->frame(1).positions[0], {42.25, 32.32, 22.45}, 1e-5);
  expect_near(molecule.trajectory->frame(2).velocities[0], {3.320, 2.849, -2.494}, 1e-5);
  EXPECT_NEAR(molecule.trajectory->frame(2).cell.lengths().x, 69.7308, 1e-9);
}

TEST(Gro, shared_files_have_the_atoms_that_they_count) {
  expect_counts("GRO", {{"structures/1aki.charmm27.solv.gro", 4960, 1},
                        {"structures/1aki.gro", 1079, 1},
                        {"structures/1crn.gro", 327, 1},
                        {"structures/1ppt.gro", 391, 1},
                        {"structures/1vln-triclinic.gro.gz", 14520, 1},
                        {"structures/MCRKY-Mg-Ca-Cl.gro", 101, 1},
                        {"structures/dhfr_pme/conf.gro.gz", 30581, 1},
                        {"structures/ubiquitin.gro", 1405, 1},
                        {"trajectories/adk/adk_oplsaa.gro.gz", 47681, 1},
                        {"trajectories/argon/argon.gro.gz", 1000, 1},
                        {"trajectories/ngl_md/md.gro.gz", 17411, 1},
                        {"trajectories/two_water_gro_multiframe.gro", 6, 2},
                        {"trajectories/yiip/YiiP_lipids.gro.gz", 43480, 1},
                        {"md-computed/crambin_water_em.gro.gz", 8161, 1}});
}

TEST(Gro, positions_agree_with_the_pqr_of_the_same_system) {
  const std::string gro = shared_data("md-computed/crambin_water_em.gro.gz");
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(gro);
  ISOLUME_NEEDS(pqr);
  const Molecule a = read_file(gro);
  const Molecule b = read_file(pqr);
  ASSERT_EQ(a.atom_count(), b.atom_count());
  const Frame x = a.trajectory->frame(0);
  const Frame y = b.trajectory->frame(0);
  for (std::size_t i = 0; i < a.atom_count(); ++i) {
    ASSERT_EQ(a.topology->atoms[i].name, b.topology->atoms[i].name) << i;
    ASSERT_LT(glm::distance(x.positions[i], y.positions[i]), 1e-3F) << i;
  }
  EXPECT_NEAR(x.cell.angles().x, 60, 1e-3);  // a rhombic dodecahedron
  EXPECT_NEAR(y.cell.angles().z, 90, 1e-9);
}

TEST(Gro, a_last_frame_that_is_cut_is_left_out) {
  const std::string frame = "t\n 1\n    1SOL     OW    1   0.230   0.628   0.113\n   1.0   1.0   1.0\n";
  const Molecule molecule = read_text(frame + frame + "t\n 1\n    1SOL  ", "cut.gro");
  EXPECT_EQ(molecule.frame_count(), 2u);
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

TEST(Gro, says_what_is_wrong_and_where) {
  const std::string one = "    1SOL     OW    1   0.230   0.628   0.113\n";
  expect_error("title\n", "one.gro", 2, "the number of atoms");
  expect_error("title\nmany\n" + one, "count.gro", 2, "number of atoms");
  expect_error("title\n 999999999999\n" + one, "absurd.gro", 2, "number of atoms");
  expect_error("title\n 400000000\n" + one, "large.gro", 2, "promises");
  expect_error("title\n 0\n 1 1 1\n", "zero.gro", 2, "at least one atom");
  expect_error("title\n 2\n" + one + " 1.0 1.0 1.0\n", "few.gro", 4, "expected an atom");
  expect_error("title\n 1\n" + one + " 1.0 1.0\n", "box.gro", 4, "box of 3 or 9");
  expect_error("title\n 1\n" + one, "nobox.gro", 0, "");
  expect_error("title\n 1\n    1SOL     OW    1   0.230     nan   0.113\n 1 1 1\n", "nan.gro", 3, "");
}

}  // namespace
}  // namespace isolume
