// Normal modes of Molden files and Gaussian logs.
#include "formats/orbitals/vibrations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/isolume_vibrations_" + name;
  std::ofstream(path) << text;
  return path;
}

const std::string head = " Harmonic frequencies (cm**-1), IR intensities (KM/Mole), Raman scattering\n";

TEST(Vibrations, OfALogOfGaussian) {
  const Vibrations found =
      read_vibrations(written("plain.log", " Entering Gaussian System\n" + head +
                                               "                      1                      2\n"
                                               "                     A                      A\n"
                                               " Frequencies --   -120.5000              4070.4600\n"
                                               " Red. masses --      1.0823                 1.0454\n"
                                               " IR Inten    --    107.2700                18.2000\n"
                                               " Raman Activ --      7.2000                 8.2000\n"
                                               "  Atom  AN      X      Y      Z        X      Y      Z\n"
                                               "     1   8     0.00   0.01  -0.07     0.02   0.00   0.05\n"
                                               "     2   1    -0.43   0.00   0.56     0.58   0.00  -0.40\n"
                                               "                      3\n"
                                               "                     A\n"
                                               " Frequencies --   4188.7000\n"
                                               "  Atom  AN      X      Y      Z\n"
                                               "     1   8    -0.07   0.00   0.00\n"
                                               "     2   1     0.56   0.00  -0.43\n\n"));
  ASSERT_EQ(found.modes.size(), 3u);
  EXPECT_EQ(found.modes[0].frequency, -120.5);
  EXPECT_EQ(found.modes[1].intensity, 18.2);
  EXPECT_EQ(found.modes[1].raman, 8.2);
  EXPECT_FALSE(found.modes[2].intensity);
  EXPECT_EQ(found.modes[1].displacement[1], glm::dvec3(0.58, 0, -0.40));
  EXPECT_EQ(found.modes[0].displacement[0], glm::dvec3(0, 0.01, -0.07));
  EXPECT_EQ(found.modes[2].displacement[1], glm::dvec3(0.56, 0, -0.43));
}

// With HPModes there are many digits first, one component a line; these are kept.
TEST(Vibrations, OfALogWithManyDigits) {
  const Vibrations found =
      read_vibrations(written("many.log", head +
                                              "                           1         2\n"
                                              "       Frequencies ---  1826.5537 4070.4602\n"
                                              "    Reduced masses ---     1.0823    1.0454\n"
                                              "    IR Intensities ---   107.2704   18.2001\n"
                                              " Coord Atom Element:\n"
                                              "   1     1     8          0.12345   0.00000\n"
                                              "   2     1     8          0.00000   0.54321\n"
                                              "   3     1     8         -0.07049   0.00000\n" +
                                              head +
                                              " Frequencies --   1826.5500              4070.4600\n"
                                              "  Atom  AN      X      Y      Z        X      Y      Z\n"
                                              "     1   8     0.12   0.00  -0.07     0.00   0.54   0.00\n\n"));
  ASSERT_EQ(found.modes.size(), 2u);
  EXPECT_EQ(found.modes[0].displacement[0], glm::dvec3(0.12345, 0, -0.07049));
  EXPECT_EQ(found.modes[1].displacement[0], glm::dvec3(0, 0.54321, 0));
  EXPECT_EQ(found.modes[1].intensity, 18.2001);
}

TEST(Vibrations, ThatDoNotFitTogetherAreRefused) {
  const std::string start = "[Molden Format]\n[FREQ]\n100\n200\n[FR-COORD]\nH 0 0 0\n";
  EXPECT_THROW(read_vibrations(written("none.molden", "[Molden Format]\n[Atoms] AU\n")), Error);
  EXPECT_THROW(read_vibrations(written("short.molden", start + "[FR-NORM-COORD]\nvibration 1\n0 0 1\n")), Error);
  EXPECT_THROW(read_vibrations(written("far.molden", start + "[FR-NORM-COORD]\nvibration 3\n0 0 1\n")), Error);
  EXPECT_THROW(read_vibrations(written("word.molden", start + "[FR-NORM-COORD]\nvibration 1\n0 0 x\n")), Error);
  EXPECT_THROW(read_vibrations(
                   written("atoms.molden", start + "[FR-NORM-COORD]\nvibration 1\n0 0 1\nvibration 2\n0 0 1\n1 0 0\n")),
               Error);
  const Vibrations good = read_vibrations(
      written("good.molden", start + "[FR-NORM-COORD]\nvibration 1\n0 0 1\nvibration 2\n0 1 0\n[INT]\n1.5\n2.5\n"));
  ASSERT_EQ(good.modes.size(), 2u);
  EXPECT_EQ(good.modes[1].displacement[0], glm::dvec3(0, 1, 0));
  EXPECT_EQ(good.modes[1].intensity, 2.5);
  EXPECT_EQ(good.positions.size(), 1u);
}

}  // namespace
}  // namespace isolume
