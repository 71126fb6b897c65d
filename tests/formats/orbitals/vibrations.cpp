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

/// The modes of water (PySCF, tests/data/collection/qm-fields/vibrations) as the programs lay them out.
void expect_water(const Vibrations& found, double digits) {
  ASSERT_EQ(found.modes.size(), 3u);
  const double frequencies[] = {1826.5537, 4070.4594, 4188.7043};
  const glm::dvec3 second[] = {{0, 0, 0.050153}, {-0.583396, 0, -0.397985}, {0.583396, 0, -0.397985}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.modes[i].frequency, frequencies[i], 0.006);
    ASSERT_EQ(found.modes[i].displacement.size(), 3u);
  }
  for (std::size_t a = 0; a < 3; ++a)
    EXPECT_LE(glm::length(found.modes[1].displacement[a] - second[a]), digits) << "atom " << a;
  ASSERT_TRUE(found.modes[0].intensity);
  EXPECT_NEAR(*found.modes[0].intensity, 107.27038, 0.01);
  EXPECT_NEAR(*found.modes[2].intensity, 58.10984, 0.01);
}

const std::string matrix =
    "                  0          1          2          3          4          5\n"
    "      0       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      1       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      2       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      3       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      4       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      5       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      6       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      7       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "      8       0.000000   0.000000   0.000000   0.000000   0.000000   0.000000\n"
    "                  6          7          8\n"
    "      0       0.000000   0.000000  -0.070753\n"
    "      1      -0.000000   0.000000   0.000000\n"
    "      2      -0.070490   0.050153  -0.000000\n"
    "      3      -0.429680  -0.583396   0.561447\n"
    "      4       0.000000   0.000000  -0.000000\n"
    "      5       0.559366  -0.397985   0.426936\n"
    "      6       0.429680   0.583396   0.561447\n"
    "      7      -0.000000  -0.000000  -0.000000\n"
    "      8       0.559366  -0.397985  -0.426936\n";

TEST(Vibrations, OfAnOutputOfOrca) {
  const std::string start =
      "                                 * O   R   C   A *\n"
      "---------------------------------\nCARTESIAN COORDINATES (ANGSTROEM)\n---------------------------------\n"
      "  O      0.000000    0.000000    0.008316\n"
      "  H      0.754066    0.000000    0.581724\n"
      "  H     -0.754066    0.000000    0.581724\n\n"
      "-----------------------\nVIBRATIONAL FREQUENCIES\n-----------------------\n\n"
      "Scaling factor for frequencies =  1.000000000  (already applied!)\n\n"
      "   0:         0.00 cm**-1\n   1:         0.00 cm**-1\n   2:         0.00 cm**-1\n   3:         0.00 cm**-1\n"
      "   4:         0.00 cm**-1\n   5:         0.00 cm**-1\n   6:      1826.55 cm**-1\n   7:      4070.46 cm**-1\n"
      "   8:      4188.70 cm**-1\n\n\n------------\nNORMAL MODES\n------------\n\n"
      "These modes are the cartesian displacements weighted by the diagonal matrix\n"
      "M(i,i)=1/sqrt(m[i]) where m[i] is the mass of the displaced atom\n"
      "Thus, these vectors are normalized but *not* orthogonal\n\n" +
      matrix + "\n\n-----------\nIR SPECTRUM\n-----------\n\n";
  const std::string older =
      " Mode    freq (cm**-1)   T**2         TX         TY         TZ\n"
      "-------------------------------------------------------------------\n"
      "   6:      1826.55  107.270380  ( -0.000010   0.000030  10.357141)\n"
      "   7:      4070.46   18.208918  ( -0.000010   0.000030   4.267191)\n"
      "   8:      4188.70   58.109840  (  7.622981   0.000030   0.000000)\n\nThe first frequency is 6\n";
  const std::string newer =
      " Mode   freq       eps      Int      T**2         TX        TY        TZ\n"
      "       cm**-1   L/(mol*cm) km/mol    a.u.\n"
      "----------------------------------------------------------------------------\n"
      "  6:   1826.55   0.021228  107.27  0.003627  (-0.000000  0.000000  0.060220)\n"
      "  7:   4070.46   0.003603   18.21  0.000276  (-0.000000  0.000000  0.016620)\n"
      "  8:   4188.70   0.011499   58.11  0.000857  ( 0.029270 -0.000000  0.000000)\n\n"
      "--------------\nRAMAN SPECTRUM\n--------------\n\n"
      " Mode    freq (cm**-1)   Activity   Depolarization\n"
      "-------------------------------------------------------------------\n"
      "   6:      1826.55      7.200000      0.500000\n   7:      4070.46     60.500000      0.200000\n"
      "   8:      4188.70     30.000000      0.750000\n\n";
  Vibrations found = read_vibrations(written("older.out", start + older));
  expect_water(found, 1e-6);
  EXPECT_FALSE(found.modes[0].raman);
  ASSERT_EQ(found.positions.size(), 3u);
  EXPECT_NEAR(found.positions[1].x, 1.424979, 1e-5);
  found = read_vibrations(written("newer.out", start + newer));
  expect_water(found, 1e-6);
  EXPECT_EQ(found.modes[1].raman, 60.5);
  // An imaginary one is negative.
  std::string saddle = start + older;
  saddle.replace(saddle.find("   6:      1826.55 cm**-1"), 25, "   6:     -826.55 cm**-1 ***imaginary mode***");
  EXPECT_EQ(read_vibrations(written("saddle.out", saddle)).modes[0].frequency, -826.55);
}

TEST(Vibrations, OfAHessianFileOfOrca) {
  const std::string text =
      "\n$orca_hessian_file\n\n$act_atom\n  0\n\n$vibrational_frequencies\n9\n"
      "    0        0.000000\n    1        0.000000\n    2        0.000000\n    3        0.000000\n"
      "    4        0.000000\n    5        0.000000\n    6     1826.553728\n    7     4070.459410\n"
      "    8     4188.704257\n\n$normal_modes\n9 9\n" +
      matrix +
      "\n#\n# The atoms: label  mass x y z (in bohrs)\n#\n$atoms\n3\n"
      " O     15.99900      0.000000000000     0.000000000000     0.015714989076\n"
      " H      1.00800      1.424978995807     0.000000000000     1.099299549508\n"
      " H      1.00800     -1.424978995807     0.000000000000     1.099299549507\n\n";
  const std::string zeros = "      0.00       0.00       0.00       0.0000       0.0000       0.0000\n";
  const std::string infrared = "$ir_spectrum\n9\n" + zeros + zeros + zeros + zeros + zeros + zeros +
                               "   1826.55   0.0212280   107.2703771      -0.0000       0.0000       0.0602\n"
                               "   4070.46   0.0036030    18.2089178      -0.0000       0.0000       0.0166\n"
                               "   4188.70   0.0114990    58.1098397       0.0293      -0.0000       0.0000\n\n$end\n";
  const Vibrations found = read_vibrations(written("water.hess", text + infrared));
  expect_water(found, 1e-6);
  EXPECT_EQ(found.positions[1].x, 1.424978995807);
  EXPECT_THROW(read_vibrations(written("cut.hess", text.substr(0, text.find("      7      -0.000000")))), Error);
}

TEST(Vibrations, OfAnOutputOfPsi4) {
  const std::string text =
      "    Geometry (in Angstrom), charge = 0, multiplicity = 1:\n\n"
      "       Center              X                  Y                   Z               Mass       \n"
      "    ------------   -----------------  -----------------  -----------------  -----------------\n"
      "         O            0.000000000000     0.000000000000     0.008316014140    15.994914619570\n"
      "         H            0.754066410000     0.000000000000     0.581724260000     1.007825032230\n"
      "         H           -0.754066410000     0.000000000000     0.581724260000     1.007825032230\n\n"
      "  ==> Harmonic Vibrational Analysis <==\n\n"
      "  Vibration                       7                   8                   9          \n"
      "  Freq [cm^-1]                1826.5537           4070.4594           4188.7043      \n"
      "  Irrep                           A1                  A1                  B2         \n"
      "  Reduced mass [u]              1.0823              1.0455              1.0828       \n"
      "  Force const [mDyne/A]         2.1274             10.2065             11.1942       \n"
      "  IR activ [KM/mol]           107.2704             18.2089             58.1098       \n"
      "  Char temp [K]               2628.0029           5856.5000           6026.6000      \n"
      "  ----------------------------------------------------------------------------------\n"
      "      1   O                0.00  0.00 -0.07    0.00  0.00  0.05   -0.07  0.00 -0.00  \n"
      "      2   H               -0.43  0.00  0.56   -0.58  0.00 -0.40    0.56 -0.00  0.43  \n"
      "      3   H                0.43  0.00  0.56    0.58  0.00 -0.40    0.56 -0.00 -0.43  \n\n";
  const Vibrations found = read_vibrations(written("psi4.out", text));
  expect_water(found, 0.006);
  EXPECT_EQ(found.modes[2].symmetry, "B2");
  ASSERT_EQ(found.positions.size(), 3u);
  EXPECT_NEAR(found.positions[0].z, 0.015715, 1e-6);
  // A second analysis is the one that counts; imaginary frequencies have an i.
  std::string again = text + text;
  again.replace(again.rfind("1826.5537 "), 10, "826.5537i ");
  EXPECT_EQ(read_vibrations(written("again.out", again)).modes[0].frequency, -826.5537);
}

TEST(Vibrations, OfALogOfGamess) {
  const std::string head =
      " ATOM      ATOMIC                      COORDINATES (BOHR)\n"
      "           CHARGE         X                   Y                   Z\n"
      " O           8.0     0.0000000000        0.0000000000        0.0157149891\n"
      " H           1.0     1.4249789958        0.0000000000        1.0992995495\n"
      " H           1.0    -1.4249789958        0.0000000000        1.0992995495\n\n"
      "     MODES 1 TO 2 ARE TAKEN AS ROTATIONS AND TRANSLATIONS.\n\n"
      "     FREQUENCIES IN CM**-1, IR INTENSITIES IN DEBYE**2/AMU-ANGSTROM**2,\n     REDUCED MASSES IN AMU.\n\n";
  // 1 debye^2/(amu angstrom^2) is 42.2561 km/mol.
  const std::string modes =
      "                            1           2           3           4           5\n"
      "       FREQUENCY:         2.78        1.22     1826.55     4070.46     4188.70  \n"
      "        SYMMETRY:         A           A           A1          A1          B2   \n"
      "    REDUCED MASS:      3.92418     3.77048     1.08229     1.04552     1.08285\n"
      "    IR INTENSITY:      0.00013     0.00001     2.53858     0.43092     1.37518\n\n"
      "  1   O            X  0.00000000  0.00000000  0.00000000  0.00000000 -0.07075251\n"
      "                   Y  0.10000000  0.00000000  0.00000000  0.00000000  0.00000000\n"
      "                   Z  0.00000000  0.10000000 -0.07049032  0.05015333 -0.00000000\n"
      "  2   H            X  0.00000000  0.00000000 -0.42968004 -0.58339553  0.56144681\n"
      "                   Y  0.10000000  0.00000000  0.00000000  0.00000000 -0.00000000\n"
      "                   Z  0.00000000  0.10000000  0.55936626 -0.39798491  0.42693619\n"
      "  3   H            X  0.00000000  0.00000000  0.42968004  0.58339552  0.56144682\n"
      "                   Y  0.10000000  0.00000000  0.00000000  0.00000000 -0.00000000\n"
      "                   Z  0.00000000  0.10000000  0.55936627 -0.39798490 -0.42693619\n\n"
      " TRANS. SAYVETZ    X  0.00000000  0.00000000  0.00000000  0.00000000  0.00000000\n"
      "                   Y  1.80105650  0.00000000  0.00000000  0.00000000  0.00000000\n"
      "                   Z  0.00000000  1.80105650  0.00000000  0.00000000  0.00000000\n\n"
      " REFERENCE ON SAYVETZ CONDITIONS - E.B.WILSON\n";
  const Vibrations found = read_vibrations(written("gamess.log", head + modes));
  expect_water(found, 1e-6);
  EXPECT_EQ(found.modes[0].symmetry, "A1");
  ASSERT_EQ(found.positions.size(), 3u);
  EXPECT_EQ(found.positions[1].x, 1.4249789958);
  // At a saddle point the imaginary mode comes first, and the free ones are after it.
  std::string saddle = head + modes;
  saddle.replace(saddle.find("MODES 1 TO 2"), 12, "MODES 2 TO 3");
  saddle.replace(saddle.find("     2.78  "), 11, "   207.30 I");
  const Vibrations through = read_vibrations(written("saddle.log", saddle));
  ASSERT_EQ(through.modes.size(), 3u);
  EXPECT_EQ(through.modes[0].frequency, -207.30);
  EXPECT_DOUBLE_EQ(*through.modes[0].intensity, 0.00013 * 974.8801 / (4.803204712 * 4.803204712));
  EXPECT_EQ(through.modes[1].frequency, 4070.46);
}

}  // namespace
}  // namespace isolume
