// Bonds by distance in files of periodic cells, whose molecules may be broken at the faces.
#include <fmt/format.h>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;

/// A row of carbon atoms, 1.5 angstrom apart from `first` on along `step`, put into the cell, as GRO.
std::string gro(const Cell& cell, glm::dvec3 first, glm::dvec3 step, int count) {
  const glm::dmat3 inverse = glm::inverse(cell.vectors);
  std::string text = fmt::format("a row\n{}\n", count);
  for (int i = 0; i < count; ++i) {
    const glm::dvec3 at = 0.1 * (cell.vectors * glm::fract(inverse * (first + double(i) * step)));
    text += fmt::format("{:5}POL      C{:5}{:10.5f}{:10.5f}{:10.5f}\n", 1, i + 1, at.x, at.y, at.z);
  }
  const glm::dmat3 v = 0.1 * cell.vectors;
  return text + fmt::format("{:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f}\n", v[0].x, v[1].y, v[2].z,
                            v[0].y, v[0].z, v[1].x, v[1].z, v[2].x, v[2].y);
}

TEST(PeriodicBonds, OfARowThroughEachFaceAreAllThere) {
  for (const Cell& cell :
       {Cell::from_lengths_angles({16, 17, 18}, {90, 90, 90}), Cell::from_lengths_angles({18, 18, 18}, {60, 60, 90}),
        Cell::from_lengths_angles({19, 18, 20}, {75, 100, 115})})
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 first(0.3, 0.4, 0.5);
      first[axis] = 0.8;
      const Molecule molecule =
          read_text(gro(cell, cell.vectors * first, 1.5 * glm::normalize(cell.vectors[axis]), 9), "row.gro");
      const Topology& topology = *molecule.topology;
      ASSERT_EQ(topology.bonds.size(), 8u) << axis;
      for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(topology.bonds[i], (Bond{i, i + 1}));
      EXPECT_EQ(topology.notes.back(), "Molecules are broken at the faces of the cell in this file.");
    }
}

TEST(PeriodicBonds, OfARingThroughTheCellStayWithinIt) {
  // 10 atoms 1.5 angstrom apart along an edge of 15: the last is bonded to the image of the first, without an end.
  const Cell cell = Cell::from_lengths_angles({15, 17, 18}, {90, 90, 90});
  const Molecule molecule = read_text(gro(cell, {0.7, 5, 5}, {1.5, 0, 0}, 10), "ring.gro");
  EXPECT_EQ(molecule.topology->bonds.size(), 9u);
}

TEST(PeriodicBonds, OfDepositedStructuresAreNotSoughtInNeighbouringCells) {
  // Two atoms that touch through a face: a contact of the crystal.
  const auto pdb = [](const std::string& head) {
    return "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n" + head +
           "ATOM      1  C   LIG A   1       0.500   5.000   5.000  1.00  0.00           C\n"
           "ATOM      2  C   LIG A   2      19.000   5.000   5.000  1.00  0.00           C\n";
  };
  const std::string assembly =
      "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
      "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
      "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
      "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n";
  EXPECT_EQ(read_text(pdb(""), "run.pdb").topology->bonds.size(), 1u);
  EXPECT_TRUE(read_text(pdb(assembly), "deposited.pdb").topology->bonds.empty());
}

TEST(PeriodicBonds, ACellThatMeansNothingIsNotUsed) {
  // 12 atoms in a cell of 8 cubic angstrom.
  std::string text = "a row\n12\n";
  for (int i = 0; i < 12; ++i)
    text += fmt::format("{:5}POL      C{:5}{:8.3f}{:8.3f}{:8.3f}\n", 1, i + 1, 0.15 * i, 0.0, 0.0);
  EXPECT_EQ(read_text(text + "0.2 0.2 0.2\n", "row.gro").topology->bonds.size(), 11u);
}

}  // namespace
}  // namespace isolume
