// Bonds by distance where their number is known.
#include "molecule/bonds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Site {
  int element;
  glm::vec3 at;
  char altloc = ' ';
};

std::vector<Bond> bonds_of(const std::vector<Site>& sites, Cell cell = {}, bool periodic = false,
                           int per_residue = 1000) {
  TopologyBuilder builder;
  Frame frame;
  frame.cell = cell;
  for (const Site& site : sites) {
    Atom atom;
    atom.element = static_cast<std::uint8_t>(site.element);
    atom.altloc = site.altloc;
    builder.add(atom, "LIG", static_cast<int>(frame.positions.size()) / per_residue, ' ', "A");
    frame.positions.push_back(site.at);
  }
  return guess_bonds(builder.finish(), frame, periodic);
}

TEST(Bonds, ReachIsTheSumOfTheRadiiAndNearlyHalfAnAngstrom) {
  const float reach = 0.76f + 0.66f + 0.45f;  // C and O
  EXPECT_EQ(bonds_of({{6, {0, 0, 0}}, {8, {reach - 0.001f, 0, 0}}}).size(), 1u);
  EXPECT_TRUE(bonds_of({{6, {0, 0, 0}}, {8, {reach + 0.001f, 0, 0}}}).empty());
  EXPECT_TRUE(bonds_of({{6, {0, 0, 0}}, {8, {0.39f, 0, 0}}}).empty());
  EXPECT_TRUE(bonds_of({{1, {0, 0, 0}}, {1, {0.74f, 0, 0}}}).empty());
  EXPECT_TRUE(bonds_of({{6, {0, 0, 0}}, {0, {1.2f, 0, 0}}}).empty());
  EXPECT_TRUE(bonds_of({{18, {0, 0, 0}}, {36, {2, 0, 0}}}).empty());
  EXPECT_EQ(bonds_of({{54, {0, 0, 0}}, {9, {2, 0, 0}}}).size(), 1u);  // xenon difluoride
  EXPECT_TRUE(bonds_of({{6, {0, 0, 0}, 'A'}, {6, {1.2f, 0, 0}, 'B'}}).empty());
  EXPECT_EQ(bonds_of({{6, {0, 0, 0}, 'A'}, {6, {1.2f, 0, 0}, ' '}}).size(), 1u);
  EXPECT_TRUE(bonds_of({{30, {0, 0, 0}}, {7, {2.0f, 0, 0}}}, {}, false, 1).empty());  // zinc on its own
  EXPECT_EQ(bonds_of({{30, {0, 0, 0}}, {7, {2.0f, 0, 0}}}).size(), 1u);               // zinc in a complex
}

TEST(Bonds, CrossTheFacesOfTheCellOnRequest) {
  const Cell cell = Cell::from_lengths_angles({8, 8, 8}, {70, 80, 95});
  const std::vector<Site> sites{{6, glm::vec3(cell.vectors * glm::dvec3(0.02, 0.5, 0.5))},
                                {6, glm::vec3(cell.vectors * glm::dvec3(-0.15, 3.5, 0.5))}};
  EXPECT_TRUE(bonds_of(sites, cell, false).empty());
  EXPECT_EQ(bonds_of(sites, cell, true), (std::vector<Bond>{{0, 1, 1}}));
  // Diamond: 8 atoms in a cube of 3.567 angstrom, four bonds each, so 16.
  const Cell cube = Cell::from_lengths_angles({3.567, 3.567, 3.567}, {90, 90, 90});
  std::vector<Site> diamond;
  for (const glm::dvec3& f :
       {glm::dvec3(0, 0, 0), glm::dvec3(0, .5, .5), glm::dvec3(.5, 0, .5), glm::dvec3(.5, .5, 0)}) {
    diamond.push_back({6, glm::vec3(cube.vectors * f)});
    diamond.push_back({6, glm::vec3(cube.vectors * (f + 0.25))});
  }
  EXPECT_EQ(bonds_of(diamond, cube, true).size(), 16u);
}

TEST(Bonds, OfCrambinAreThoseOfItsSequence) {
  const std::string path = test::shared_data("structures/1crn.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  // One connected molecule: atoms - 1 bonds, and one more for each ring (5 Pro, 1 Phe, 2 Tyr) and disulfide (3).
  ASSERT_EQ(molecule.atom_count(), 327u);
  Topology t = *molecule.topology;
  t.bonds = guess_bonds(t, molecule.trajectory->frame(0));
  EXPECT_EQ(t.bonds.size(), 327u - 1 + 5 + 1 + 2 + 3);
  EXPECT_NO_THROW(t.validate());
  const std::vector<std::uint32_t> parts = fragments(t);
  EXPECT_EQ(*std::max_element(parts.begin(), parts.end()), 0u);
}

TEST(Bonds, SurviveOutliersAndWrongSizes) {
  std::vector<Site> sites;
  for (int i = 0; i < 3000; ++i)
    sites.push_back({6, {1.5f * static_cast<float>(i % 100), 3.0f * static_cast<float>(i / 100), 0}});
  sites.push_back({6, {1e30f, 0, 0}});
  sites.push_back({6, {std::nanf(""), 0, 0}});
  sites.push_back({6, {-4e6f, 4e6f, 2e5f}});
  EXPECT_EQ(bonds_of(sites).size(), 30u * 99);
  EXPECT_THROW(guess_bonds(Topology{}, Frame{{glm::vec3(0)}, {}, {}, {}, {}, 0, false}), Error);
  EXPECT_TRUE(guess_bonds(Topology{}, Frame{}).empty());
}

}  // namespace
}  // namespace isolume
