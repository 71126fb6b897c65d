// Secondary structure against another implementation of DSSP and against what crystallographers wrote.
#include "molecule/secondary_structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::string letters(const Molecule& molecule) {
  std::string result;
  for (const SecondaryStructure s : secondary_structure(*molecule.topology, molecule.trajectory->frame(0))) {
    result += "CHGIET"[static_cast<int>(s)];
  }
  return result;
}

TEST(SecondaryStructure, OfCrambinAgreesWithMdtraj) {
  const std::string path = test::shared_data("structures/1crn.pdb");
  ISOLUME_NEEDS(path);
  const std::string found = letters(read_file(path));
  // mdtraj 1.11.1, compute_dssp(simplified=False), with bends and lone bridges as coil.
  EXPECT_EQ(found, "CEECCCHHHHHHHHHHHTTTCCHHHHHHHHCCEECCCCCCCGGGCC");
  // HELIX records: 7 to 19 ("3/10 conformation 17, 19") and 23 to 30; SHEET records: 1 to 4 and 32 to 35.
  for (int number = 1; number <= 46; ++number) {
    const char s = found[static_cast<std::size_t>(number - 1)];
    if (s == 'H') {
      EXPECT_TRUE((number >= 7 && number <= 19) || (number >= 23 && number <= 30)) << number;
    }
    if (s == 'E') {
      EXPECT_TRUE(number <= 4 || (number >= 32 && number <= 35)) << number;
    }
  }
}

void expect_classes(const std::string& file, std::map<char, std::size_t> expected) {
  const std::string path = test::shared_data("structures/" + file);
  ISOLUME_NEEDS(path);
  const std::string found = letters(read_file(path));
  for (const auto& [letter, count] : expected) {
    EXPECT_EQ(static_cast<std::size_t>(std::count(found.begin(), found.end(), letter)), count) << file << " " << letter;
  }
}

// Numbers of residues per class by mdtraj 1.11.1; residue by residue they agree too.
TEST(SecondaryStructure, OfHaemoglobinIsHelices) {
  expect_classes("4hhb.pdb", {{'H', 379}, {'G', 48}, {'I', 22}, {'T', 44}, {'E', 0}});
}

TEST(SecondaryStructure, OfAVirusShellIsStrands) {
  expect_classes("1f2n.pdb", {{'E', 202}, {'G', 29}, {'H', 55}, {'T', 61}, {'I', 0}});
}

TEST(SecondaryStructure, NeedsAWholeBackbone) {
  TopologyBuilder builder;
  Frame frame;
  for (int i = 0; i < 20; ++i) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    builder.add(atom, "ALA", i, ' ', "A");
    frame.positions.emplace_back(3.8f * static_cast<float>(i), 0, 0);
  }
  const Topology t = builder.finish();
  for (const SecondaryStructure s : secondary_structure(t, frame)) EXPECT_EQ(s, SecondaryStructure::coil);
  EXPECT_THROW(secondary_structure(t, Frame{}), Error);
  EXPECT_TRUE(secondary_structure(Topology{}, Frame{}).empty());
}

}  // namespace
}  // namespace isolume
