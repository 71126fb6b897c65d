// Space groups of structure files: REMARK 290, CRYST1 and the items of mmCIF.
#include "formats/structures/crystal_symmetry.h"

#include <gtest/gtest.h>

#include "formats/read.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::shared_data;

const std::string atom = "ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00 10.00           C\n";

const Assembly* cell_of(const Molecule& molecule) {
  for (const auto& assembly : molecule.assemblies)
    if (assembly->id == unit_cell_id) return assembly.get();
  return nullptr;
}

Molecule read_text(const std::string& text, const std::string& name) {
  return read_source(ByteSource::from_bytes(text, name));
}

// Counts of operators are the orders of the groups in International Tables, times their centring.
TEST(CrystalSymmetry, GroupsByNameHaveTheirOrder) {
  const std::pair<const char*, std::size_t> groups[] = {
      {"P 1", 1},  {"P 1 21 1", 2}, {"P 21 21 21", 4}, {"C 1 2 1", 4},  {"I 2 2 2", 8},
      {"P 31", 3}, {"H 3", 9},      {"P 43 21 2", 8},  {"F 4 3 2", 96}, {"F m -3 m", 192}};
  for (const auto& [name, order] : groups) {
    const auto triplets = space_group_triplets(name, 90, 120);
    EXPECT_EQ(triplets.size(), order) << name;
    ASSERT_FALSE(triplets.empty());
    EXPECT_EQ(*symmetry_operator(triplets.front()), glm::dmat4(1.0)) << name;
    for (const std::string& triplet : triplets) EXPECT_TRUE(symmetry_operator(triplet).has_value()) << triplet;
  }
  EXPECT_TRUE(space_group_triplets("nonsense", 90, 90).empty());
  EXPECT_TRUE(space_group_triplets("", 90, 90).empty());
}

TEST(CrystalSymmetry, OfPdbFiles) {
  const std::string cryst = "CRYST1   20.000   24.000   18.000  90.00  90.00  90.00 ";
  const Molecule named = read_text(cryst + "P 21 21 21    4\n" + atom, "a.pdb");
  ASSERT_NE(cell_of(named), nullptr);
  ASSERT_EQ(copy_count(*cell_of(named)), 4u);
  // -x+1/2, -y, z+1/2 of the atom at (1, 2, 3).
  bool there = false;
  for (const glm::dmat4& by : cell_of(named)->parts[0].operators)
    there = there || glm::distance(glm::dvec3(by * glm::dvec4(1, 2, 3, 1)), glm::dvec3(9, -2, 12)) < 1e-9;
  EXPECT_TRUE(there);
  const Molecule remark = read_text(
      "REMARK 290       1555   X,Y,Z\nREMARK 290       2555   -X,-Y,Z+1/2\n" + cryst + "P 21 21 21    4\n" + atom,
      "b.pdb");
  ASSERT_NE(cell_of(remark), nullptr);
  EXPECT_EQ(copy_count(*cell_of(remark)), 2u);  // the file's own come first
  EXPECT_EQ(cell_of(remark)->parts[0].names, (std::vector<std::string>{"1_555", "2_555"}));
  EXPECT_EQ(cell_of(read_text(cryst + "P 1           1\n" + atom, "c.pdb")), nullptr);  // a simulation's box
  EXPECT_EQ(cell_of(read_text(cryst + "Q 7           1\n" + atom, "d.pdb")), nullptr);
  EXPECT_EQ(
      cell_of(read_text("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 21 21 21    4\n" + atom, "e.pdb")),
      nullptr);
}

// REMARK 290 has the matrices too (SMTRY), to six and five decimals; mmCIF has the name alone.
TEST(CrystalSymmetry, OfLysozymeAgreesBetweenFiles) {
  const std::string pdb = shared_data("structures/1aki.pdb"), cif = shared_data("structures/1aki.cif");
  ISOLUME_NEEDS(pdb);
  ISOLUME_NEEDS(cif);
  const Molecule a = read_file(pdb), b = read_file(cif);
  ASSERT_NE(cell_of(a), nullptr);
  ASSERT_NE(cell_of(b), nullptr);
  const auto& of_a = cell_of(a)->parts[0].operators;
  const auto& of_b = cell_of(b)->parts[0].operators;
  ASSERT_EQ(of_a.size(), 4u);
  ASSERT_EQ(of_b.size(), 4u);
  // SMTRY of operator 2: diag(-1, -1, 1) and (29.53100, 0, 15.25850).
  EXPECT_LT(glm::distance(of_a[1] * glm::dvec4(1, 2, 3, 1), glm::dvec4(28.531, -2, 18.2585, 1)), 1e-5);
  for (const glm::dmat4& by : of_a) {
    double nearest = 1e9;  // up to a vector of the cell
    for (const glm::dmat4& other : of_b) {
      const glm::dvec3 apart(by * glm::dvec4(1, 2, 3, 1) - other * glm::dvec4(1, 2, 3, 1));
      nearest = std::min(nearest, glm::length(a.trajectory->frame(0).cell.minimum_image(apart)));
    }
    EXPECT_LT(nearest, 1e-6);
  }
  EXPECT_EQ(symmetry_mates(a, 5).parts[0].operators.size(), symmetry_mates(b, 5).parts[0].operators.size());
}

}  // namespace
}  // namespace isolume
