// The force field of a PSF's terms: wildcards of types, and bonds that no molecule has.
#include <gtest/gtest.h>

#include <cmath>

#include "molecule/force_field/charmm_lookup.h"

namespace isolume {
namespace {

/// Atoms of these types, each with a charge of 0 and a mass of 1.
struct System {
  Topology topology;
  CharmmTerms terms;

  explicit System(const std::vector<std::string>& types) {
    for (const std::string& type : types) {
      Atom atom;
      atom.type = type;
      topology.atoms.push_back(atom);
    }
    terms.charges.assign(types.size(), 0.0);
    terms.masses.assign(types.size(), 1.0);
  }
};

TEST(CharmmPatterns, fit_as_documented) {
  const auto fits = [](const char* pattern, const char* type) { return charmm_pattern_fits(pattern, type); };
  EXPECT_TRUE(fits("C*", "C") && fits("C*", "CT1") && fits("*", "X") && fits("*A*1", "HGA1"));
  EXPECT_FALSE(fits("C*", "NC") || fits("*A*1", "HGA2"));
  EXPECT_TRUE(fits("H%", "HC") && fits("%%", "O1"));
  EXPECT_FALSE(fits("H%", "H") || fits("H%", "HC1"));
  EXPECT_TRUE(fits("CT#", "CT") && fits("CT#", "CT12") && fits("CT+", "CT1"));
  EXPECT_FALSE(fits("CT#", "CTA") || fits("CT+", "CT") || fits("CT+", "CT12"));
  EXPECT_TRUE(is_charmm_pattern("H*") && !is_charmm_pattern("HA1"));
}

TEST(CharmmForceFieldRadii, of_patterns_stand_behind_those_of_names) {
  const System s({"CT1", "CT2", "OW"});
  CharmmParameters p;
  p.radii["C*"] = {0.1, 2, 0.1, 2};
  p.radii["CT2"] = {0.4, 1, 0.4, 1};
  p.radii["O%"] = {0.9, 1.5, 0.9, 1.5};
  p.pairs[charmm_key(CharmmParameters::Types<2>{"OW", "CT+"})] = {0.5, 3, 0.5, 3};
  p.pairs[charmm_key(CharmmParameters::Types<2>{"OW", "CT2"})] = {0.25, 4, 0.25, 4};
  const ForceField f = charmm_force_field(s.topology, s.terms, p);
  // B = 2 eps Rmin^6, Rmin the sum of both halves.
  EXPECT_DOUBLE_EQ(f.lj_b[0], 2 * 0.1 * std::pow(4.0, 6));
  EXPECT_DOUBLE_EQ(f.lj_b[3 + 1], 2 * 0.4 * std::pow(2.0, 6));
  EXPECT_DOUBLE_EQ(f.lj_b[2], 2 * 0.5 * std::pow(3.0, 6));
  EXPECT_DOUBLE_EQ(f.lj_b[3 + 2], 2 * 0.25 * std::pow(4.0, 6));
  EXPECT_DOUBLE_EQ(f.lj_b[6 + 1], f.lj_b[3 + 2]);
}

std::string message(const System& s, const CharmmParameters& p) {
  try {
    charmm_force_field(s.topology, s.terms, p);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "none";
}

TEST(CharmmForceFieldRadii, of_two_patterns_that_differ_are_refused) {
  const System s({"HC1"});
  CharmmParameters p;
  p.radii["H*"] = {0.1, 2, 0.1, 2};
  p.radii["HC%"] = {0.1, 2, 0.1, 2};
  EXPECT_EQ(message(s, p), "none");
  p.radii["HC%"].depth = 0.2;
  EXPECT_NE(message(s, p).find("H* and HC%"), std::string::npos) << message(s, p);
  p.radii.clear();
  p.radii["C*"] = {0.1, 2, 0.1, 2};
  EXPECT_NE(message(s, p).find("Lennard-Jones HC1"), std::string::npos) << message(s, p);
}

TEST(CharmmForceFieldExclusions, of_bonds_that_no_molecule_has_are_refused) {
  // A tree of three generations: width^3 atoms three bonds from the first.
  const auto tree = [](std::uint32_t width) {
    std::uint32_t atoms = 1, begin = 0;
    std::vector<std::array<std::uint32_t, 2>> bonds;
    for (int generation = 0; generation < 3; ++generation) {
      const std::uint32_t end = atoms;
      for (std::uint32_t parent = begin; parent < end; ++parent) {
        for (std::uint32_t k = 0; k < width; ++k) bonds.push_back({parent, atoms++});
      }
      begin = end;
    }
    System s(std::vector<std::string>(atoms, "A"));
    s.terms.bonds = bonds;
    return s;
  };
  CharmmParameters p;
  p.radii["A"] = {0.1, 2, 0.1, 2};
  p.bonds[{"A", "A"}] = {100, 1.5};
  const System allowed = tree(12);
  // Three generations apart, or one and two from what both descend from: the first atom, or one of its neighbours.
  EXPECT_EQ(charmm_force_field(allowed.topology, allowed.terms, p).pairs14.size(),
            std::size_t{12 * 12 * 12 + (1 + 12) * 12 * (11 * 12)});
  EXPECT_NE(message(tree(13), p).find("more than 2048 atoms three bonds away"), std::string::npos);
  System star(std::vector<std::string>(40, "A"));
  for (std::uint32_t k = 1; k < 40; ++k) star.terms.bonds.push_back({0, k});
  EXPECT_NE(message(star, p).find("more than 32 bonds"), std::string::npos);
}

}  // namespace
}  // namespace isolume
