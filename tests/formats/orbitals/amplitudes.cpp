// Amplitudes of excited states in the outputs of Gaussian, ORCA, Q-Chem and Psi4.
#include "formats/orbitals/amplitudes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/isolume_amplitudes_" + name;
  std::ofstream(path) << text;
  return path;
}

/// Two states of 8 occupied and 30 virtual orbitals: 8 -> 9 alone, and 7 -> 9 with 8 -> 11, whose squares are 0.36 and
/// 0.64 of the state.
void expect_states(const Excitations& found, double digits, bool backwards) {
  ASSERT_EQ(found.occupied, 8u);
  ASSERT_EQ(found.virtuals, 30u);
  ASSERT_EQ(found.states.size(), 2u);
  const double half = std::sqrt(0.5);
  const auto at = [](std::size_t from, std::size_t to) { return (from - 1) * 30 + to - 9; };
  EXPECT_NEAR(found.states[0].energy, 4.0197 / units::hartree_in_ev, 2e-6);
  EXPECT_NEAR(found.states[0].x[at(8, 9)], half, digits);
  EXPECT_NEAR(found.states[1].x[at(7, 9)], -0.6 * half, digits);
  EXPECT_NEAR(found.states[1].x[at(8, 11)], 0.8 * half, digits);
  ASSERT_TRUE(found.states[0].strength && found.states[1].strength);
  EXPECT_EQ(*found.states[0].strength, 0.0);
  EXPECT_NEAR(*found.states[1].strength, 0.1716, 5e-5);
  double sum = 0;
  for (const double x : found.states[1].x) sum += x * x;
  EXPECT_NEAR(sum, 0.5, 1e-4);
  EXPECT_TRUE(found.states[1].y.empty());
  ASSERT_EQ(found.states[0].y.empty(), !backwards);
  if (backwards) {
    EXPECT_NEAR(found.states[0].y[at(8, 9)], -0.01 * half, digits);
  }
}

TEST(Amplitudes, OfALogOfGaussian) {
  const std::string head =
      " Entering Gaussian System\n    38 basis functions,    72 primitive gaussians,    40 cartesian basis functions\n"
      "     8 alpha electrons        8 beta electrons\n"
      " NBsUse=    38 1.00D-06 EigRej= -1.00D+00 NBFU=    38\n\n"
      " Excitation energies and oscillator strengths:\n \n";
  const std::string states =
      " Excited State   1:      Singlet-A2     4.0197 eV  308.44 nm  f=0.0000  <S**2>=0.000\n"
      "       8 ->  9         0.70711\n       8 <-  9        -0.00707\n"
      " This state for optimization and/or second-order correction.\n"
      " Total Energy, E(TD-HF/TD-DFT) =  -114.000000000\n \n"
      " Excited State   2:      Triplet-A1     5.1000 eV  243.11 nm  f=0.0000  <S**2>=2.000\n"
      "       7 ->  9         0.70000\n \n"
      " Excited State   3:      Singlet-B2     8.5108 eV  145.68 nm  f=0.1716  <S**2>=0.000\n"
      "       7 ->  9        -0.42426\n       8 -> 11         0.56569\n \n";
  expect_states(read_amplitudes(written("gaussian.log", head + states)), 1e-5, true);
  std::string open = head;
  open.replace(open.find("8 beta"), 6, "7 beta");
  EXPECT_THROW(read_amplitudes(written("open.log", open + states)), Error);
  std::string far = states;
  far.replace(far.find("8 -> 11"), 7, "8 -> 39");
  EXPECT_THROW(read_amplitudes(written("far.log", head + far)), Error) << "there are 38 orbitals";
}

TEST(Amplitudes, OfAnOutputOfOrca) {
  const std::string head =
      "                                 * O   R   C   A *\n"
      " Number of Electrons    NEL             ....   16\n Basis Dimension        Dim             ....   38\n";
  const std::string states =
      "------------------------------------\nTD-DFT/TDA EXCITED STATES "
      "(SINGLETS)\n------------------------------------\n\n"
      "the weight of the individual excitations are printed if larger than 1.0e-02\n\n"
      "STATE  1:  E=   0.147722 au      4.020 eV    32421.2 cm**-1 <S**2> =   0.000000\n"
      "     7a ->   8a  :     1.000000 (c=  1.00000000)\n\n"
      "STATE  2:  E=   0.312765 au      8.511 eV    68643.9 cm**-1 <S**2> =   0.000000\n"
      "     6a ->   8a  :     0.360000 (c= -0.60000000)\n     7a ->  10a  :     0.640000 (c=  0.80000000)\n\n";
  const std::string triplets =
      "TD-DFT/TDA EXCITED STATES (TRIPLETS)\n\nSTATE  1:  E=   0.120000 au      3.265 eV    26337.0 cm**-1\n"
      "     7a ->   8a  :     1.000000 (c=  1.00000000)\n\n";
  const std::string older =
      "         ABSORPTION SPECTRUM VIA TRANSITION ELECTRIC DIPOLE MOMENTS\n"
      "State   Energy    Wavelength  fosc         T2        TX        TY        TZ\n"
      "        (cm-1)      (nm)                 (au**2)    (au)      (au)      (au)\n"
      "   1   32421.2    308.4   0.000000000   0.00000   0.00000   0.00000  -0.00000\n"
      "   2   68643.9    145.7   0.171568526   0.82283  -0.00000   0.90710   0.00000\n\n"
      "         ABSORPTION SPECTRUM VIA TRANSITION VELOCITY DIPOLE MOMENTS\n"
      "   2   68643.9    145.7   0.990000000   0.82283  -0.00000   0.90710   0.00000\n";
  const std::string newer =
      "         ABSORPTION SPECTRUM VIA TRANSITION ELECTRIC DIPOLE MOMENTS\n"
      "     Transition      Energy     Energy  Wavelength fosc(D2)      D2        DX        DY        DZ\n"
      "  0-1A  ->  1-1A    4.019700   32421.2   308.4   0.000000000   0.00000   0.00000   0.00000  -0.00000\n"
      "  0-1A  ->  1-3A    3.265000   26337.0   379.7   0.500000000   0.00000   0.00000   0.00000  -0.00000\n"
      "  0-1A  ->  2-1A    8.510770   68643.9   145.7   0.171568526   0.82283  -0.00000   0.90710   0.00000\n\n";
  expect_states(read_amplitudes(written("orca.out", head + states + older)), 1e-8, false);
  expect_states(read_amplitudes(written("orca6.out", head + states + triplets + newer)), 1e-8, false);
  std::string full = states;
  full.replace(full.find("TD-DFT/TDA"), 10, "TD-DFT");
  EXPECT_THROW(read_amplitudes(written("full.out", head + full)), Error);
  std::string open = states;
  open.replace(open.find("6a ->   8a"), 10, "6b ->   8b");
  EXPECT_THROW(read_amplitudes(written("open.out", head + open)), Error);
}

TEST(Amplitudes, OfAnOutputOfQChem) {
  const std::string text =
      "                  Welcome to Q-Chem\n There are        8 alpha and        8 beta electrons\n"
      " There are 18 shells and 38 basis functions\n"
      " ---------------------------------------------------\n         TDDFT/TDA Excitation Energies\n"
      " ---------------------------------------------------\n\n"
      " Excited state   1: excitation energy (eV) =    3.2000\n Total energy for state  1:  -114.1 au\n"
      "    Multiplicity: Triplet\n    Trans. Mom.:  0.0000 X   0.0000 Y   0.0000 Z\n    Strength   :     0.0000000000\n"
      "    D(    8) --> V(    1) amplitude =  0.9990\n\n"
      " Excited state   2: excitation energy (eV) =    4.0197\n Total energy for state  2:  -114.0 au\n"
      "    Multiplicity: Singlet\n    Trans. Mom.:  0.0000 X   0.0000 Y   0.0000 Z\n    Strength   :     0.0000000000\n"
      "    X: D(    8) --> V(    1) amplitude =  1.0000\n    Y: D(    8) --> V(    1) amplitude = -0.0100\n\n"
      " Excited state   3: excitation energy (eV) =    8.5108\n Total energy for state  3:  -113.9 au\n"
      "    Multiplicity: Singlet\n    Trans. Mom.:  0.0000 X   0.9071 Y   0.0000 Z\n    Strength   :     0.1715685265\n"
      "    D(    7) --> V(    1) amplitude = -0.6000\n    D(    8) --> V(    3) amplitude =  0.8000\n\n";
  expect_states(read_amplitudes(written("qchem.out", text)), 1e-8, true);
  std::string open = text;
  open.replace(open.find("D(    7)"), 8, "S(    1)");
  EXPECT_THROW(read_amplitudes(written("open_qchem.out", open)), Error);
}

/// "1A1 -20.5 ..." of 8 occupied and 30 virtual orbitals: every fourth is of another symmetry, as with C2v.
std::string psi4_energies() {
  const char* const symmetries[] = {"A1", "A2", "B1", "B2"};
  std::string text = "    Orbital Energies [Eh]\n    ---------------------\n\n    Doubly Occupied:\n\n";
  for (int n = 0; n < 38; ++n) {
    if (n == 8) text += "\n\n    Virtual:\n\n";
    text += "    " + std::to_string(n / 4 + 1) + symmetries[n % 4] + "  " + std::to_string(n - 8) + ".5";
    if (n % 3 == 2) text += "\n";
  }
  return text + "\n\n    Final Occupation by Irrep:\n             A1    A2    B1    B2\n    DOCC [  2, 2, 2, 2 ]\n\n";
}

// The lines of tdscf_excitations(): orbital 8 is the second of B2, 7 the second of B1, 9 the third of A1, 11 that of
// B1.
TEST(Amplitudes, OfAnOutputOfPsi4) {
  const std::string head = "    Psi4: An Open-Source Ab Initio Electronic Structure Package\n" + psi4_energies() +
                           "\n\nContributing excitations and de-excitations\n"
                           "Only contributions with abs(coeff) > 1.00e-02 will be printed:\n";
  const std::string states =
      "\nExcited State    1 (3 A2):   0.12000 au   379.70 nm f = 0.0000\n"
      "  Sums of squares: Xssq =  1.000000e+00; Yssq =  0.000000e+00; Xssq - Yssq =  1.000000e+00\n"
      "      2b2  ->   3b1    0.900000 (81.000%)\n"
      "\nExcited State    2 (1 A2):   0.14772 au   308.44 nm f = 0.0000\n"
      "  Sums of squares: Xssq =  1.000100e+00; Yssq =  1.000000e-04; Xssq - Yssq =  1.000000e+00\n"
      "      2b2  ->   3a1    1.000050 (100.010%)\n"
      "      2b2  <-   3a1   -0.010000 ( 0.010%)\n"
      "\nExcited State    3 (1 B2):   0.31277 au   145.68 nm f = 0.1716\n"
      "  Sums of squares: Xssq =  1.000000e+00; Yssq =  0.000000e+00; Xssq - Yssq =  1.000000e+00\n"
      "      2b1  ->   3a1   -0.600000 (36.000%)\n"
      "      2b2  ->   3b1    0.800000 (64.000%)\n\n";
  const Excitations found = read_amplitudes(written("psi4.out", head + states));
  expect_states(found, 1e-4, true);
  const auto refused = [&](const std::string& name, const std::string& text, const char* part) {
    try {
      read_amplitudes(written(name, text));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  std::string open = head;
  open.replace(open.find("Doubly Occupied:"), 16, "Alpha Occupied: ");
  refused("psi4_open.out", open + states, "closed shells");
  std::string other = states;
  other.replace(other.find("2b2  ->   3a1"), 13, "99b2  ->   3a1");
  refused("psi4_other.out", head + other, "orbital 99b2 is none of the 38");
}

TEST(Amplitudes, OfFilesWithoutThemSaySo) {
  EXPECT_THROW(read_amplitudes(written("none.out", "nothing here\n")), Error);
  EXPECT_THROW(read_amplitudes(written("early.log", " Excited State   1:      Singlet-A2     4.0 eV  3 nm  f=0.0\n")),
               Error);
  EXPECT_THROW(read_amplitudes(written("none.json", "{\"n_occ\": 3}")), Error);
}

}  // namespace
}  // namespace isolume
