// Colours of residues by what they are: hydrophobicity, confidence, place in the chain, chain and element.
#include <gtest/gtest.h>

#include <cmath>

#include "molecule/elements.h"
#include "render/represent/colour.h"
#include "render/represent/palette.h"
#include "render/represent/residue_scales.h"

namespace isolume {
namespace {

/// Two chains of three residues each, of N and CA, and a ligand of a carbon and an oxygen in the first chain.
Topology two_chains() {
  TopologyBuilder builder;
  const auto add = [&](const char* name, int element, const char* residue, int number, const char* chain) {
    Atom atom;
    atom.name = name;
    atom.element = static_cast<std::uint8_t>(element);
    atom.b_factor = static_cast<float>(30 * number);
    builder.add(atom, residue, number, ' ', chain);
  };
  for (const char* chain : {"A", "B"}) {
    int number = 0;
    for (const char* residue : {"ILE", "ARG", "GLY"}) {
      ++number;
      add("N", 7, residue, number, chain);
      add("CA", 6, residue, number, chain);
    }
    if (chain[0] == 'A') add("C1", 6, "LIG", 100, chain), add("O1", 8, "LIG", 100, chain);
    builder.end_chain();
  }
  return builder.finish();
}

AtomColours by(const Topology& topology, Colouring colouring) {
  ColourRule rule;
  rule.colouring = colouring;
  return colour_atoms(topology, rule, {}, {}, {}, {});
}

constexpr glm::u8vec4 grey{150, 150, 150, 255};

// The extremes of each table, and a state of another name.
TEST(ResidueColours, ScalesHaveTheValuesOfTheirPapers) {
  using enum HydrophobicityScale;
  EXPECT_EQ(hydrophobicity("ILE", kyte_doolittle), 4.5);
  EXPECT_EQ(hydrophobicity("ARG", kyte_doolittle), -4.5);
  EXPECT_EQ(hydrophobicity("ILE", eisenberg), 1.38);
  EXPECT_EQ(hydrophobicity("ARG", eisenberg), -2.53);
  EXPECT_EQ(hydrophobicity("TRP", wimley_white), -1.85);
  EXPECT_EQ(hydrophobicity("GLU", wimley_white), 2.02);
  EXPECT_EQ(hydrophobicity("HSD", wimley_white), hydrophobicity("HIS", wimley_white));
  EXPECT_FALSE(hydrophobicity("HOH", kyte_doolittle));
  // The sums over the twenty residues of Kyte and Doolittle's table 2 and of the consensus scale.
  double kyte = 0, consensus = 0;
  for (const char* name : {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
                           "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"}) {
    kyte += hydrophobicity(name, kyte_doolittle).value();
    consensus += hydrophobicity(name, eisenberg).value();
  }
  EXPECT_NEAR(kyte, -9.8, 1e-9);
  EXPECT_NEAR(consensus, 0, 0.03) << "it is normalized to a mean of 0";
}

TEST(ResidueColours, HydrophobicIsOrangeOnEveryScale) {
  const Topology t = two_chains();
  for (const Colouring colouring : {Colouring::hydrophobicity, Colouring::eisenberg, Colouring::wimley_white}) {
    const AtomColours made = by(t, colouring);
    const glm::u8vec4 ile = made.colours[1], arg = made.colours[3];
    EXPECT_GT(ile.r, ile.b) << name(colouring);
    EXPECT_GT(arg.b, arg.g) << name(colouring);
    EXPECT_EQ(made.colours[6], grey) << "the ligand";
    ASSERT_TRUE(made.key);
    EXPECT_EQ(made.key->lower, -made.key->upper);
  }
  EXPECT_EQ(by(t, Colouring::hydrophobicity).colours[0], orange_purple_colour(-1));
  EXPECT_EQ(by(t, Colouring::hydrophobicity).colours[2], orange_purple_colour(1));
}

TEST(ResidueColours, ThePlaceInTheChainGoesFromEndToEndInEachChain) {
  const AtomColours made = by(two_chains(), Colouring::sequence);
  for (const std::size_t first : {0u, 8u}) {
    EXPECT_EQ(made.colours[first], sequential_colour(0));
    EXPECT_EQ(made.colours[first + 3], sequential_colour(0.5));
    EXPECT_EQ(made.colours[first + 5], sequential_colour(1));
  }
  EXPECT_EQ(made.colours[6], grey) << "the ligand is no part of the chain";
}

TEST(ResidueColours, ConfidenceHasTheFourBandsOfAlphaFold) {
  Topology t = two_chains();
  const float values[] = {95, 90, 71, 69, 50.5f, 50, 0};
  const glm::u8vec4 wanted[] = {{0, 83, 214, 255},   {101, 203, 243, 255}, {101, 203, 243, 255}, {255, 219, 19, 255},
                                {255, 219, 19, 255}, {255, 125, 69, 255},  {255, 125, 69, 255}};
  for (std::size_t i = 0; i < std::size(values); ++i) t.atoms.change(i, [&](Atom& atom) { atom.b_factor = values[i]; });
  const AtomColours made = by(t, Colouring::plddt);
  for (std::size_t i = 0; i < std::size(values); ++i) EXPECT_EQ(made.colours[i], wanted[i]) << values[i];
  ASSERT_TRUE(made.key);
  EXPECT_EQ(made.key->lower, 0);
  EXPECT_EQ(made.key->upper, 100);
}

TEST(ResidueColours, CarbonsOfChainsAndOfLigandsAreApart) {
  const AtomColours made = by(two_chains(), Colouring::chain_element);
  EXPECT_EQ(made.colours[1], category_colour(0));
  EXPECT_EQ(made.colours[9], category_colour(1));
  EXPECT_EQ(made.colours[0], glm::u8vec4(element(7).colour, 255)) << "nitrogen";
  EXPECT_NE(made.colours[6], category_colour(0)) << "the ligand's carbon";
  EXPECT_EQ(made.colours[7], glm::u8vec4(element(8).colour, 255));
}

}  // namespace
}  // namespace isolume
