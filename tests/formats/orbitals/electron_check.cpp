// The electron count of the self-check, and nuclei whose cores are replaced by potentials.
#include "formats/orbitals/electron_check.h"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

FileOrbitals with(std::vector<double> occupations) {
  FileOrbitals file;
  for (const double n : occupations) file.orbitals.emplace_back().occupation = n;
  return file;
}

void expect_complaint(const FileOrbitals& file, const std::string& part) {
  EXPECT_NE(wrong_electrons(file).find(part), std::string::npos) << wrong_electrons(file);
}

TEST(ElectronCount, IsAWholeNumberOfPossibleOccupations) {
  EXPECT_EQ(wrong_electrons(with({2, 2, 1, 0})), "");
  EXPECT_EQ(wrong_electrons(with({1.98, 1.95, 0.05, 0.02})), "") << "natural orbitals";
  EXPECT_EQ(wrong_electrons(with({})), "");
  expect_complaint(with({2, 1.5, 0}), "hold 3.5 electrons, which is no whole number");
  expect_complaint(with({2, 4, 0}), "Orbital 2 holds 4 electrons; it can hold 0 to 2");
  expect_complaint(with({2, -1}), "Orbital 2 holds -1");
  FileOrbitals file = with({2, 1});
  file.orbitals[1].spin = Spin::beta;
  expect_complaint(file, "Orbital 1 holds 2 electrons; it can hold 0 to 1");
}

TEST(ElectronCount, FitsWhatTheFileStates) {
  FileOrbitals file = with({2, 2, 2, 2, 2});
  file.nuclear_charges = {8, 1, 1};
  file.stated_electrons = 10;
  file.stated_charge = 0;
  EXPECT_EQ(wrong_electrons(file), "");
  file.stated_electrons = 9;
  expect_complaint(file, "hold 10 electrons; the file states 9");
  file.stated_electrons = 10;
  file.stated_charge = 1;
  expect_complaint(file, "makes a charge of +0; the file states +1");
  file.stated_charge.reset();
  file.stated_electrons.reset();
  file.nuclear_charges = {53, 1, 1};
  expect_complaint(file, "a charge of +45");
  file.nuclear_charges = {35, 1, 1};  // bromine outside of its argon core: 17 + 2 electrons
  file.orbitals.resize(9);
  for (Orbital& orbital : file.orbitals) orbital.occupation = 2;
  EXPECT_EQ(wrong_electrons(file), "");
  file.orbitals.resize(5);
  file.nuclear_charges = {16, 1, 1};  // an effective core potential, or a cation
  EXPECT_EQ(wrong_electrons(file), "");
}

std::string water() {
  std::ifstream in(test::data("H2O-631Gd-cart.molden"));
  return {std::istreambuf_iterator<char>(in), {}};
}

Molecule read_text_as_molden(std::string text) {
  return read_source(ByteSource::from_bytes(std::move(text), "made.molden"));
}

TEST(ElectronCount, OfAMoldenFileIsChecked) {
  std::string text = water();
  EXPECT_TRUE(read_text_as_molden(text).warnings.empty());
  const std::size_t occupation = text.find("Occup=");
  ASSERT_NE(occupation, std::string::npos);
  const std::size_t end = text.find('\n', occupation);
  text.replace(occupation, end - occupation, "Occup= 1.5");
  const Molecule molecule = read_text_as_molden(text);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("9.5 electrons, which is no whole number"), std::string::npos)
      << molecule.warnings[0];
  EXPECT_TRUE(molecule.orbitals_at(0)) << "it still opens";
}

// As PySCF writes them: the charge without the core is in [Atoms], the core's electrons in [core].
TEST(EffectiveCores, DoNotChangeTheElement) {
  const std::string head = "[Molden Format]\n[Atoms] (AU)\n", gto = "[GTO]\n1 0\n s 1 1.0\n 1.0 1.0\n\n";
  const std::string orbitals = "[MO]\n Sym= A\n Ene= -0.5\n Spin= Alpha\n Occup= 2.0\n 1 1.0\n";
  const std::string carbons = "C 2 6 0 0 3\nC 3 6 0 0 6\nC 4 6 0 0 9\n";
  for (const char* section : {"[core]\n1 : 10\n", "[Pseudo]\nFe 1 16\n"}) {
    for (const char* number : {"16", "26"}) {
      const Molecule molecule =
          read_text_as_molden(head + "Fe 1 " + number + " 0 0 0\n" + carbons + gto + section + orbitals);
      EXPECT_EQ(molecule.topology->atoms[0].element, 26) << section << number;
      ASSERT_EQ(molecule.warnings.size(), 1u);
      EXPECT_NE(molecule.warnings[0].find("The nuclei have 34 charges"), std::string::npos) << molecule.warnings[0];
    }
  }
  EXPECT_EQ(read_text_as_molden(head + "S 1 16 0 0 0\n" + gto + orbitals).topology->atoms[0].element, 16);
  EXPECT_THROW(read_text_as_molden(head + "S 1 16 0 0 0\n[core]\n2 : 10\n" + gto + orbitals), Error);
  EXPECT_NO_THROW(read_text_as_molden("[Molden Format]\n[core]\n2 : 10\n[Atoms] AU\nS 1 16 0 0 0\n" + gto + orbitals));
}

// Molybdenum without 28 electrons and four chlorines without 10 each, charge -2: 120 - 68 = 52 electrons.
TEST(EffectiveCores, OfAGamessLogAreTakenFromItsPotentials) {
  const std::string path = test::shared_data("qm/cclib_gamess/MoOCl4-sp.out");
  ISOLUME_NEEDS(path);
  std::ifstream in(path);
  std::string text(std::istreambuf_iterator<char>(in), {});
  const auto warnings = [&] { return read_source(ByteSource::from_bytes(text, "made.out")).warnings; };
  EXPECT_TRUE(warnings().empty());
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("ON ATOM    6 ARE THE SAME AS ATOM   3", "ON ATOM    6 ARE NOT TO BE SEEN AT ALL");
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_NE(warnings()[0].find("The nuclei have 60 charges and the orbitals hold 52 electrons, which makes a charge of "
                               "+8; the file states -2"),
            std::string::npos)
      << warnings()[0];
  replace("ON ATOM    5 ARE THE SAME AS ATOM   3", "ON ATOM    5 ARE THE SAME AS ATOM   2");
  EXPECT_THROW(warnings(), Error) << "atom 2 has none";
}

/// Sodium with ten electrons of its core in a potential and hydrogen 20 A away: the orbitals are single functions. As
/// Gaussian 09 prints it with pop=full gfinput; rows of centres without a potential end after the atomic number, or
/// have the coordinates (Gaussian 03).
std::string gaussian_log(const std::string& potential_of_sodium, const std::string& potential_of_hydrogen) {
  const std::string rule = " " + std::string(102, '=') + "\n";
  return " Entering Gaussian System, Link 0=g09\n Charge =  0 Multiplicity = 1\n" + std::string(26, ' ') +
         "Standard orientation:\n ---\n Center Atomic Atomic Coordinates (Angstroms)\n Number Number Type X Y Z\n ---\n"
         "      1         11           0        0.000000    0.000000    0.000000\n"
         "      2          1           0        0.000000    0.000000   20.000000\n ---\n"
         " Standard basis: LANL2MB (5D, 7F)\n"
         " AO basis set in the form of general basis input (Overlap normalization):\n"
         "  1 0\n S   1 1.00       0.000000000000\n      0.5000000000D+00  0.1000000000D+01\n ****\n"
         "  2 0\n S   1 1.00       0.000000000000\n      0.8000000000D+00  0.1000000000D+01\n ****\n\n" +
         rule + std::string(39, ' ') + "Pseudopotential Parameters\n" + rule +
         "  Center     Atomic      Valence      Angular      Power\n"
         "  Number     Number     Electrons     Momentum     of R      Exponent        Coefficient   SO-Coeffient\n" +
         rule + potential_of_sodium + potential_of_hydrogen + rule +
         "     1 alpha electrons        1 beta electrons\n     Molecular Orbital Coefficients:\n"
         "                           1         2\n"
         "                           (A1)--O   (A1)--V\n"
         "     Eigenvalues --    -0.50000   0.10000\n"
         "   1 1   Na 1S          1.00000   0.00000\n"
         "   2 2   H  1S          0.00000   1.00000\n     Density Matrix:\n";
}

TEST(EffectiveCores, OfAGaussianLogAreTakenFromItsTable) {
  const std::string sodium =
      "    1         11             1\n                                      F and up\n"
      "                                                     1      175.5502590      -10.0000000    0.0000000\n"
      "                                                     2       35.0516791      -47.4902024    0.0000000\n"
      "                                      S - F\n"
      "                                                     0      243.3605846        3.0000000    0.0000000\n";
  const std::string none = "                                   No pseudopotential on this center.\n";
  const auto read = [](const std::string& text) { return read_source(ByteSource::from_bytes(text, "made.log")); };
  for (const char* hydrogen : {"    2          1\n", "    2          1      0.000000   0.000000  37.794523\n"}) {
    const Molecule molecule = read(gaussian_log(sodium, hydrogen + none));
    EXPECT_TRUE(molecule.warnings.empty()) << molecule.warnings[0];
    ASSERT_TRUE(molecule.orbitals_at(0));
    EXPECT_EQ(molecule.topology->atoms[0].element, 11);
  }
  const Molecule molecule = read(gaussian_log("    1         11\n" + none, "    2          1\n" + none));
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("The nuclei have 12 charges and the orbitals hold 2 electrons, which makes a "
                                      "charge of +10; the file states +0"),
            std::string::npos)
      << molecule.warnings[0];
  EXPECT_THROW(read(gaussian_log("    1         12             2\n", "")), Error) << "sodium is not magnesium";
  EXPECT_THROW(read(gaussian_log("    3         11             1\n", "")), Error) << "there are two atoms";
  EXPECT_THROW(read(gaussian_log("    1         11            12\n", "")), Error) << "more electrons than charges";
}

}  // namespace
}  // namespace isolume
