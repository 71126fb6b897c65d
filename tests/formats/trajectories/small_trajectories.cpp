// Trajectories of every format: files whose positions follow a formula (tests/data/trajectories/make_files.py).
#include <cmath>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::data;

constexpr std::size_t atoms = 12;

glm::dvec3 position(std::size_t atom, std::size_t frame) {
  const auto i = static_cast<double>(atom), f = static_cast<double>(frame);
  return {1 + 1.5 * i + 0.25 * f, 2 + 0.5 * i - 0.125 * f, 3 - 0.25 * i + 0.5 * f};
}

glm::dvec3 velocity(std::size_t atom, std::size_t frame) {
  return {0.5, -0.25 * static_cast<double>(atom), 0.125 * static_cast<double>(frame)};
}

struct Case {
  const char* file;
  const char* format;
  std::size_t frames;
  std::size_t first;  ///< number of the first frame
  double tolerance;   ///< angstrom
  bool velocities = false;
  bool cell = true;
  bool times = true;
};

class SmallTrajectory : public testing::TestWithParam<Case> {};

TEST_P(SmallTrajectory, follows_its_formula) {
  const Case& c = GetParam();
  const Molecule molecule = read_file(data(std::string("trajectories/") + c.file));
  EXPECT_EQ(molecule.format, c.format);
  EXPECT_TRUE(molecule.warnings.empty());
  ASSERT_EQ(molecule.frame_count(), c.frames);
  ASSERT_EQ(molecule.trajectory->atom_count(), atoms);
  for (std::size_t f = 0; f < c.frames; ++f) {
    SCOPED_TRACE(f);
    const Frame frame = molecule.trajectory->frame(f);
    const std::size_t number = c.first + f;
    ASSERT_EQ(frame.positions.size(), atoms);
    for (std::size_t i = 0; i < atoms; ++i) test::expect_near(frame.positions[i], position(i, number), c.tolerance);
    ASSERT_EQ(frame.velocities.size(), c.velocities ? atoms : 0);
    for (std::size_t i = 0; i < frame.velocities.size(); ++i) {
      test::expect_near(frame.velocities[i], velocity(i, number), 2e-6);
    }
    ASSERT_EQ(frame.cell.exists(), c.cell);
    if (c.cell) test::expect_near(frame.cell.lengths(), {30, 31, 32 + static_cast<double>(number)}, 1e-5);
    EXPECT_EQ(frame.has_time, c.times);
    if (c.times) {
      EXPECT_NEAR(frame.time, 2 * static_cast<double>(number), 1e-5);
    }
  }
}

// XTC rounds to a hundredth of an angstrom; text to seven decimals; the others hold single or double precision.
INSTANTIATE_TEST_SUITE_P(
    files, SmallTrajectory,
    testing::Values(Case{"plain.xtc", "XTC", 3, 0, 0.00501}, Case{"runs.xtc", "XTC", 3, 0, 0.00501},
                    Case{"single.trr", "TRR", 3, 0, 2e-6, true}, Case{"double.trr", "TRR", 3, 0, 2e-6, true},
                    Case{"little.dcd", "DCD", 3, 0, 0}, Case{"big.dcd", "DCD", 3, 0, 0},
                    Case{"classic.nc", "AMBER NetCDF", 3, 0, 0}, Case{"last.rst7", "AMBER restart", 1, 2, 1e-6, true},
                    Case{"last.coor", "NAMD coordinates", 1, 2, 0, false, false, false}),
    [](const auto& info) {
      std::string name = info.param.file;
      name[name.find('.')] = '_';
      return name;
    });

TEST(SmallTrajectory, runs_of_xtc_are_the_same_frames_as_none) {
  const Molecule plain = read_file(data("trajectories/plain.xtc")), runs = read_file(data("trajectories/runs.xtc"));
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(plain.trajectory->frame(f).positions, runs.trajectory->frame(f).positions) << f;
  }
}

TEST(SmallTrajectory, velocities_of_namd_have_its_unit) {
  const Molecule molecule = read_file(data("trajectories/last.vel"));
  EXPECT_EQ(molecule.format, "NAMD velocities");
  const Frame frame = molecule.trajectory->frame(0);
  ASSERT_EQ(frame.velocities.size(), atoms);
  for (std::size_t i = 0; i < atoms; ++i) test::expect_near(frame.velocities[i], velocity(i, 2), 1e-6);
}

}  // namespace
}  // namespace isolume
