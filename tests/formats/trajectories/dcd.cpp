// DCD trajectories.
#include "formats/trajectories/dcd.h"

#include <gtest/gtest.h>

#include <cstring>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"
#include "tests/support/npy.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::shared_data;

Molecule read(const std::string& name) {
  return read_file(shared_data("trajectories/" + name));
}

void expect_position(const Frame& frame, std::size_t atom, glm::vec3 expected) {
  for (int i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(frame.positions[atom][i], expected[i]) << atom << " " << i;
}

void expect_cell(const Cell& cell, glm::dvec3 lengths, glm::dvec3 angles, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(cell.lengths()[i], lengths[i], tolerance);
    EXPECT_NEAR(cell.angles()[i], angles[i], tolerance);
  }
}

// The reference arrays are those of MDAnalysis' tests: frames 5 and 29 of AdK, 1 and 4 of the water box, 0 of SiN.
TEST(Dcd, agrees_with_reference_arrays) {
  struct Case {
    const char *file, *array;
    std::vector<std::size_t> frames;
  };
  for (const Case& c : {Case{"adk/adk_dims.dcd", "legacy_DCD_adk_coords.npy", {5, 29}},
                        Case{"tip125_tric_C36.dcd", "legacy_DCD_c36_coords.npy", {1, 4}},
                        Case{"SiN_tric_namd.dcd", "legacy_DCD_NAMD_coords.npy", {0}}}) {
    ISOLUME_NEEDS(shared_data(std::string("trajectories/") + c.file));
    const std::vector<double> expected = test::read_npy(shared_data(std::string("reference/") + c.array));
    const Molecule molecule = read(c.file);
    ASSERT_EQ(expected.size(), c.frames.size() * molecule.trajectory->atom_count() * 3);
    std::size_t n = 0;
    for (const std::size_t index : c.frames) {
      for (const glm::vec3 p : molecule.trajectory->frame(index).positions) {
        for (int i = 0; i < 3; ++i) ASSERT_FLOAT_EQ(p[i], static_cast<float>(expected[n++]));
      }
    }
  }
}

TEST(Dcd, counts_frames_by_the_file_not_the_header) {
  ISOLUME_NEEDS(shared_data("trajectories/adk/adk_dims.dcd"));
  const Molecule molecule = read("adk/adk_dims.dcd");  // its header says 500
  EXPECT_EQ(molecule.frame_count(), 98u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("500"), std::string::npos);
  EXPECT_THROW(molecule.trajectory->frame(98), Error);
  // dt = 0.0204548 * 1000 AKMA units = 1 ps; the first step is 1000.
  EXPECT_NEAR(molecule.trajectory->frame(2).time, 3.0, 1e-4);
}

// Positions from the tests of chemfiles for the same files.
TEST(Dcd, reads_both_byte_orders_and_marker_widths) {
  for (const char* name : {"mrmd_h2so4-32bit-be.dcd", "mrmd_h2so4-64bit-be.dcd", "mrmd_h2so4-64bit-le.dcd"}) {
    ISOLUME_NEEDS(shared_data(std::string("trajectories/") + name));
    const Molecule molecule = read(name);
    EXPECT_EQ(molecule.frame_count(), 50u);
    const Frame frame = molecule.trajectory->frame(23);
    ASSERT_EQ(frame.positions.size(), 7u);
    expect_position(frame, 2, {0.6486294f, 0.062248673f, -1.5570515f});
    expect_position(frame, 4, {-1.3111109f, 0.35563222f, 0.9946163f});
    EXPECT_FALSE(frame.cell.exists());
  }
}

TEST(Dcd, reads_fixed_atoms) {
  ISOLUME_NEEDS(shared_data("trajectories/fixed-atoms.dcd"));
  const Molecule molecule = read("fixed-atoms.dcd");
  EXPECT_EQ(molecule.frame_count(), 10u);
  expect_position(molecule.trajectory->frame(0), 2, {-1.0220516f, -1.0135641f, 0.0f});
  expect_position(molecule.trajectory->frame(0), 10, {1.820057f, -1.3015488f, 10.0f});
  expect_position(molecule.trajectory->frame(5), 2, {-1.0220516f, -1.0135641f, 0.0f});
  expect_position(molecule.trajectory->frame(5), 10, {1.8199368f, -1.3013588f, 10.0f});
}

TEST(Dcd, leaves_out_the_fourth_dimension) {
  ISOLUME_NEEDS(shared_data("trajectories/4d-dynamic.dcd"));
  const Molecule molecule = read("4d-dynamic.dcd");
  EXPECT_EQ(molecule.frame_count(), 5u);
  expect_position(molecule.trajectory->frame(0), 5, {-1.5822195f, 0.6511365f, 1.3911803f});
  expect_position(molecule.trajectory->frame(3), 15, {2.230041f, -0.5253474f, -0.50111574f});
  EXPECT_EQ(molecule.warnings.size(), 1u);
}

// The octane crystal as CHARMM wrote it (shape matrix), and with the version number 24, under which the same numbers
// are cosines; cells by chemfiles (shape) and MDAnalysis (cosines, angles).
TEST(Dcd, reads_cells_as_their_writers_meant_them) {
  ISOLUME_NEEDS(shared_data("trajectories/triclinic-octane-vectors.dcd"));
  expect_cell(read("triclinic-octane-vectors.dcd").trajectory->frame(0).cell, {4.1594858, 4.749700, 11.000093},
              {94.804658, 84.486392, 105.108346}, 1e-5);
  expect_cell(read("triclinic-octane-cos.dcd").trajectory->frame(0).cell, {4.109898, 4.707060, 10.993230},
              {105.571274, 73.688985, 125.133355}, 1e-5);
  expect_cell(read("triclinic-octane-direct.dcd").trajectory->frame(0).cell, {4.109898, 4.707060, 10.993230},
              {105.571273, 73.688987, 125.133354}, 1e-5);
  const Cell namd = read("triclinic-namd.dcd").trajectory->frame(0).cell;
  expect_cell(namd, {85.440037, 89.442719, 85.440037}, {65.244990, 70.806038, 71.696265}, 1e-5);
  EXPECT_NEAR(namd.volume(), 548000, 0.01);
  expect_cell(read("tip125_tric_C36.dcd").trajectory->frame(0).cell, {35.446, 35.062, 34.159}, {91.328, 61.735, 44.407},
              1e-3);
  EXPECT_TRUE(read("withpbc.dcd").trajectory->frame(0).cell.orthogonal());
  EXPECT_FALSE(read("nopbc.dcd").trajectory->frame(0).cell.exists());
}

TEST(Dcd, stops_at_the_last_whole_frame) {
  ISOLUME_NEEDS(shared_data("malformed/derived/truncated.dcd"));
  const Molecule molecule = read_file(shared_data("malformed/derived/truncated.dcd"));
  // 20 000 bytes; a frame of 375 atoms with its cell takes 4 580 after a header of 596.
  EXPECT_EQ(molecule.frame_count(), 4u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("frame 5"), std::string::npos);
  EXPECT_THROW(read_file(shared_data("malformed/dcd/empty.dcd")), Error);
}

TEST(Dcd, says_where_a_frame_is_damaged) {
  ISOLUME_NEEDS(shared_data("trajectories/nopbc.dcd"));
  std::string bytes = bytes_of(shared_data("trajectories/nopbc.dcd"));
  const std::size_t frame = 3 * (4 * 401 + 8);
  const std::size_t header = bytes.size() - 40 * frame;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bytes[header + 3 * frame + 4], &nan, 4);
  const Molecule molecule = dcd_format.read(ByteSource::from_bytes(bytes, "damaged.dcd"));
  EXPECT_NO_THROW(molecule.trajectory->frame(2));
  try {
    molecule.trajectory->frame(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_NE(std::string(error.what()).find("damaged.dcd: byte " + std::to_string(header + 3 * frame + 4)),
              std::string::npos)
        << error.what();
  }
  bytes[4] = 'V', bytes[5] = 'E', bytes[6] = 'L', bytes[7] = 'D';
  EXPECT_THROW(dcd_format.read(ByteSource::from_bytes(bytes, "velocities.dcd")), Error);
}

TEST(Dcd, survives_damage) {
  for (const char* name : {"fixed-atoms.dcd", "mrmd_h2so4-64bit-be.dcd", "triclinic-octane-cos.dcd"}) {
    ISOLUME_NEEDS(shared_data(std::string("trajectories/") + name));
    const std::string bytes = bytes_of(shared_data(std::string("trajectories/") + name));
    EXPECT_GT(test::survives_damage(dcd_format, bytes), 100);
  }
}

}  // namespace
}  // namespace isolume
