// Building assemblies: copies, their places, bonds and names.
#include "molecule/assembly.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

#include "molecule/base/error.h"

namespace isolume {
namespace {

// Chain A of two bonded atoms, chain B of one bonded to the second.
Molecule three_atoms() {
  TopologyBuilder builder;
  const auto add = [&](const char* name, const char* chain) {
    Atom atom;
    atom.name = name;
    atom.element = 6;
    builder.add(atom, "LIG", 1, ' ', chain, "SEG");
  };
  add("C1", "A");
  add("C2", "A");
  add("C3", "B");
  builder.topology().bonds = {{0, 1, 2}, {1, 2, 1}};
  Frame frame;
  frame.positions = {{1, 0, 0}, {2, 0, 0}, {3, 1, 0}};
  frame.cell = Cell::from_lengths_angles({10, 10, 10}, {90, 90, 90});
  Molecule molecule;
  molecule.paths = {"made.pdb"};
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame, frame});
  return molecule;
}

// Both chains as they are and turned by 90 degrees about z; chain B once more, 5 angstrom up.
Assembly two_parts() {
  glm::dmat4 turn(1.0);
  turn[0] = {0, 1, 0, 0};
  turn[1] = {-1, 0, 0, 0};
  const glm::dmat4 up = glm::translate(glm::dmat4(1.0), glm::dvec3(0, 0, 5));
  return {"1", "made", {{{0, 1}, {glm::dmat4(1.0), turn}, {"1", "2"}}, {{1}, {up}, {"up"}}}};
}

TEST(Assembly, copies_chains_by_their_operators) {
  Molecule molecule = three_atoms();
  molecule.assemblies = {std::make_shared<const Assembly>(two_parts())};
  EXPECT_EQ(copy_count(*molecule.assemblies[0]), 3u);
  EXPECT_EQ(atom_count(*molecule.assemblies[0], *molecule.topology), 7u);
  const Molecule built = build_assembly(molecule, "1");
  const Topology& topology = *built.topology;
  EXPECT_NO_THROW(topology.validate());
  ASSERT_EQ(topology.atoms.size(), 7u);
  ASSERT_EQ(topology.chains.size(), 5u);
  EXPECT_EQ(topology.chains[2].id, "A");
  EXPECT_EQ(topology.chains[2].segment, "2");
  EXPECT_EQ(topology.chains[4].id, "B");
  EXPECT_EQ(topology.chains[4].segment, "up");
  // The bond between the chains is there in both whole copies and not in the third of chain B alone.
  const std::vector<Bond> expected = {{0, 1, 2}, {1, 2, 1}, {3, 4, 2}, {4, 5, 1}};
  EXPECT_EQ(topology.bonds, expected);

  ASSERT_EQ(built.frame_count(), 2u);
  EXPECT_EQ(built.trajectory->atom_count(), 7u);
  const Frame frame = built.trajectory->frame(1);
  EXPECT_FALSE(frame.cell.exists());
  const std::vector<glm::vec3> places = {{1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {0, 1, 0}, {0, 2, 0}, {-1, 3, 0}, {3, 1, 5}};
  EXPECT_EQ(frame.positions, places);
  EXPECT_TRUE(built.assemblies.empty());
}

TEST(Assembly, says_which_there_are) {
  Molecule molecule = three_atoms();
  const auto message = [&](const std::string& id) {
    try {
      build_assembly(molecule, id);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("1"), "assembly 1: made.pdb describes none");
  Assembly other = two_parts();
  other.id = "PAU";
  molecule.assemblies = {std::make_shared<const Assembly>(two_parts()), std::make_shared<const Assembly>(other)};
  EXPECT_EQ(message("2"), "assembly 2: made.pdb has 1, PAU");
}

}  // namespace
}  // namespace isolume
