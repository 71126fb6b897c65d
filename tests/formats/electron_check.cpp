// The electron count of the self-check, and nuclei whose cores are replaced by potentials.
#include "formats/electron_check.h"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/read.h"
#include "molecule/error.h"
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

// As PySCF writes them: the charge without the core stands in [Atoms], the core's electrons in [core].
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

}  // namespace
}  // namespace isolume
