// Selections on real structures, in VMD's words and in PyMOL's, and the faults that they report.
#include "molecule/selection/selection.h"

#include "molecule/selection/empty_selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/read.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Expected {
  const char* text;
  std::size_t atoms;
};

// The counts come from a script of its own that reads the columns of the ATOM and HETATM records and compares all
// distances by brute force (Python, NumPy); helices from the HELIX records.
const Expected haemoglobin[] = {
    {"all", 4779},
    {"*", 4779},
    {"none", 0},
    {"protein", 4384},
    {"polymer.protein", 4384},
    {"polymer", 4384},
    {"water", 221},
    {"solvent", 221},
    {"resname HOH", 221},
    {"resn hoh", 221},
    {"backbone", 2300},
    {"bb.", 2300},
    {"sidechain", 2084},
    {"alpha", 574},
    {"guide", 574},
    {"protein and name CA", 574},
    {"hetero", 395},
    {"hetatm", 395},
    {"hetero and not water", 174},
    {"het & !sol.", 174},
    {"ligand", 172},
    {"organic", 172},
    {"inorganic", 2},
    {"not protein and not water", 174},
    {"!(protein | water)", 174},
    {"resname HEM HOH", 393},
    {"resn HEM+HOH", 393},
    {"resname HEM or water", 393},
    {"chain A", 1168},
    {"c. A", 1168},
    {"chain A B", 2392},
    {"chain A+B", 2392},
    {"resid 10 to 20", 320},
    {"resid 10-20", 320},
    {"resi 10-20", 320},
    {"resi 10:20", 320},
    {"resid >= 10 and resid <= 20", 320},
    {"10 <= resid <= 20", 320},
    {"resid 10 12 14", 92},
    {"resi 10+12+14", 92},
    {"i. 10,12,14", 92},
    {"resid 10 to 20 30", 360},
    {"resi 10-20+30", 360},
    {"resname ALA GLY", 520},
    {"resn ALA+GLY", 520},
    {"name CA CB", 1108},
    {"name CA+CB", 1108},
    {"name \"C.*\"", 2954},
    {"name C*", 2954},
    {"name \"[NO][DE][12]\"", 246},
    {"element C", 2954},
    {"elem c", 2954},
    {"e. Fe", 4},
    {"element N O", 1807},
    {"index 5 to 10", 6},
    {"index > 4 and index < 11", 6},
    {"serial 100 to 200", 101},
    {"id 100-200", 101},
    {"acidic", 456},
    {"basic", 912},
    {"charged", 1368},
    {"hydrophobic", 2028},
    {"polar", 2356},
    {"aromatic", 940},
    {"helix", 3328},
    {"ss H", 3328},
    {"sheet", 0},
    {"ss S", 0},
    {"beta > 50", 271},
    {"b > 50", 271},
    {"b<10", 110},
    {"occupancy < 1", 0},
    {"q < 1", 0},
    {"x > 6", 1911},
    {"x > 6 and sqr(x) + sqr(y) < 400", 891},
    {"x > 6 and sqrt(x*x + y^2) < 20", 891},
    {"abs(z) < 5", 1120},
    {"-5 < z < 5", 1120},
    {"0 < x < 10", 861},
    {"(x + y) / 2 > z", 2285},
    {"x - z > z - y", 2285},
    {"mass > 30", 18},
    {"mass 12 to 14.5", 3734},
    {"within 5 of resname HEM", 534},
    {"resname HEM expand 5", 534},
    {"all within 5 of resn HEM", 534},
    {"exwithin 5 of resname HEM", 362},
    {"resname HEM around 5", 362},
    {"protein within 5 of resname HEM", 342},
    {"protein and within 5 of resname HEM", 342},
    {"same residue as within 5 of resname HEM", 950},
    {"byres (resn HEM expand 5)", 950},
    {"not within 5 of resname HEM", 4245},
    {"all beyond 5 of resname HEM", 4245},
    {"water within 3 of protein", 161},
    {"same chain as (name CA and resid 1 and chain B)", 1224},
    {"bychain (n. CA & i. 1 & c. B)", 1224},
    {"resname HIS name NE2 within 3 of element FE", 4},
    {"chain A resid 1 to 5 name CA", 5},
};

const Expected ubiquitin[] = {
    {"all", 650},
    {"within 3.5 of (resname LYS and name NZ)", 37},
    {"(resn LYS & n. NZ) expand 3.5", 37},
    {"same residue as within 3.5 of (resname LYS and name NZ)", 116},
    {"resname LYS around 4", 138},
    {"exwithin 4 of resname LYS", 138},
    {"protein beyond 20 of resname LYS", 3},
    {"occupancy < 1", 57},
    {"abs(z) < 5", 47},
    {"sidechain", 291},
};

void expect_counts(const std::string& file, std::span<const Expected> table) {
  const std::string path = test::shared_data("structures/" + file);
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Frame frame = molecule.trajectory->frame(0);
  for (const Expected& expected : table) {
    const Selection selection(expected.text);
    EXPECT_EQ(selection.atoms(*molecule.topology, frame).size(), expected.atoms) << expected.text;
  }
}

TEST(Selection, CountsOfHaemoglobin) {
  expect_counts("4hhb.pdb", haemoglobin);
}

TEST(Selection, CountsOfUbiquitin) {
  expect_counts("1ubq.pdb.gz", ubiquitin);
}

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

struct Fault {
  const char* text;
  std::size_t column, length;
  const char* message;  // part of it
};

const Fault faults[] = {
    {"protien", 0, 7, "did you mean 'protein'?"},
    {"chain A and resnam ALA", 12, 6, "did you mean 'resname'?"},
    {"chain A adn name CA", 8, 3, "looks like 'and'"},
    {"resid 5 adn name CA", 8, 3, "did you mean 'and'?"},
    {"", 0, 0, "expected a selection"},
    {"name CA and", 11, 0, "expected a selection"},
    {"(name CA", 0, 1, "not closed"},
    {"name CA)", 7, 1, "no '(' before it"},
    {"name", 0, 4, "expected names after 'name'"},
    {"name and water", 5, 3, "expected names after 'name', found 'and'"},
    {"resid", 0, 5, "expected numbers after 'resid'"},
    {"resid 20 to 10", 12, 2, "backwards"},
    {"resid 1.5", 6, 3, "whole numbers"},
    {"resid 5 to", 8, 2, "expected a number after 'to'"},
    {"within of protein", 7, 2, "distance"},
    {"within 5 protein", 9, 7, "expected 'of'"},
    {"within 5 of", 11, 0, "expected a selection"},
    {"same foo as water", 5, 3, "expected residue, chain"},
    {"same residue of water", 13, 2, "expected 'as'"},
    {"x >", 3, 0, "expected a number"},
    {"x > protein", 4, 7, "expected a number"},
    {"5", 1, 0, "expected a comparison"},
    {"name > CA", 5, 1, "= and !="},
    {"name \"C[\"", 5, 4, "'[' is not closed"},
    {"name \"CA", 5, 3, "quote is not closed"},
    {"element Qq", 8, 2, "no element"},
    {"around 5", 0, 6, "stands behind"},
    {"all # all", 4, 1, "means nothing"},
    {"\xC3\xA4\xC3\xB6 and", 0, 2, "means nothing"},
    {"and water", 0, 3, "before 'and'"},
    {":1-50@CA", 0, 1, "AMBER masks are not read; write resid 1 to 50 and name CA"},
    {"@CA,CB", 0, 1, "write name CA CB"},
    {"!:WAT", 1, 1, "write not resname WAT"},
    {":ALA,5-7&!@H=", 0, 1, "write (resid 5 to 7 or resname ALA) and not name H*"},
    {":LIG@/C | (:1@%CT)", 0, 1, "write resname LIG and element C or (resid 1 and type CT)"},
    {"protein and :5", 12, 1, "AMBER masks are not read; write such as resid"},
    {":LIG<:5", 0, 1, "AMBER masks are not read; write such as resid"},
};

TEST(Selection, EmptyOnesNameWhatThereIs) {
  TopologyBuilder builder;
  for (const char* residue : {"HOH", "ALA", "ARG", "ALA"}) builder.add({}, residue, 1, ' ', "A");
  const Topology topology = builder.finish();
  EXPECT_EQ(empty_selection("resname ZZZ", topology),
            "the selection 'resname ZZZ' holds no atoms; there are residues ALA, ARG, HOH");
  EXPECT_EQ(empty_selection("chain B", topology),
            "the selection 'chain B' holds no atoms; there are residues ALA, ARG, HOH, and chains A");
  EXPECT_EQ(empty_selection("name X", {}), "the selection 'name X' holds no atoms");
}

TEST(Selection, FaultsPointAtTheWord) {
  for (const Fault& fault : faults) {
    try {
      Selection selection(fault.text);
      ADD_FAILURE() << "no error for " << fault.text;
    } catch (const SelectionError& error) {
      EXPECT_EQ(error.column, fault.column) << error.what();
      EXPECT_EQ(error.length, fault.length) << error.what();
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_NE(std::string(error.what()).find(fault.message), std::string::npos) << error.what();
    }
  }
}

TEST(Selection, MessageHasThreeLinesWithACaret) {
  try {
    Selection selection("name CA and protien");
    FAIL();
  } catch (const SelectionError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown word 'protien'; did you mean 'protein'?\n"
                 "name CA and protien\n"
                 "            ^^^^^^^");
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

}  // namespace
}  // namespace isolume
