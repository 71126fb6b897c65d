// Colours from tables and alignments.
#include "app/view/colour_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "compute/structure/conservation.h"
#include "formats/sequences/alignment.h"
#include "molecule/base/error.h"
#include "tests/app/cli/program.h"

namespace isolume::test {
namespace {

/// Chain A: ALA 1, LYS 2, TRP 3; chain B: GLY 1. Two atoms each, N and CA.
Topology small() {
  TopologyBuilder builder;
  const auto residue = [&](const char* name, int number, const char* chain) {
    for (const char* atom : {"N", "CA"}) {
      Atom a;
      a.name = atom;
      a.element = *atom == 'N' ? 7 : 6;
      builder.add(a, name, number, ' ', chain);
    }
  };
  residue("ALA", 1, "A");
  residue("LYS", 2, "A");
  residue("TRP", 3, "A");
  residue("GLY", 1, "B");
  return builder.finish();
}

std::string write(const Folder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder / name) << text;
  return folder / name;
}

std::string refusal(const std::string& path) {
  try {
    colours_by_file(path, small(), {}, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

ColourRule numbers() {
  ColourRule rule;
  rule.colouring = Colouring::file;
  return rule;
}

TEST(ColourFile, ATableOfNumbersIsAScaleUnderTheNameOfItsColumn) {
  const Folder folder;
  const std::string path = write(folder, "a.csv", "chain,number,activity\nA,1,0\nA,2,5\n\"B\",1,10\n");
  const AtomColours found = colours_by_file(path, small(), numbers(), {});
  ASSERT_TRUE(found.key);
  EXPECT_EQ(found.key->title, "activity");
  EXPECT_EQ(found.key->entries.size(), 0u);
  EXPECT_EQ(found.colours[0], found.colours[1]) << "both atoms of a residue";
  EXPECT_NE(found.colours[0], found.colours[2]);
  EXPECT_NE(found.colours[2], found.colours[6]);
  EXPECT_EQ(found.colours[4].r, found.colours[4].g) << "no line: grey";
}

TEST(ColourFile, ATableOfColoursHasItsLabelsInTheKeyAndLaterLinesWin) {
  const Folder folder;
  const std::string path = write(
      folder, "parts.csv", "chain,number,atom,colour,label\nA,,,#0072B2,arm\nA,2,,#d55e00,site\nA,2,CA,#000000,\n");
  const AtomColours found = colours_by_file(path, small(), numbers(), {});
  EXPECT_EQ(found.colours[0], glm::u8vec4(0, 114, 178, 255));
  EXPECT_EQ(found.colours[2], glm::u8vec4(213, 94, 0, 255));
  EXPECT_EQ(found.colours[3], glm::u8vec4(0, 0, 0, 255));
  ASSERT_TRUE(found.key);
  EXPECT_EQ(found.key->title, "parts");
  ASSERT_EQ(found.key->entries.size(), 2u);
  EXPECT_EQ(found.key->entries[0].first, "arm");
  EXPECT_EQ(found.key->entries[1].first, "site");
}

TEST(ColourFile, WrongTablesAreRefusedWithTheirLine) {
  const Folder folder;
  EXPECT_NE(refusal(write(folder, "1.csv", "a,b\n1,2\n")).find("expected a heading that names atoms"),
            std::string::npos);
  EXPECT_NE(refusal(write(folder, "2.csv", "chain,value\nA,x\n")).find("2"), std::string::npos);
  EXPECT_NE(refusal(write(folder, "3.csv", "chain,colour\nA,red\n")).find("expected a colour such as"),
            std::string::npos);
  EXPECT_NE(refusal(write(folder, "4.csv", "chain,value\nA\n")).find("expected 2 columns"), std::string::npos);
  EXPECT_NE(refusal(write(folder, "5.csv", "chain,value\nZ,1\n")).find("no line of the table names an atom"),
            std::string::npos);
  EXPECT_FALSE(refusal(folder / "missing.csv").empty());
}

TEST(ColourFile, AChangedFileIsReadAgain) {
  const Folder folder;
  const std::string path = write(folder, "a.csv", "chain,colour\nA,#111111\n");
  EXPECT_EQ(colours_by_file(path, small(), numbers(), {}).colours[0].r, 0x11);
  write(folder, "a.csv", "chain,number,colour\nA,1,#222222\n");
  EXPECT_EQ(colours_by_file(path, small(), numbers(), {}).colours[0].r, 0x22);
}

TEST(Alignment, ThreeFormsHoldTheSameRows) {
  const Folder folder;
  const std::string texts[] = {
      ">one first\nAK-W\n>two\nA.\nRW\n",
      "CLUSTAL O(1.2.4) multiple sequence alignment\n\none  AK 2\ntwo  A- 1\n     *\n\none  -W\n"
      "two  RW\n     .*\n",
      "# STOCKHOLM 1.0\n#=GF ID test\none AK-W\ntwo a.rw\n//\n"};
  for (const std::string& text : texts) {
    const auto file = read_alignment(*ByteSource::from_bytes(text, "x"));
    ASSERT_EQ(file.rows.size(), 2u) << text;
    EXPECT_EQ(file.rows[0].name, "one");
    EXPECT_EQ(file.rows[0].letters, "AK-W");
    EXPECT_EQ(file.rows[1].letters, "A-RW");
  }
  for (const char* wrong : {"", "AKW\n", ">a\nAK\n>b\nA\n", ">a\nA1\n", "CLUSTAL\n"})
    EXPECT_THROW(read_alignment(*ByteSource::from_bytes(wrong, "x")), Error) << wrong;
}

TEST(Conservation, IsOneMinusTheEntropyOfAColumn) {
  const std::vector<std::string> rows{"AAW-", "AKW-", "ARW-", "ANWG"};
  const auto values = column_conservation(rows, SequenceKind::protein);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_FLOAT_EQ(values[0], 1);
  EXPECT_NEAR(values[1], 1 - std::log(4.0) / std::log(20.0), 1e-6);
  EXPECT_FLOAT_EQ(values[2], 1);
  EXPECT_NEAR(values[3], 0.25, 1e-6) << "one of four sequences has a letter";
  EXPECT_NEAR(column_conservation(std::vector<std::string>{"A", "C", "G", "U"}, SequenceKind::nucleic)[0], 0, 1e-6);
}

TEST(Conservation, AChainIsFoundAsItIsOrByItsNearestRow) {
  Job job;
  const std::vector<std::string> rows{"GGGGGGGG-", "M-AKWVV-L"};
  const auto found = find_chain("AKW", rows, SequenceKind::protein, job);
  EXPECT_EQ(found.row, 1u);
  EXPECT_EQ(found.identity, 1);
  EXPECT_EQ(found.columns, (std::vector<int>{2, 3, 4}));
  const auto near = find_chain("MAKFVVL", rows, SequenceKind::protein, job);
  EXPECT_EQ(near.row, 1u);
  EXPECT_NEAR(near.identity, 6.0 / 7, 1e-12);
  EXPECT_EQ(near.columns, (std::vector<int>{0, 2, 3, 4, 5, 6, 8}));
}

TEST(ColourFile, ConservationIsMappedOnChainsAndOthersAreGrey) {
  const Folder folder;
  const std::string path = write(folder, "a.fasta", ">a\nM-AKW\n>b\nMLARW\n>c\nMLANW\n>d\nMLAEW\n");
  const AtomColours found = colours_by_file(path, small(), numbers(), {});
  ASSERT_TRUE(found.key);
  EXPECT_EQ(found.key->title, "Conservation");
  EXPECT_EQ(found.key->lower, 0);
  EXPECT_EQ(found.key->upper, 1);
  EXPECT_EQ(found.colours[0], found.colours[4]) << "ALA and TRP are in all sequences";
  EXPECT_NE(found.colours[0], found.colours[2]) << "LYS is in one of four";
  EXPECT_EQ(found.colours[6].r, found.colours[6].g) << "chain B is not in the alignment";
  EXPECT_NE(refusal(write(folder, "b.fasta", ">a\nCCCCCC\n")).find("no chain of the molecule is in the alignment"),
            std::string::npos);
}

}  // namespace
}  // namespace isolume::test
