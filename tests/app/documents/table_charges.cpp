// Molecules of a scene that get hydrogens and charges: what else the file says stays.
#include "app/documents/table_charges.h"

#include <gtest/gtest.h>

#include <map>

#include "app/documents/documents.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::map<int, SecondaryStructure> structure_of(const Molecule& molecule) {
  std::map<int, SecondaryStructure> result;
  for (const Residue& residue : molecule.topology->residues)
    if (residue.structure != SecondaryStructure::coil) result[residue.number] = residue.structure;
  return result;
}

TEST(TableCharges, KeepTheSecondaryStructure) {
  Documents documents;
  const std::string crambin = test::data("../../resources/examples/crambin.pdb.gz");
  SceneMolecule entry = documents.open({crambin}).front();
  const auto bare = documents.molecule(entry);
  entry.templates = {"tables:amber"};
  const auto charged = documents.molecule(entry);
  ASSERT_TRUE(charged->topology->has_charges);
  EXPECT_NE(charged->atom_count(), bare->atom_count()) << "it is another molecule: one of the alternate locations";
  const auto expected = structure_of(*bare);
  // By the file's HELIX and SHEET records: 6 to 18 and 22 to 31; 2, 3, 33 and 34.
  EXPECT_EQ(expected.at(10), SecondaryStructure::helix);
  EXPECT_EQ(expected.at(33), SecondaryStructure::strand);
  EXPECT_EQ(expected.size(), 27u);
  EXPECT_EQ(structure_of(*charged), expected);
}

}  // namespace
}  // namespace isolume
