// Crystals: operators as text, the unit cell, and copies near the asymmetric unit against plain loops.
#include "molecule/crystal/crystal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "molecule/base/error.h"

namespace isolume {
namespace {

const std::vector<std::string> p212121{"x,y,z", "-x+1/2,-y,z+1/2", "-x,y+1/2,-z+1/2", "x+1/2,-y+1/2,-z"};

/// Two chains of atoms at random places within `radius` of a point of the cell.
Molecule crystal(const Cell& cell, const std::vector<std::string>& triplets, std::size_t atoms, double radius,
                 unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto topology = std::make_shared<Topology>();
  Frame frame;
  frame.cell = cell;
  const glm::dvec3 middle = cell.vectors * glm::dvec3(0.3, 0.2, 0.4);
  for (std::uint32_t c = 0; c < 2; ++c) {
    Chain chain;
    chain.id = c == 0 ? "A" : "B";
    chain.first_residue = c;
    chain.residue_count = 1;
    topology->chains.push_back(chain);
    Residue residue;
    residue.chain = c;
    residue.first_atom = static_cast<std::uint32_t>(topology->atoms.size());
    residue.atom_count = static_cast<std::uint32_t>(atoms / 2);
    topology->residues.push_back(residue);
    for (std::size_t i = 0; i < atoms / 2; ++i) {
      Atom atom;
      atom.element = 6;
      atom.residue = c;
      topology->atoms.push_back(atom);
      frame.positions.emplace_back(middle + radius * glm::dvec3(uniform(engine), uniform(engine), uniform(engine)));
    }
  }
  Molecule molecule;
  molecule.topology = topology;
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame});
  if (auto made = unit_cell(*topology, cell, triplets, "")) molecule.assemblies = {made};
  return molecule;
}

/// Contacts of the asymmetric unit with each copy in a block of cells, by plain loops in double precision: the name of
/// a copy, and its pairs of atoms within the distance.
std::map<std::string, std::size_t> expanded(const Molecule& molecule, const std::vector<std::string>& triplets,
                                            double distance, int cells) {
  const Frame frame = molecule.trajectory->frame(0);
  const glm::dmat3 to = frame.cell.vectors, from = glm::inverse(to);
  std::map<std::string, std::size_t> contacts;
  for (std::size_t op = 0; op < triplets.size(); ++op) {
    const glm::dmat4 by = *symmetry_operator(triplets[op]);
    for (int x = -cells; x <= cells; ++x)
      for (int y = -cells; y <= cells; ++y)
        for (int z = -cells; z <= cells; ++z) {
          if (op == 0 && x == 0 && y == 0 && z == 0) continue;
          std::size_t count = 0;
          for (const glm::vec3& a : frame.positions) {
            const glm::dvec3 moved = to * (glm::dvec3(by * glm::dvec4(from * glm::dvec3(a), 1)) + glm::dvec3(x, y, z));
            for (const glm::vec3& b : frame.positions)
              if (glm::distance(moved, glm::dvec3(b)) <= distance) ++count;
          }
          if (count > 0)
            contacts[std::to_string(op + 1) + "_" + std::to_string(5 + x) + std::to_string(5 + y) +
                     std::to_string(5 + z)] = count;
        }
  }
  return contacts;
}

TEST(Crystal, OperatorsAreReadFromText) {
  const auto found = symmetry_operator("-X+1/2, y , Z+3/4");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(glm::dvec3(*found * glm::dvec4(0.25, 0.5, 0.125, 1)), glm::dvec3(0.25, 0.5, 0.875));
  const auto hexagonal = symmetry_operator("-y,x-y,1/3+z");
  ASSERT_TRUE(hexagonal.has_value());
  EXPECT_NEAR(glm::distance(glm::dvec3(*hexagonal * glm::dvec4(0.5, 0.25, 0, 1)), glm::dvec3(-0.25, 0.25, 1.0 / 3)), 0,
              1e-15);
  for (const char* wrong : {"", "x,y", "x,y,z,x", "x,x,z", "x,y,w", "x+1/0,y,z", "x,,z", "2x,y,z", "x+99,y,z"})
    EXPECT_FALSE(symmetry_operator(wrong).has_value()) << wrong;
}

TEST(Crystal, MatesAreThoseOfAPlainExpansion) {
  const Cell triclinic = Cell::from_lengths_angles({21, 17, 25}, {75, 100, 110});
  const Cell box = Cell::from_lengths_angles({20, 24, 18}, {90, 90, 90});
  struct Case {
    Cell cell;
    std::vector<std::string> triplets;
    double radius, distance;
  };
  for (const Case& c : {Case{box, p212121, 6, 5}, Case{box, p212121, 9, 3}, Case{triclinic, {"x,y,z"}, 8, 6},
                        Case{triclinic, {"x,y,z", "-x,-y,-z"}, 4, 8}, Case{box, p212121, 2, 0.5}}) {
    const Molecule molecule = crystal(c.cell, c.triplets, 60, c.radius, 5);
    const Assembly mates = symmetry_mates(molecule, c.distance);
    const auto expected = expanded(molecule, c.triplets, c.distance, 2);
    ASSERT_EQ(mates.parts.size(), 1u);
    EXPECT_EQ(mates.parts[0].names.front(), "1_555");
    std::vector<std::string> names(mates.parts[0].names.begin() + 1, mates.parts[0].names.end()), wanted;
    for (const auto& [name, count] : expected) wanted.push_back(name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, wanted);
    // The contacts of what is built, copy by copy.
    const Molecule built = build_assembly(molecule, mates);
    const Frame frame = built.trajectory->frame(0);
    std::map<std::string, std::size_t> found;
    for (std::size_t i = 60; i < frame.positions.size(); ++i)
      for (std::size_t k = 0; k < 60; ++k)
        if (glm::distance(glm::dvec3(frame.positions[i]), glm::dvec3(frame.positions[k])) <= c.distance)
          ++found[built.topology->chains[built.topology->residue_of(i).chain].segment];
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(is_crystal(*built.topology));
  }
}

TEST(Crystal, TheUnitCellHasEveryCopyInside) {
  const Cell box = Cell::from_lengths_angles({20, 24, 18}, {90, 90, 90});
  const Molecule molecule = crystal(box, p212121, 40, 4, 8);
  const Molecule built = build_assembly(molecule, assembly_of(molecule, unit_cell_id));
  ASSERT_EQ(built.atom_count(), 160u);
  const Frame frame = built.trajectory->frame(0);
  EXPECT_EQ(frame.cell, box) << "which these copies fill";
  EXPECT_FALSE(build_assembly(molecule, symmetry_mates(molecule, 5)).trajectory->frame(0).cell.exists());
  for (std::size_t copy = 0; copy < 4; ++copy) {
    glm::dvec3 centre(0);
    for (std::size_t i = 0; i < 40; ++i) centre += glm::dvec3(frame.positions[40 * copy + i]) / 40.0;
    const glm::dvec3 at = glm::inverse(box.vectors) * centre;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(at[axis], -1e-6);
      EXPECT_LT(at[axis], 1 + 1e-6);
    }
  }
}

TEST(Crystal, SaysWhatIsMissing) {
  const Cell box = Cell::from_lengths_angles({20, 24, 18}, {90, 90, 90});
  EXPECT_THROW(symmetry_mates(crystal({}, {}, 10, 3, 1), 5), Error);
  EXPECT_THROW(assembly_of(crystal(box, {}, 10, 3, 1), "symmetry-mates five"), Error);
  EXPECT_THROW(assembly_of(crystal(box, {}, 10, 3, 1), "symmetry-mates -1"), Error);
  EXPECT_THROW(assembly_of(crystal(box, {}, 10, 3, 1), unit_cell_id), Error);
  EXPECT_THROW(symmetry_mates(crystal(Cell::from_lengths_angles({0.01, 0.01, 0.01}, {90, 90, 90}), {}, 10, 3, 1), 5),
               Error);
  EXPECT_EQ(mates_distance(mates_id(7.5)), 7.5);
  EXPECT_FALSE(mates_distance("1").has_value());
  const auto kept = crystal(box, {}, 10, 3, 1).topology;
  const Topology& topology = *kept;
  EXPECT_EQ(unit_cell(topology, box, {"-x,-y,-z"}, ""), nullptr);  // the identity is the first
  EXPECT_EQ(unit_cell(topology, {}, p212121, ""), nullptr);
}

}  // namespace
}  // namespace isolume
