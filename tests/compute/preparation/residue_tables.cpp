// The built-in tables of residues: whole charges, and the same atoms in every set.
#include "compute/preparation/residue_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace isolume {
namespace {

constexpr ChargeSet sets[] = {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse};

/// The charge that chemistry gives a residue.
int whole_charge(std::string name) {
  static const std::map<std::string, int> charged{{"ARG", 1},  {"LYS", 1},  {"HIP", 1},  {"ASP", -1}, {"GLU", -1},
                                                  {"CYM", -1}, {"TYM", -1}, {"SEP", -2}, {"TPO", -2}, {"PTR", -2},
                                                  {"HEM", -2}, {"AMP", -2}, {"ADP", -3}, {"ATP", -4}, {"NAD", -1},
                                                  {"NAI", -2}, {"NAP", -2}, {"NDP", -3}};
  int charge = 0;
  if (name.size() == 4) {
    charge = name[0] == 'N' ? 1 : -1;
    name.erase(0, 1);
  }
  const auto found = charged.find(name);
  return charge + (found == charged.end() ? 0 : found->second);
}

TEST(ResidueTables, HaveWholeCharges) {
  for (const ChargeSet set : sets) {
    std::size_t amino = 0;
    for (const ChargedResidue& residue : charged_residues(set)) {
      double sum = 0;
      for (const ChargedResidue::Atom& atom : residue.atoms) sum += atom.charge;
      const std::string what = std::string(charge_set_name(set)) + " " + residue.name;
      EXPECT_NEAR(sum, residue.total, 2e-5) << what;
      const bool nucleic = residue.name[0] == 'D' || residue.name[0] == 'R';
      if (nucleic && residue.name.size() < 4 && residue.name != "RB") continue;
      if (residue.atoms.size() == 1) {
        EXPECT_EQ(sum, std::round(sum)) << what;
        continue;
      }
      ++amino;
      EXPECT_NEAR(sum, whole_charge(residue.name), 2e-5) << what;
    }
    EXPECT_GT(amino, 80u);
  }
}

TEST(ResidueTables, MakeStrandsWithWholeCharges) {
  // A strand of n nucleotides with hydroxyls at both ends has n - 1 phosphates.
  for (const ChargeSet set : sets) {
    std::size_t found = 0;
    for (const char* base : {"DA", "DC", "DG", "DT", "RA", "RC", "RG", "RU"}) {
      const std::string name = base;
      const ChargedResidue* middle = charged_residue(set, name);
      if (!middle) continue;
      ++found;
      EXPECT_NEAR(middle->total, -1, 1e-9) << name;
      const ChargedResidue *first = charged_residue(set, name + "5"), *last = charged_residue(set, name + "3");
      ASSERT_TRUE(first && last) << name;
      EXPECT_NEAR(first->total + last->total, -1, 1e-9) << name;
    }
    EXPECT_EQ(found, set == ChargeSet::parse ? 4u : 8u);
  }
}

TEST(ResidueTables, AreKnownValues) {
  // Alanine of Cornell et al. 1995 (ff94 and later), of CHARMM22 and later, and of PARSE.
  const double ca[] = {0.0337, 0.07, 0.0}, o[] = {-0.5679, -0.51, -0.55};
  for (std::size_t i = 0; i < 3; ++i) {
    const ChargedResidue* alanine = charged_residue(sets[i], "ALA");
    ASSERT_TRUE(alanine);
    EXPECT_EQ(alanine->atoms[alanine->find("CA")].charge, ca[i]);
    EXPECT_EQ(alanine->atoms[alanine->find("O")].charge, o[i]);
  }
  EXPECT_NEAR(charged_residue(ChargeSet::ff14sb, "ALA")->atoms[0].radius, 1.824, 1e-4);
  EXPECT_NEAR(charged_residue(ChargeSet::charmm36, "ALA")->atoms[0].radius, 1.85, 1e-4);
  EXPECT_NEAR(charged_residue(ChargeSet::parse, "ALA")->atoms[0].radius, 1.5, 1e-4);
  EXPECT_EQ(charged_residue(ChargeSet::parse, "DA"), nullptr);
}

TEST(ResidueTables, NameTheSameAtomsInAllSets) {
  for (const ChargedResidue& residue : charged_residues(ChargeSet::ff14sb)) {
    for (const ChargeSet other : {ChargeSet::charmm36, ChargeSet::parse}) {
      const ChargedResidue* same = charged_residue(other, residue.name);
      if (!same) continue;
      std::set<std::string> here, there;
      for (const auto& atom : residue.atoms) here.insert(atom.name);
      for (const auto& atom : same->atoms) there.insert(atom.name);
      EXPECT_EQ(here, there) << residue.name;
    }
  }
}

TEST(ResidueTables, BondEveryHydrogenOnce) {
  for (const ChargedResidue& residue : charged_residues(ChargeSet::charmm36)) {
    for (const auto& atom : residue.atoms) {
      if (atom.element != 1) continue;
      ASSERT_EQ(atom.neighbours.size(), 1u) << residue.name << " " << atom.name;
      EXPECT_NE(residue.atoms[atom.neighbours[0]].element, 1);
    }
  }
}

}  // namespace
}  // namespace isolume
