// Volumes of every format: files whose values follow a formula (tests/data/volumes/make_files.py).
#include "molecule/base/units.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::data;

constexpr double bohr = 1 / units::angstrom_in_bohr;

struct Case {
  const char* file;
  const char* format;
  glm::dvec3 origin;
  glm::dmat3 step;
  double tolerance;
};

class SmallVolume : public testing::TestWithParam<Case> {};

TEST_P(SmallVolume, follows_its_formula) {
  const Case& c = GetParam();
  const Molecule molecule = read_file(data(std::string("volumes/") + c.file));
  EXPECT_EQ(molecule.format, c.format);
  ASSERT_GE(molecule.volumes.size(), 1u);
  const Volume& volume = *molecule.volumes[0];
  ASSERT_EQ(volume.grid.counts, glm::ivec3(4, 3, 5));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(volume.grid.origin[i], c.origin[i], c.tolerance);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(volume.grid.step[i][k], c.step[i][k], c.tolerance);
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 5; ++k) {
        ASSERT_EQ(volume.values[volume.grid.index(i, j, k)], static_cast<float>(100 * i + 10 * j + k - 111));
      }
    }
  }
}

const glm::dmat3 straight = {{0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 1}};
const glm::dmat3 sheared = {{0.5, 0, 0}, {0.1, 0.25, 0}, {0, 0, 1}};

INSTANTIATE_TEST_SUITE_P(
    files, SmallVolume,
    testing::Values(Case{"straight.cube", "cube", glm::dvec3(1, 2, 3) * bohr, straight* bohr, 1e-9},
                    Case{"sheared.cube", "cube", glm::dvec3(1, 2, 3) * bohr, sheared* bohr, 1e-9},
                    Case{"orbitals.cube", "cube", glm::dvec3(1, 2, 3) * bohr, straight* bohr, 1e-9},
                    Case{"straight.dx", "OpenDX", {1, 2, 3}, straight, 0},
                    // The cell's 8, 6 and 10 angstrom in 16, 24 and 10 parts, from the 2nd, 8th, 3rd on.
                    Case{"xyz.ccp4", "CCP4", {1, 2, 3}, straight, 1e-12},
                    Case{"zyx.ccp4", "CCP4", {1, 2, 3}, straight, 1e-12}),
    [](const auto& info) {
      std::string name = info.param.file;
      name[name.find('.')] = '_';
      return name;
    });

TEST(SmallVolume, a_cube_of_two_orbitals_has_two_volumes_and_its_atom) {
  const Molecule molecule = read_file(data("volumes/orbitals.cube"));
  ASSERT_EQ(molecule.volumes.size(), 2u);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(molecule.volumes[1]->values[i], -molecule.volumes[0]->values[i]);
  ASSERT_EQ(molecule.atom_count(), 1u);
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
  test::expect_near(molecule.trajectory->frame(0).positions[0], glm::dvec3(1, 2, 3) * bohr, 1e-6);
}

}  // namespace
}  // namespace isolume
