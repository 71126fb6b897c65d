// Selections of a small system whose properties are known, of a periodic one and of many atoms.
#include "molecule/selection/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "molecule/selection/residue_selection.h"

namespace isolume {
namespace {

// A made-up system whose properties are known by heart: two water molecules, an ion and a dipeptide-like chain.
Topology small() {
  TopologyBuilder builder;
  const auto add = [&](const char* name, int element, const char* residue, int number, char insertion,
                       const char* chain, float charge) {
    Atom atom;
    atom.name = name;
    atom.element = static_cast<std::uint8_t>(element);
    atom.charge = charge;
    atom.serial = 100 + static_cast<int>(builder.topology().atoms.size());
    builder.add(atom, residue, number, insertion, chain, "S1");
  };
  add("N", 7, "GLY", -5, ' ', "b", -0.5f);
  add("CA", 6, "GLY", -5, ' ', "b", 0.1f);
  add("C", 6, "GLY", -5, ' ', "b", 0.5f);
  add("O", 8, "GLY", -5, ' ', "b", -0.5f);
  add("N", 7, "ALA", 27, 'A', "b", -0.5f);
  add("CA", 6, "ALA", 27, 'A', "b", 0.1f);
  add("HA", 1, "ALA", 27, 'A', "b", 0.1f);
  add("CB", 6, "ALA", 27, 'A', "b", -0.1f);
  add("O5'", 8, "DA", 27, ' ', "c", -0.6f);
  add("NA+", 11, "NA+", 1, ' ', "d", 1.0f);
  add("OH2", 8, "TIP3", 2, ' ', "W", -0.8f);
  add("H1", 1, "TIP3", 2, ' ', "W", 0.4f);
  Topology& t = builder.topology();
  t.bonds = {{0, 1, 1}, {1, 2, 1}, {2, 3, 2}, {2, 4, 1}, {4, 5, 1}, {5, 6, 1}, {5, 7, 1}, {10, 11, 1}};
  t.has_charges = true;
  return builder.finish();
}

std::vector<std::uint32_t> chosen(const char* text) {
  return Selection(text).atoms(small(), Frame{});
}

using Atoms = std::vector<std::uint32_t>;

TEST(Selection, ValuesThatLookLikeSomethingElse) {
  EXPECT_EQ(chosen("chain b c"), (Atoms{0, 1, 2, 3, 4, 5, 6, 7, 8}));  // b is also the B factor
  EXPECT_EQ(chosen("resname NA+"), Atoms{9});
  EXPECT_EQ(chosen("name NA+ OH2"), (Atoms{9, 10}));
  EXPECT_EQ(chosen("name O5'"), Atoms{8});
  EXPECT_EQ(chosen("(name O5') or (name 'NA+')"), (Atoms{8, 9}));
  EXPECT_EQ(chosen("resid -5"), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resid \"\\-5\""), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resi \\-5"), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resid -5 to 1"), (Atoms{0, 1, 2, 3, 9}));
  EXPECT_EQ(chosen("resid -5-1"), (Atoms{0, 1, 2, 3, 9}));
  EXPECT_EQ(chosen("resid -5--4"), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resid - 5 = -10"), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resid -5 = -10"), (Atoms{0, 1, 2, 3}));
  EXPECT_EQ(chosen("resid 27A"), (Atoms{4, 5, 6, 7}));
  EXPECT_EQ(chosen("resid 27"), (Atoms{4, 5, 6, 7, 8}));
  EXPECT_EQ(chosen("insertion A"), (Atoms{4, 5, 6, 7}));
  EXPECT_EQ(chosen("resid 27 and insertion ''"), Atoms{8});
  EXPECT_EQ(chosen("name = CA and resname != GLY"), Atoms{5});
  EXPECT_EQ(chosen("PROTEIN AND name ca"), (Atoms{1, 5}));
}

TEST(Selection, IndicesCountFromZero) {
  EXPECT_EQ(chosen("index 0 3"), (Atoms{0, 3}));
  EXPECT_EQ(chosen("serial 100"), Atoms{0});
  EXPECT_EQ(chosen("residue 1"), (Atoms{4, 5, 6, 7}));
}

TEST(Selection, ChargesInDecimalsMeetSinglePrecision) {
  EXPECT_EQ(chosen("charge 0.1"), (Atoms{1, 5, 6}));
  EXPECT_EQ(chosen("charge = -0.5"), (Atoms{0, 3, 4}));
  EXPECT_EQ(chosen("abs(charge) >= 0.8"), (Atoms{9, 10}));
  EXPECT_EQ(chosen("pc. < -0.55"), (Atoms{8, 10}));
  EXPECT_EQ(chosen("charge * 2 + 1 = 0"), (Atoms{0, 3, 4}));
  EXPECT_EQ(chosen("-charge^2 < -0.5"), (Atoms{9, 10}));
}

TEST(Selection, BondsAndFragments) {
  EXPECT_EQ(chosen("withinbonds 1 of index 2"), (Atoms{1, 2, 3, 4}));
  EXPECT_EQ(chosen("index 2 extend 1"), (Atoms{1, 2, 3, 4}));
  EXPECT_EQ(chosen("withinbonds 2 of index 7"), (Atoms{4, 5, 6, 7}));
  EXPECT_EQ(chosen("withinbonds 0 of index 7"), Atoms{7});
  EXPECT_EQ(chosen("neighbor index 2"), (Atoms{1, 3, 4}));
  EXPECT_EQ(chosen("bound_to index 1 2"), (Atoms{0, 1, 2, 3, 4}));
  EXPECT_EQ(chosen("same fragment as index 11"), (Atoms{10, 11}));
  EXPECT_EQ(chosen("bymolecule index 0"), (Atoms{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(chosen("numbonds 3"), (Atoms{2, 5}));
  EXPECT_EQ(chosen("same element as name O5'"), (Atoms{3, 8, 10}));
}

TEST(Selection, AndBindsBeforeOrAndNotBeforeAnd) {
  EXPECT_EQ(chosen("index 0 or index 1 and index 2"), Atoms{0});
  EXPECT_EQ(chosen("(index 0 or index 1) and index 1"), Atoms{1});
  EXPECT_EQ(chosen("not index 0 and index 0 1"), Atoms{1});
  EXPECT_EQ(chosen("not not index 4"), Atoms{4});
}

TEST(Selection, WithinRespectsTheCellOnlyWhenAsked) {
  TopologyBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add(Atom{}, "X", i, ' ', "A");
  const Topology t = builder.finish();
  Frame frame;
  frame.positions = {{0.5f, 5, 5}, {9.5f, 5, 5}, {-29.7f, 45.2f, 4}};  // the last is 1.03 from the first's images
  frame.cell = Cell::from_lengths_angles({10, 10, 10}, {90, 90, 90});
  EXPECT_EQ(Selection("within 2 of index 0").atoms(t, frame), Atoms{0});
  EXPECT_EQ(Selection("pbwithin 1.01 of index 0").atoms(t, frame), (Atoms{0, 1}));
  EXPECT_EQ(Selection("pbwithin 1.5 of index 0").atoms(t, frame), (Atoms{0, 1, 2}));
  EXPECT_EQ(Selection("pbwithin 500 of index 0").atoms(t, frame), (Atoms{0, 1, 2}));
  frame.positions[2] = {1e30f, 0, 0};  // nowhere in particular, but no reason to fail
  EXPECT_EQ(Selection("pbwithin 1.5 of index 0 2").atoms(t, frame), (Atoms{0, 1, 2}));
  frame.cell = Cell::from_lengths_angles({1e-4, 1e3, 1e3}, {90, 90, 90});
  EXPECT_THROW(Selection("pbwithin 1500 of index 0").atoms(t, frame), Error);
  frame.cell = Cell{};
  EXPECT_THROW(Selection("pbwithin 2 of index 0").atoms(t, frame), Error);
}

TEST(Selection, PeriodicDistancesAgreeWithMinimumImages) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(-30, 30);
  TopologyBuilder builder;
  Frame frame;
  for (int i = 0; i < 300; ++i) {
    builder.add(Atom{}, "X", i, ' ', "A");
    frame.positions.emplace_back(anywhere(random), anywhere(random), anywhere(random));
  }
  const Topology t = builder.finish();
  frame.cell = Cell::from_lengths_angles({13, 11, 9}, {65, 80, 110});
  for (const double reach : {1.0, 2.5, 6.0}) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 300; ++i) {
      for (std::uint32_t j = 0; j < 5; ++j) {
        const glm::dvec3 d = glm::dvec3(frame.positions[i]) - glm::dvec3(frame.positions[j]);
        if (glm::length(frame.cell.minimum_image(d)) <= reach) {
          expected.push_back(i);
          break;
        }
      }
    }
    EXPECT_EQ(Selection("pbwithin " + std::to_string(reach) + " of index 0 to 4").atoms(t, frame), expected) << reach;
  }
}

TEST(Selection, KnowsWhetherItDependsOnPositions) {
  for (const char* text : {"x > 5", "within 3 of protein", "byres (water around 3)", "not beyond 3 of all", "y 1 to 2",
                           "same x as index 5", "all and (none or sqr(z) < 4)"}) {
    EXPECT_TRUE(Selection(text).depends_on_positions()) << text;
    EXPECT_THROW(Selection(text).mask(small(), Frame{}), Error) << text;
  }
  for (const char* text : {"all", "name x", "same residue as name CA", "charge > 0"}) {
    EXPECT_FALSE(Selection(text).depends_on_positions()) << text;
  }
}

TEST(Selection, HostileTextsEndInAnError) {
  const auto repeat = [](const std::string& part, std::size_t times) {
    std::string result;
    for (std::size_t i = 0; i < times; ++i) result += part;
    return result;
  };
  for (const std::string& text :
       {repeat("(", 100000), repeat("not ", 100000), repeat("byres ", 5000), "x > " + repeat("-", 100000) + "5",
        "x > " + repeat("(", 5000), "all" + repeat(" around 1", 500), repeat("same residue as ", 5000),
        "name \"" + repeat("(a*)*", 2000) + "\"", std::string("\0\1\2\xff", 4), repeat("all or ", 200000)}) {
    EXPECT_THROW(Selection selection(text), SelectionError) << text.substr(0, 20);
  }
  // Long, but flat: fine.
  EXPECT_EQ(Selection("index" + repeat(" 1 2 3", 20000)).atoms(small(), Frame{}), (Atoms{1, 2, 3}));
  EXPECT_EQ(Selection(repeat("index 1 or ", 5000) + "index 2").atoms(small(), Frame{}), (Atoms{1, 2}));
}

TEST(Selection, KeywordsAreSortedAndEachIsKnown) {
  const std::vector<std::string> keywords = selection_keywords();
  EXPECT_TRUE(std::is_sorted(keywords.begin(), keywords.end()));
  EXPECT_EQ(std::adjacent_find(keywords.begin(), keywords.end()), keywords.end());
  for (const char* word : {"protein", "resi", "within", "and", "byres", "beta"}) {
    EXPECT_TRUE(std::binary_search(keywords.begin(), keywords.end(), word)) << word;
  }
}

TEST(Selection, WithinOfAHundredThousandAtomsIsThatOfAllPairs) {
  // Water at its density: 100,000 atoms; the shell of 5 angstrom around a third of them.
  std::mt19937 random(1);
  std::uniform_real_distribution<float> anywhere(0, 100);
  TopologyBuilder builder;
  Frame frame;
  for (int i = 0; i < 100000; ++i) {
    builder.add(Atom{}, "X", i / 3, ' ', "A");
    frame.positions.emplace_back(anywhere(random), anywhere(random), anywhere(random));
  }
  const Topology t = builder.finish();
  const Selection selection("within 5 of (x < 33)");
  const std::size_t count = selection.atoms(t, frame).size();
  // The slab itself, and of the 5 angstrom behind it the atoms that have one of the slab's near, by all pairs.
  std::vector<glm::vec3> border, behind;
  std::size_t expected = 0;
  for (const glm::vec3& p : frame.positions) {
    if (p.x < 33) ++expected;
    if (p.x < 33 && p.x >= 28) border.push_back(p);
    if (p.x >= 33 && p.x < 38) behind.push_back(p);
  }
  for (const glm::vec3& p : behind)
    expected += std::any_of(border.begin(), border.end(), [&](const glm::vec3& q) { return glm::distance(p, q) <= 5; });
  EXPECT_EQ(count, expected);
}

TEST(Selection, AResidueIsNamedByWordsThatMeanItAlone) {
  TopologyBuilder builder;
  Atom atom;
  atom.name = "C1";
  atom.element = 6;
  builder.add(atom, "478", 200, ' ', "B");
  builder.add(atom, "478", 200, ' ', "C");
  builder.add(atom, "HEM", 5, ' ', "");
  builder.add(atom, "ALA", -3, ' ', "B");
  builder.add(atom, "ALA", 7, 'A', "B");
  builder.add(atom, "NA+", 8, ' ', "B");
  builder.add(atom, "HOH", 9, ' ', "D");
  builder.add(atom, "HOH", 10, ' ', "D");
  builder.add(atom, "HOH", 9, ' ', "D");
  const Topology topology = builder.finish();
  Frame frame;
  frame.positions.assign(topology.atoms.size(), glm::vec3(0));
  ASSERT_EQ(topology.residues.size(), 9u);
  for (std::uint32_t r = 0; r < 9; ++r)
    EXPECT_EQ(Selection(residue_selection_of(topology, r)).atoms(topology, frame), std::vector<std::uint32_t>{r});
  EXPECT_EQ(residue_selection_of(topology, 0), "chain B and resid 200 and resname 478");
  EXPECT_EQ(residue_selection_of(topology, 2), "resid 5 and resname HEM");
  EXPECT_EQ(residue_selection_of(topology, 3), "residue 3") << "a negative number";
  EXPECT_EQ(residue_selection_of(topology, 6), "residue 6") << "another residue has these words";
}

}  // namespace
}  // namespace isolume
