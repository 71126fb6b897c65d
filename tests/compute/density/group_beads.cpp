// Beads of groups of atoms: against formulas.
#include "compute/density/group_beads.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

TEST(GroupBeads, OneAtomIsItself) {
  const std::vector<DensityAtom> atoms{{{1, 2, 3}, 1.7f, {0.2f, 0.4f, 0.6f}}};
  const std::vector<float> masses{12};
  const std::vector<std::uint32_t> first{0, 1};
  const auto beads = group_beads(atoms, masses, first);
  ASSERT_EQ(beads.size(), 1u);
  EXPECT_EQ(beads[0].position, atoms[0].position);
  EXPECT_FLOAT_EQ(beads[0].radius, 1.7f);
  EXPECT_EQ(beads[0].colour, atoms[0].colour);
}

TEST(GroupBeads, TwoAtomsHaveTheirCentreOfMassAndRadius) {
  // Masses 1 and 3, 4 angstrom apart: the centre is 3 from the light one, R_g^2 = 9/4 + 3/4 = 3; <r^2> = 1/4 + 3
  // = 3.25.
  const std::vector<DensityAtom> atoms{{{0, 0, 0}, 1, {1, 0, 0}}, {{4, 0, 0}, 2, {0, 1, 0}}};
  const auto beads = group_beads(atoms, std::vector<float>{1, 3}, std::vector<std::uint32_t>{0, 2});
  ASSERT_EQ(beads.size(), 1u);
  EXPECT_FLOAT_EQ(beads[0].position.x, 3);
  EXPECT_FLOAT_EQ(beads[0].radius, std::sqrt(5.0f + 3.25f));
  EXPECT_FLOAT_EQ(beads[0].colour.x, 0.25f);
  EXPECT_FLOAT_EQ(beads[0].colour.y, 0.75f);
  // Without masses both count alike: R_g = 2, <r^2> = 2.5.
  const auto alike = group_beads(atoms, std::vector<float>{0, 0}, std::vector<std::uint32_t>{0, 2});
  EXPECT_FLOAT_EQ(alike[0].position.x, 2);
  EXPECT_FLOAT_EQ(alike[0].radius, std::sqrt(20.0f / 3 + 2.5f));
}

TEST(GroupBeads, ABallOfManyAtomsHasItsRadius) {
  // Points of a lattice within 10 angstrom, as balls of next to no radius.
  std::vector<DensityAtom> atoms;
  for (int x = -20; x <= 20; ++x)
    for (int y = -20; y <= 20; ++y)
      for (int z = -20; z <= 20; ++z)
        if (x * x + y * y + z * z <= 400) atoms.push_back({0.5f * glm::vec3(x, y, z), 1e-3f, {}});
  const std::vector<float> masses(atoms.size(), 1);
  const auto beads =
      group_beads(atoms, masses, std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(atoms.size())});
  EXPECT_NEAR(beads[0].radius, 10, 0.05);
}

TEST(GroupBeads, RefuseGroupsThatDoNotCover) {
  const std::vector<DensityAtom> atoms{{{0, 0, 0}, 1, {}}, {{1, 0, 0}, 1, {}}};
  const std::vector<float> masses{1, 1};
  for (const std::vector<std::uint32_t>& first :
       std::vector<std::vector<std::uint32_t>>{{}, {0}, {0, 1}, {1, 2}, {0, 0, 2}, {0, 3}})
    EXPECT_THROW((void)group_beads(atoms, masses, first), Error);
  EXPECT_THROW((void)group_beads(atoms, std::vector<float>{1}, std::vector<std::uint32_t>{0, 2}), Error);
}

}  // namespace
}  // namespace isolume
