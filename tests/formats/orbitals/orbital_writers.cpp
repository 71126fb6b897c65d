// Habits of single programs that the self-check of orbitals alone does not
// find.
#include <fmt/format.h>

#include "formats/orbitals/orbital_assembly.h"
#include "molecule/quantum/orbital_doubt.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;

const std::string hydrogen =
    "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 "
    "0\n[GTO]\n1 0\ns 1 1.00\n 1.0 1.0\n\n";

std::string orbital(const std::string& spin, double occupation, const std::string& rows, double energy = -0.5) {
  return fmt::format("Ene= {}\nSpin= {}\nOccup= {}\n{}", energy, spin, occupation, rows);
}

bool says(const std::vector<std::string>& texts, const std::string& words) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

// Molpro writes the beta orbitals as a second file behind the first.
TEST(OrbitalWriters, AlphaAndBetaInTwoPartsAreOneFrame) {
  const std::string alpha = hydrogen + "[MO]\n" + orbital("Alpha", 1, "1 1.0\n");
  const std::string beta = hydrogen + "[MO]\n" + orbital("Beta", 1, "1 1.0\n");
  const Molecule molecule = read_text(alpha + beta, "molpro.molden");
  EXPECT_EQ(molecule.frame_count(), 1u);
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  EXPECT_TRUE(orbitals.unrestricted);
  EXPECT_EQ(orbitals.count(Spin::beta), 1u);
  EXPECT_DOUBLE_EQ(orbitals.electron_count(), 2);
  // Two parts with the same spin, or in other places, are two frames.
  EXPECT_EQ(read_text(alpha + alpha, "twice.molden").frame_count(), 2u);
  std::string moved = beta;
  moved.replace(moved.find("H 1 1 0 0 0"), 11, "H 1 1 0 0 9");
  EXPECT_EQ(read_text(alpha + moved, "moved.molden").frame_count(), 2u);
}

TEST(OrbitalWriters, MolprosWaterHasTenElectrons) {
  const std::string path = shared_data("found/h2o_uhf_cart.molden");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.frame_count(), 1u);
  EXPECT_DOUBLE_EQ(molecule.orbitals_at(0)->electron_count(), 10);
  EXPECT_EQ(molecule.orbitals_at(0)->count(Spin::beta), 25u);
}

// "[Core]" with an element where the format has the number of an atom: the
// electrons of the core of all its atoms. The atomic number in [Atoms] is then
// the charge of the core.
TEST(OrbitalWriters, CoresMayNameElements) {
  const std::string atoms = "[Molden Format]\n[Atoms] AU\nC 1 4 0 0 0\nC 2 4 0 0 9\nH 3 1 0 9 0\n";
  const std::string rest = "[GTO]\n1 0\ns 1 1.00\n 1.0 1.0\n\n[MO]\n" + orbital("Alpha", 2, "1 1.0\n");
  const Molecule molecule = read_text(atoms + "[Core]\nC : 2\n" + rest, "element.molden");
  EXPECT_EQ(molecule.topology->atoms[0].element, 6);
  EXPECT_EQ(molecule.topology->atoms[1].element, 6);
  EXPECT_EQ(molecule.topology->atoms[2].element, 1);
  EXPECT_TRUE(says(molecule.warnings, "[Core] names the element \"C\""));
  const Molecule odd = read_text(atoms + "[Core]\n1 : 2\nnonsense\nXe : 2\n" + rest, "odd.molden");
  EXPECT_EQ(odd.topology->atoms[0].element, 6);
  EXPECT_TRUE(says(odd.warnings, "A line of [Core] is ignored (line 8): \"nonsense\""));
  EXPECT_TRUE(says(odd.warnings, "A line of [Core] is ignored (line 9)"));
}

TEST(OrbitalWriters, CoresOfElementsInAFile) {
  const std::string path = shared_data("found/ecp.mol");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  EXPECT_EQ(molecule.topology->atoms[0].element, 18);
  EXPECT_EQ(molecule.topology->atoms[1].element, 6);
  EXPECT_LT(molecule.orbitals_at(0)->norm_residual, 1e-5);
}

// The h functions of an atom, undeclared as ORCA leaves them, each an orbital:
// nothing but the title tells that those of |m| = 3 and 4 have the opposite
// sign. Places go from m = -5 to 5.
TEST(OrbitalWriters, OrcasSignsOfAnAtomFollowFromTheTitle) {
  std::string text =
      "[Molden Format]\n[Title]\n Molden file created by "
      "orca_2mkl\n[Atoms] AU\nAr 1 18 0 0 0\n[GTO]\n1 0\n";
  text += "h 1 1.0\n 1.0 1.0\n\n[5D]\n[7F]\n[9G]\n[MO]\n";
  for (int i = 1; i <= 11; ++i) text += orbital("Alpha", i < 10 ? 2 : 0, fmt::format("{} 1.0\n", i));
  const auto orbitals = read_text(text, "argon.molden").orbitals_at(0);
  ASSERT_EQ(orbitals->basis->function_count(), 11u);
  EXPECT_LT(orbitals->norm_residual, 1e-10);
  for (int n = 0; n < 11; ++n) {
    const int m = n % 2 == 1 ? (n + 1) / 2 : -n / 2;
    const double sign = std::abs(m) == 3 || std::abs(m) == 4 ? -1 : 1;
    EXPECT_EQ(orbitals->row(static_cast<std::size_t>(n))[static_cast<std::size_t>(m + 5)], sign) << m;
  }
}

// Psi4 writes Cartesian g functions in Molden's order into a Gaussian
// checkpoint: the first and the fifth are xxxx and xxxz, which do not overlap;
// in Gaussian's order they would be zzzz and yyyy, which do.
TEST(OrbitalWriters, Psi4sCheckpointsHaveMoldensOrderOfG) {
  const auto number = [](const char* name, int value) { return fmt::format("{:<43}I{:>17}\n", name, value); };
  const auto array = [](const char* name, char type, std::vector<double> values) {
    std::string text = fmt::format("{:<43}{}   N={:>12}\n", name, type, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += type == 'I' ? fmt::format("{:>12}", static_cast<int>(values[i])) : fmt::format("{:16.8E}", values[i]);
      if (i + 1 == values.size() || i % 5 == 4) text += '\n';
    }
    return text;
  };
  std::vector<double> coefficients(30, 0.0);
  coefficients[0] = 1;
  coefficients[15 + 4] = 1;
  const std::string text = "Generated by Psi4\nSP        RHF       MADE-UP\n" + number("Number of atoms", 1) +
                           number("Charge", 0) + number("Multiplicity", 1) + number("Number of electrons", 2) +
                           number("Number of alpha electrons", 1) + number("Number of beta electrons", 1) +
                           number("Number of basis functions", 15) + array("Atomic numbers", 'I', {2}) +
                           array("Nuclear charges", 'R', {2}) + array("Current cartesian coordinates", 'R', {0, 0, 0}) +
                           array("Shell types", 'I', {4}) + array("Number of primitives per shell", 'I', {1}) +
                           array("Shell to atom map", 'I', {1}) + array("Primitive exponents", 'R', {1}) +
                           array("Contraction coefficients", 'R', {1}) + array("Alpha Orbital Energies", 'R', {-1, 1}) +
                           array("Alpha MO coefficients", 'R', coefficients);
  std::string nan = text;
  nan.replace(nan.find('\n', nan.find("Number of beta electrons")) - 3, 3, "NaN");
  test::expect_error(nan, "nan.fchk", 8, "Number of beta electrons: \"NaN\" is no integer");
  const Molecule molecule = read_text(text, "g.fchk");
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  EXPECT_LT(orbitals.norm_residual, 1e-10);
  EXPECT_EQ(orbitals.row(0)[cartesian_index({4, 0, 0})], 1);
  EXPECT_EQ(orbitals.row(1)[cartesian_index({3, 0, 1})], 1);
  EXPECT_TRUE(says(molecule.warnings, "Molden's order (Psi4)"));
}

TEST(OrbitalWriters, Psi4sWaterWithCartesianGIsOrthonormal) {
  const std::string path = shared_data("found/h2o_g_cart.fchk");
  ISOLUME_NEEDS(path);
  EXPECT_LT(read_file(path).orbitals_at(0)->norm_residual, 1e-6);
}

// CFOUR repeats the occupations for energies: by energy a core orbital would be
// the highest occupied one. Ethylene has 8 pairs of electrons, so natural
// orbitals 8 and 9 are the frontier.
TEST(OrbitalWriters, NaturalOrbitalsGoByOccupation) {
  const std::string path = shared_data("found/cfour_C2H4_MOLDEN_NAT");
  ISOLUME_NEEDS(path);
  const auto orbitals = read_file(path).orbitals_at(0);
  EXPECT_EQ(orbitals->homo(), 7u);
  EXPECT_EQ(orbitals->lumo(), 8u);
}

// GAMESS (US) punches a wave function between other data.
TEST(OrbitalWriters, AWaveFunctionOfAGamessPunchFile) {
  const std::string wave =
      "hydrogen\nGAUSSIAN              1 MOL ORBITALS      1 PRIMITIVES        "
      "1 NUCLEI\n"
      "  H    1    (CENTRE  1)   0.00000000  0.00000000  0.00000000  CHARGE =  "
      "1.0\n"
      "CENTRE ASSIGNMENTS    1\nTYPE ASSIGNMENTS      1\nEXPONENTS  "
      "1.0000000E+00\n"
      "MO  1                     OCC NO =   1.00000000 ORB. ENERGY =  "
      "-0.42441318\n  7.12705470E-01\nEND DATA\n";
  const std::string text =
      " $DATA\nhydrogen\n $END\n----- TOP OF INPUT FILE "
      "FOR BADER'S AIMPAC PROGRAM -----\n" +
      wave +
      "RHF      ENERGY =  -0.42\n----- END OF INPUT FILE "
      "FOR BADER'S AIMPAC PROGRAM -----\n";
  const Molecule molecule = read_text(text, "punch.dat");
  EXPECT_EQ(molecule.format, "WFN");
  ASSERT_EQ(molecule.orbitals_at(0)->count(), 1u);
  EXPECT_LT(molecule.orbitals_at(0)->norm_residual,
            1e-6);  // (2/pi)^(3/4) exp(-r^2) has the norm 1
  std::string cut = text;
  cut.resize(cut.find("END DATA"));
  test::expect_error(cut, "cut.wfn", 13, "END DATA");
}

// The sentence that warns of misread orbitals, and from where on they are
// refused.
TEST(OrbitalWriters, DoubtFollowsTheSelfCheck) {
  const auto read = [](const std::string& coefficient) {
    return read_text(hydrogen + "[MO]\n" + orbital("Alpha", 1, "1 " + coefficient + "\n"), "h.molden").orbitals_at(0);
  };
  EXPECT_EQ(orbital_doubt(counted_residual(*read("1.0"), true)), "");
  EXPECT_NEAR(counted_residual(*read("1.005"), true), 0.010025, 1e-12);  // 1.005^2 - 1
  EXPECT_NE(orbital_doubt(0.010025).find("residual 0.01)"), std::string::npos) << orbital_doubt(0.010025);
  EXPECT_GT(counted_residual(*read("1.2"), true), refused_residual);
  const std::string both = orbital("Alpha", 1, "1 1.0\n") + orbital("Alpha", 0, "1 2.0\n", 0.5);
  const auto virtuals = read_text(hydrogen + "[MO]\n" + both, "virtual.molden").orbitals_at(0);
  EXPECT_LT(counted_residual(*virtuals, true), 1e-12);
  EXPECT_NEAR(counted_residual(*virtuals, false), 3, 1e-12);  // 2^2 - 1
}

}  // namespace
}  // namespace isolume
