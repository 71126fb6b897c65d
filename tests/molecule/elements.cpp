// The table of elements against its sources, and guesses of elements as the field makes them.
#include "molecule/elements.h"
#include "molecule/element_guess.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace isolume {
namespace {

TEST(Elements, TableAgreesWithItsSources) {
  struct Known {
    int number;
    const char* symbol;
    float mass, covalent, vdw;  // IUPAC 2021; Cordero 2008; Bondi 1964 or Alvarez 2013
  };
  for (const Known& k : {Known{1, "H", 1.008f, 0.31f, 1.20f}, Known{6, "C", 12.011f, 0.76f, 1.70f},
                         Known{7, "N", 14.007f, 0.71f, 1.55f}, Known{8, "O", 15.999f, 0.66f, 1.52f},
                         Known{16, "S", 32.06f, 1.05f, 1.80f}, Known{17, "Cl", 35.45f, 1.02f, 1.75f},
                         Known{20, "Ca", 40.078f, 1.76f, 2.62f}, Known{26, "Fe", 55.845f, 1.32f, 2.44f},
                         Known{53, "I", 126.90f, 1.39f, 1.98f}, Known{79, "Au", 196.97f, 1.36f, 1.66f},
                         Known{92, "U", 238.03f, 1.96f, 1.86f}, Known{118, "Og", 294.0f, 1.60f, 2.00f}}) {
    EXPECT_EQ(element(k.number).symbol, k.symbol);
    EXPECT_FLOAT_EQ(element(k.number).mass, k.mass) << k.symbol;
    EXPECT_FLOAT_EQ(element(k.number).covalent_radius, k.covalent) << k.symbol;
    EXPECT_FLOAT_EQ(element(k.number).vdw_radius, k.vdw) << k.symbol;
  }
}

TEST(Elements, EverySymbolIsFoundAgain) {
  std::set<std::string_view> names;
  for (int z = 1; z < element_count; ++z) {
    EXPECT_EQ(element_from_symbol(element(z).symbol), z);
    EXPECT_TRUE(names.insert(element(z).name).second);
    EXPECT_GT(element(z).mass, 1);
    EXPECT_GT(element(z).covalent_radius, 0.2f);
    EXPECT_GT(element(z).vdw_radius, 1.1f);
  }
  EXPECT_EQ(element_from_symbol("CL"), 17);
  EXPECT_EQ(element_from_symbol("cl"), 17);
  EXPECT_EQ(element_from_symbol(" c "), 6);
  EXPECT_EQ(element_from_symbol("D"), 1);
  for (const char* none : {"", "X", "Qq", "Carbon", "1", "C1"}) EXPECT_EQ(element_from_symbol(none), 0) << none;
  EXPECT_EQ(element(-1).symbol, "X");
  EXPECT_EQ(element(400).symbol, "X");
}

TEST(Elements, GuessesAsTheFieldDoes) {
  struct Guess {
    const char *name, *residue;
    double mass;
    const char* symbol;
  };
  for (const Guess& g : {Guess{"CA", "ALA", 0, "C"},
                         Guess{"CA", "CA", 0, "Ca"},
                         Guess{"HG11", "VAL", 0, "H"},
                         Guess{"1HB", "SER", 0, "H"},
                         Guess{"OW", "SOL", 0, "O"},
                         Guess{"HW1", "SOL", 0, "H"},
                         Guess{"MW", "SOL", 0, "X"},
                         Guess{"NA+", "NA+", 0, "Na"},
                         Guess{"NA", "NA", 0, "Na"},
                         Guess{"NA", "HEM", 0, "N"},
                         Guess{"FE", "HEM", 0, "Fe"},
                         Guess{"CL", "CL", 0, "Cl"},
                         Guess{"CLA", "CLA", 0, "Cl"},
                         Guess{"SOD", "SOD", 0, "Na"},
                         Guess{"POT", "POT", 0, "K"},
                         Guess{"CL-", "CL-", 0, "Cl"},
                         Guess{"ZN", "ZN", 0, "Zn"},
                         Guess{"MG", "MG", 0, "Mg"},
                         Guess{"CL1", "LIG", 0, "Cl"},
                         Guess{"BR2", "LIG", 0, "Br"},
                         Guess{"C12", "LIG", 0, "C"},
                         Guess{"SG", "CYS", 0, "S"},
                         Guess{"SE", "MSE", 0, "Se"},
                         Guess{"NE2", "HIS", 0, "N"},
                         Guess{"HG", "SER", 0, "H"},
                         Guess{"HG", "HG", 0, "Hg"},
                         Guess{"CD", "GLU", 0, "C"},
                         Guess{"CD", "CD", 0, "Cd"},
                         Guess{"O5'", "DA", 0, "O"},
                         Guess{"P", "DG", 0, "P"},
                         Guess{"C218", "POPC", 0, "C"},
                         Guess{"D1", "DOD", 0, "H"},
                         Guess{"BB", "ALA", 72, "X"},
                         Guess{"SC1", "LYS", 72, "X"},
                         Guess{"CA", "XYZ", 40.08, "Ca"},
                         Guess{"CA", "XYZ", 12.01, "C"},
                         Guess{"opls_1", "XYZ", 15.9994, "O"},
                         Guess{"HB1", "ALA", 3.024, "H"},
                         Guess{"CB", "ALA", 5.963, "C"},
                         Guess{"O", "WAT", 11.968, "O"},   // gave 2.016 Da to each of two hydrogens
                         Guess{"N", "ALA", 11.994, "N"},   // to one
                         Guess{"NZ", "LYS", 7.962, "N"},   // to three
                         Guess{"C1", "LIG", 15.999, "O"},  // nothing explains more mass
                         Guess{"N1", "LIG", 11.994, "C"},  // in an unknown residue the mass decides
                         Guess{"", "", 0, "X"},
                         Guess{"Si", "", 0, "Si"},
                         Guess{"Na", "", 0, "Na"}}) {
    EXPECT_EQ(element(guess_element(g.name, g.residue, g.mass)).symbol, g.symbol)
        << g.name << " in " << g.residue << " mass " << g.mass;
  }
}

// What a type, or heavy hydrogens elsewhere in the file, say of an atom whose mass is that of another element.
TEST(Elements, TypesAndHeavyHydrogensExplainMissingMass) {
  const auto guess = [](const char* name, const char* type, bool took_mass) {
    return guess_element({name, "LIG", type, 11.994, took_mass});
  };
  EXPECT_EQ(guess("N1", "n3", false).element, 7);
  EXPECT_EQ(guess("N1", "NG311", false).element, 7);
  EXPECT_EQ(guess("N1", "", true).element, 7);
  EXPECT_EQ(guess("N1", "opls_287", true).element, 7);
  EXPECT_EQ(guess("N1", "CT", true).element, 6);
  EXPECT_EQ(guess("N1", "c3", false).by, ElementGuess::By::mass);
  EXPECT_EQ(guess("N1", "n3", false).by, ElementGuess::By::name);
  EXPECT_TRUE(has_taken_mass("HB1", "ALA", 3.024));
  EXPECT_FALSE(has_taken_mass("HB1", "ALA", 1.008));
  EXPECT_FALSE(has_taken_mass("D1", "DOD", 2.014));
  EXPECT_FALSE(has_taken_mass("CB", "ALA", 3.024));
}

}  // namespace
}  // namespace isolume
