// XYZ files, plain and extended.
#include "molecule/base/units.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_counts;
using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

TEST(Xyz, symbols_or_numbers_and_frames) {
  const Molecule molecule =
      read_text("2\nwater-ish\nO 0 0 0\n1 0.0 0.0 0.96\n2\nnext\nO 0 0 1\n1 0.0 0.0 1.96\n\n\n", "two.xyz");
  ASSERT_EQ(molecule.atom_count(), 2u);
  ASSERT_EQ(molecule.frame_count(), 2u);
  EXPECT_EQ(molecule.title, "water-ish");
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
  EXPECT_EQ(molecule.topology->atoms[1].element, 1);
  EXPECT_EQ(molecule.topology->atoms[1].name, "H");
  EXPECT_FLOAT_EQ(molecule.trajectory->frame(1).positions[1].z, 1.96F);
  EXPECT_FALSE(molecule.trajectory->frame(0).cell.exists());
}

TEST(Xyz, reads_397_frames) {
  const std::string path = shared_data("trajectories/helium.xyz.gz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 125u);
  ASSERT_EQ(molecule.frame_count(), 397u);
  expect_near(molecule.trajectory->frame(0).positions[0], {0.49053, 8.41351, 0.0777257}, 1e-6);
  expect_near(molecule.trajectory->frame(396).positions[124], {5.208778, 12.707273, 10.940157}, 1e-6);
}

TEST(ExtendedXyz, lattice_rows_are_the_edge_vectors) {
  const std::string path = shared_data("structures/extended.xyz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.atom_count(), 192u);
  const Frame frame = molecule.trajectory->frame(0);
  // Lattice="8.43116035 0.0 0.0 0.158219155128 14.5042431863 0.0 1.16980663624 4.4685149855 14.9100096405"
  EXPECT_EQ(frame.cell.vectors[1], glm::dvec3(0.158219155128, 14.5042431863, 0.0));
  EXPECT_EQ(frame.cell.vectors[2], glm::dvec3(1.16980663624, 4.4685149855, 14.9100096405));
  expect_near(frame.positions[0], {2.33827271799, 4.55315540425, 11.5841360926}, 1e-6);
  EXPECT_EQ(molecule.warnings.size(), 1u);  // frames 2 and 3 are other molecules
}

TEST(ExtendedXyz, forces_are_converted_from_ev_per_angstrom) {
  const std::string path = shared_data("structures/al_fcc.xyz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Frame frame = molecule.trajectory->frame(0);
  ASSERT_EQ(frame.forces.size(), 32u);
  EXPECT_EQ(molecule.topology->atoms[2].element, 13);
  // Al 1.76765314374 -0.0739186992875 1.63805888833 13 0.214673 -0.268537 -0.872987
  expect_near(frame.positions[2], {1.76765314374, -0.0739186992875, 1.63805888833}, 1e-6);
  expect_near(frame.forces[2], glm::dvec3(0.214673, -0.268537, -0.872987) * units::ev_in_kcal_per_mol, 1e-5);
}

TEST(ExtendedXyz, charges_come_from_properties) {
  const Molecule molecule = read_text(
      "2\nProperties=pos:R:3:species:S:1:charge:R:1 Lattice='5 0 0 0 6 0 0 0 7'\n0 0 0 Na 1\n2.8 0 0 Cl -1\n", "q.xyz");
  EXPECT_TRUE(molecule.topology->has_charges);
  EXPECT_EQ(molecule.topology->atoms[0].element, 11);
  EXPECT_EQ(molecule.topology->atoms[1].charge, -1.0F);
  EXPECT_EQ(molecule.trajectory->frame(0).cell.lengths(), glm::dvec3(5, 6, 7));
}

TEST(Xyz, the_comment_of_cp2k_has_the_time_in_fs) {
  const Molecule molecule = read_text("1\n i =       10, time =        5.000, E =       -17.2\nO 0 0 0\n", "md.xyz");
  EXPECT_TRUE(molecule.trajectory->frame(0).has_time);
  EXPECT_NEAR(molecule.trajectory->frame(0).time, 0.005, 1e-15);
}

TEST(Xyz, frames_with_other_counts_and_cut_ones_are_left_out) {
  const std::string two = "2\n\nO 0 0 0\nH 0 0 1\n";
  const Molecule other = read_text(two + "1\n\nO 0 0 0\n" + two, "mixed.xyz");
  EXPECT_EQ(other.frame_count(), 2u);
  EXPECT_EQ(other.warnings.size(), 1u);
  const Molecule cut = read_text(two + "2\n\nO 0 0 0\nH 0", "cut.xyz");
  EXPECT_EQ(cut.frame_count(), 1u);
  EXPECT_EQ(cut.warnings.size(), 1u);
  const Molecule noise = read_text(two + "noise\n", "noise.xyz");
  EXPECT_EQ(noise.frame_count(), 1u);
  EXPECT_EQ(noise.warnings.size(), 1u);
}

TEST(Xyz, shared_files_have_the_atoms_that_they_count) {
  expect_counts("XYZ", {{"structures/c60_ih.xyz", 60, 1},
                        {"structures/elements.xyz", 113, 1},
                        {"structures/g-quad-neutral.xyz", 736, 1},
                        {"structures/topology.xyz", 9, 1},
                        {"structures/water_extended_trajectory.xyz", 3, 2},
                        {"trajectories/mda_test.xyz", 5, 5},
                        {"malformed/xyz/dataset_blanklines.xyz", 3, 1}});
}

TEST(Xyz, all_elements_have_their_numbers) {
  const std::string path = shared_data("structures/elements.xyz");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  // A lone pair, then hydrogen and so on in order: atom n is element n.
  for (std::size_t i = 0; i < molecule.atom_count(); ++i) EXPECT_EQ(molecule.topology->atoms[i].element, i);
}

TEST(Xyz, says_what_is_wrong_and_where) {
  expect_error("2\n\nO 0.0000 0.0000 0.0000\n", "short.xyz", 4, "ends where an atom");
  expect_error("2\n\nO 0 0 0\nH 0 x 0\n", "letter.xyz", 4, "expected a number");
  expect_error("1\n\nO 0 0 inf\n", "inf.xyz", 3, "not finite");
  expect_error("-1\n\nO 0 0 0\n", "negative.xyz", 1, "number of atoms");
  expect_error("99999999999999999999\n\nO 0 0 0\n", "absurd.xyz", 1, "number of atoms");
  expect_error("400000000\n\nO 0 0 0\n", "large.xyz", 1, "promises");
  expect_error("1\n\n200 0 0 0\n", "z.xyz", 3, "118");
  expect_error("1\nProperties=species:S:1:pos:R:3:bad:R:\nH 1 4 2.3\n", "triple.xyz", 2, "Properties");
  expect_error("1\nProperties=species:S:1:pos:R:3:bad:F:1\nH 1 4 2.3 5\n", "type.xyz", 2, "known are");
  expect_error("1\nProperties=species:S:1:pos:R:3:bad:R:0\nH 1 4 2.3 5\n", "none.xyz", 2, "number of columns");
  expect_error("1\nLattice=\"1 2 3\"\nH 1 4 2.3\n", "lattice.xyz", 2, "9 numbers");
}

}  // namespace
}  // namespace isolume
