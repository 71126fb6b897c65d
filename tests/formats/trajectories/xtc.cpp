// XTC trajectories.
#include "formats/trajectories/xtc.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "molecule/base/error.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::shared_data;

/// Positions as the integers that the file holds, weighted by their place so that an exchange shows.
std::uint64_t checksum(const Frame& frame, double precision_per_angstrom) {
  std::uint64_t sum = 0, place = 0;
  for (const glm::vec3 p : frame.positions) {
    for (int i = 0; i < 3; ++i) {
      const auto whole = static_cast<std::int64_t>(std::llround(static_cast<double>(p[i]) * precision_per_angstrom));
      sum += static_cast<std::uint64_t>(whole) * (place++ % 10007 + 1);
    }
  }
  return sum;
}

struct Reference {
  const char* file;
  std::size_t atoms, frames;
  double last_time;
  std::uint64_t checksum;
};

// All positions of all frames by the XTC reader of MDAnalysis 2.11.0: round(x * precision), weighted as above, frames
// combined by 31 * sum + next modulo 2^64.
class XtcReference : public testing::TestWithParam<Reference> {};

TEST_P(XtcReference, agrees_with_mdanalysis_in_every_coordinate) {
  const Reference& r = GetParam();
  ISOLUME_NEEDS(shared_data(r.file));
  const Molecule molecule = read_file(shared_data(r.file));
  EXPECT_TRUE(molecule.warnings.empty());
  ASSERT_EQ(molecule.frame_count(), r.frames);
  ASSERT_EQ(molecule.trajectory->atom_count(), r.atoms);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < r.frames; ++i) sum = 31 * sum + checksum(molecule.trajectory->frame(i), 100);
  EXPECT_EQ(sum, r.checksum);
  EXPECT_NEAR(molecule.trajectory->frame(r.frames - 1).time, r.last_time, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    files, XtcReference,
    testing::Values(Reference{"trajectories/adk/adk_oplsaa.xtc", 47681, 10, 900, 11650374838706737988u},
                    Reference{"trajectories/bithio/bithio.xtc", 12160, 9, 400, 1685974482805149666u},
                    Reference{"trajectories/cobrotoxin/cobrotoxin.xtc", 19385, 3, 100, 743310425126936u},
                    Reference{"trajectories/helix/alpha-helix-acetone-water.xtc", 10406, 101, 2575,
                              1670289268725852061u},
                    Reference{"trajectories/ngl_md/md.xtc", 17411, 51, 1000, 14753838655505686520u},
                    Reference{"trajectories/yiip/YiiP_lipids.xtc", 43480, 5, 80000, 3375836001045383341u},
                    Reference{"md-computed/crambin_water.xtc", 8161, 61, 60, 11263869897190734444u}));

TEST(Xtc, decodes_the_first_atoms_alone) {
  const std::string file = shared_data("md-computed/crambin_water.xtc");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  const Trajectory& trajectory = *molecule.trajectory;
  const Frame whole = trajectory.frame(7);
  // Runs of differences have up to eleven atoms: every place in them is an end.
  for (std::size_t atoms = 0; atoms < 1000; ++atoms) {
    const Frame part = trajectory.leading_frame(7, atoms);
    ASSERT_EQ(part.positions.size(), atoms);
    ASSERT_TRUE(std::equal(part.positions.begin(), part.positions.end(), whole.positions.begin())) << atoms;
    EXPECT_EQ(part.cell, whole.cell);
    EXPECT_EQ(part.time, whole.time);
  }
  for (const std::size_t atoms : {whole.positions.size() - 1, whole.positions.size(), whole.positions.size() + 1}) {
    const Frame part = trajectory.leading_frame(7, atoms);
    ASSERT_EQ(part.positions.size(), std::min(atoms, whole.positions.size()));
    EXPECT_TRUE(std::equal(part.positions.begin(), part.positions.end(), whole.positions.begin()));
  }
  EXPECT_THROW((void)trajectory.leading_frame(trajectory.frame_count(), 5), Error);
}

TEST(Xtc, reads_ranges_that_do_not_fit_in_24_bits) {
  ISOLUME_NEEDS(shared_data("trajectories/large_diff.xtc"));
  const Molecule molecule = read_file(shared_data("trajectories/large_diff.xtc"));
  // Its description: the last atom at 16777216 angstrom along x, y, z, and all three (MDAnalysis 2.11.0).
  EXPECT_EQ(molecule.trajectory->frame(0).positions[9], glm::vec3(16777216, 0, 0));
  EXPECT_EQ(molecule.trajectory->frame(2).positions[9], glm::vec3(0, 0, 16777216));
  EXPECT_EQ(molecule.trajectory->frame(3).positions[9], glm::vec3(16777216, 16777216, 16777216));
  EXPECT_EQ(molecule.trajectory->frame(3).positions[2], glm::vec3(2, 20, 200));
}

TEST(Xtc, has_cells_of_any_shape) {
  ISOLUME_NEEDS(shared_data("trajectories/adk/adk_oplsaa.xtc"));
  const Cell cell = read_file(shared_data("trajectories/adk/adk_oplsaa.xtc")).trajectory->frame(0).cell;
  // MANIFEST.tsv: 80.017 80.017 80.017 60 60 90
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(cell.lengths()[i], 80.017, 1e-3);
  EXPECT_NEAR(cell.angles().x, 60, 1e-3);
  EXPECT_NEAR(cell.angles().y, 60, 1e-3);
  EXPECT_NEAR(cell.angles().z, 90, 1e-3);
  const Molecule shapes = read_file(shared_data("trajectories/cell_shapes.xtc"));
  EXPECT_TRUE(shapes.trajectory->frame(0).cell.orthogonal());
  EXPECT_FALSE(shapes.trajectory->frame(2).cell.exists());
}

TEST(Xtc, is_the_rounded_trr_of_the_same_run) {
  ISOLUME_NEEDS(shared_data("trajectories/cobrotoxin/cobrotoxin.trr"));
  const Molecule xtc = read_file(shared_data("trajectories/cobrotoxin/cobrotoxin.xtc"));
  const Molecule trr = read_file(shared_data("trajectories/cobrotoxin/cobrotoxin.trr"));
  for (std::size_t i = 0; i < 3; ++i) {
    const Frame a = xtc.trajectory->frame(i), b = trr.trajectory->frame(i);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.cell, b.cell);
    float largest = 0;
    for (std::size_t k = 0; k < a.positions.size(); ++k) {
      const glm::vec3 d = glm::abs(a.positions[k] - b.positions[k]);
      largest = std::max({largest, d.x, d.y, d.z});
    }
    EXPECT_LE(largest, 0.005f + 1e-5f);
  }
}

/// The same frames with the magic number 2023, whose size has 64 bits.
std::string with_new_magic(const std::string& old) {
  std::string out;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(old[at + k]);
    return value;
  };
  for (std::size_t at = 0; at < old.size();) {
    const std::size_t size = (word(at + 88) + 3) / 4 * 4;
    out +=
        std::string("\0\0\x07\xe7", 4) + old.substr(at + 4, 84) + std::string(4, '\0') + old.substr(at + 88, 4 + size);
    at += 92 + size;
  }
  return out;
}

TEST(Xtc, reads_the_magic_number_of_2023) {
  ISOLUME_NEEDS(shared_data("trajectories/bithio/bithio.xtc"));
  const std::string old = bytes_of(shared_data("trajectories/bithio/bithio.xtc"));
  const Molecule a = xtc_format.read(ByteSource::from_bytes(old, "old.xtc"));
  const Molecule b = xtc_format.read(ByteSource::from_bytes(with_new_magic(old), "new.xtc"));
  ASSERT_EQ(b.frame_count(), 9u);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(a.trajectory->frame(i).positions, b.trajectory->frame(i).positions);
}

TEST(Xtc, stops_at_the_last_whole_frame) {
  ISOLUME_NEEDS(shared_data("malformed/derived/truncated_frame2.xtc"));
  const Molecule molecule = read_file(shared_data("malformed/derived/truncated_frame2.xtc"));
  EXPECT_EQ(molecule.frame_count(), 1u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("Frame 2 is damaged"), std::string::npos);
}

TEST(Xtc, gives_many_threads_the_same_frames) {
  ISOLUME_NEEDS(shared_data("md-computed/crambin_water.xtc"));
  const Molecule molecule = read_file(shared_data("md-computed/crambin_water.xtc"));
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < 20; ++i) expected.push_back(checksum(molecule.trajectory->frame(i), 100));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 20; ++i) {
        const std::size_t index = (i * 7 + t * 3) % 20;
        if (checksum(molecule.trajectory->frame(index), 100) != expected[index]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Xtc, survives_damage) {
  ISOLUME_NEEDS(shared_data("trajectories/cell_shapes.xtc"));
  for (const char* name : {"cell_shapes.xtc", "large_diff.xtc"}) {
    const std::string bytes = bytes_of(shared_data(std::string("trajectories/") + name));
    EXPECT_GT(test::survives_damage(xtc_format, bytes, 1, 5000), 100);
  }
  const std::string water = bytes_of(shared_data("md-computed/crambin_water.xtc")).substr(0, 60000);
  test::survives_damage(xtc_format, water, 997, 2000);
}

}  // namespace
}  // namespace isolume
