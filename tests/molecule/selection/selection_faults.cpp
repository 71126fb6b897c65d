// Faults in selections, and what is said of those that hold no atoms.
#include <gtest/gtest.h>

#include <string>

#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

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
    {"around 5", 0, 6, "follows a selection"},
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

}  // namespace
}  // namespace isolume
