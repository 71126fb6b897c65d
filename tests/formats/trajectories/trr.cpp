// TRR trajectories.
#include "formats/trajectories/trr.h"

#include <gtest/gtest.h>

#include <cstring>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::shared_data;

void expect_vector(glm::vec3 found, glm::dvec3 expected, double scale) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i] * scale, 2e-6 * std::abs(expected[i] * scale));
}

// Last atom by MDAnalysis 2.11.0, in nm, nm/ps and kJ/(mol nm).
TEST(Trr, reads_positions_velocities_and_forces) {
  ISOLUME_NEEDS(shared_data("trajectories/ubiquitin.trr"));
  const Molecule molecule = read_file(shared_data("trajectories/ubiquitin.trr"));
  ASSERT_EQ(molecule.frame_count(), 2u);
  const Frame frame = molecule.trajectory->frame(1);
  EXPECT_EQ(frame.time, 50);
  ASSERT_EQ(frame.forces.size(), 20455u);
  expect_vector(frame.positions.back(), {3.7664146, 2.939933, 1.7006626}, 10);
  expect_vector(frame.velocities.back(), {0.05729415, -0.1308858, -0.43399212}, 10);
  expect_vector(frame.forces.back(), {-179.12775, 425.57172, -148.80661}, 1 / 41.84);
  EXPECT_NEAR(frame.cell.lengths().z, 62.57, 1e-4);
}

TEST(Trr, reads_double_precision_of_the_same_frames) {
  ISOLUME_NEEDS(shared_data("trajectories/ubiquitin_d.trr"));
  const Molecule single = read_file(shared_data("trajectories/ubiquitin.trr"));
  const Molecule twice = read_file(shared_data("trajectories/ubiquitin_d.trr"));
  for (std::size_t i = 0; i < 2; ++i) {
    const Frame a = single.trajectory->frame(i), b = twice.trajectory->frame(i);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_TRUE(b.forces.empty());
  }
  const Molecule shapes = read_file(shared_data("trajectories/cell_shapes.trr"));
  const Molecule shapes_d = read_file(shared_data("trajectories/cell_shapes_d.trr"));
  EXPECT_EQ(shapes.trajectory->frame(1).positions, shapes_d.trajectory->frame(1).positions);
  EXPECT_FALSE(shapes_d.trajectory->frame(2).cell.exists());
}

TEST(Trr, is_the_dcd_of_the_same_run) {
  ISOLUME_NEEDS(shared_data("trajectories/water.trr"));
  const Molecule trr = read_file(shared_data("trajectories/water.trr"));
  const Molecule dcd = read_file(shared_data("trajectories/water.dcd"));
  ASSERT_EQ(trr.frame_count(), 100u);
  ASSERT_EQ(dcd.frame_count(), 100u);
  const Frame a = trr.trajectory->frame(42), b = dcd.trajectory->frame(42);
  for (std::size_t i = 0; i < a.positions.size(); ++i) expect_vector(a.positions[i], b.positions[i], 1);
}

TEST(Trr, leaves_out_frames_without_positions) {
  ISOLUME_NEEDS(shared_data("trajectories/cell_shapes.trr"));
  const std::string bytes = bytes_of(shared_data("trajectories/cell_shapes.trr"));
  const std::size_t frame = 84 + 36 + 12 * 10;  // header, cell, positions; the third frame has no cell
  std::string second = bytes.substr(frame, frame);
  // x_size is the eighth of the ten sizes, after 24 bytes of magic number and version.
  std::memset(&second[24 + 7 * 4], 0, 4);
  second.resize(frame - 12 * 10);
  const Molecule molecule = trr_format.read(ByteSource::from_bytes(bytes.substr(0, frame) + second, "x.trr"));
  EXPECT_EQ(molecule.frame_count(), 1u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("without positions"), std::string::npos);
}

TEST(Trr, survives_damage) {
  for (const char* name : {"cell_shapes.trr", "cell_shapes_d.trr"}) {
    ISOLUME_NEEDS(shared_data(std::string("trajectories/") + name));
    const std::string bytes = bytes_of(shared_data(std::string("trajectories/") + name));
    EXPECT_GT(test::survives_damage(trr_format, bytes, 1, 5000), 100);
  }
}

}  // namespace
}  // namespace isolume
