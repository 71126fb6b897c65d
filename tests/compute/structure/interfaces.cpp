// Chains and ligands that touch: areas of two spheres by their formula, and which atoms are of which part.
#include "compute/structure/interfaces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"

namespace isolume::test {
namespace {

/// One carbon a residue, so that every part is a sphere.
struct Spheres {
  TopologyBuilder builder;
  Frame frame;

  void add(const char* residue, int number, const char* chain, glm::vec3 place) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    builder.add(atom, residue, number, ' ', chain);
    frame.positions.push_back(place);
  }
};

/// Half of what two spheres of radius 1.7 + 1.4 at this distance lose: one cap, 2 pi R (R - d / 2).
double buried(double distance) {
  const double r = 3.1;
  return 2 * M_PI * r * (r - distance / 2);
}

TEST(Interfaces, OfSpheresAreTheirCapsTheLargestFirst) {
  Spheres made;
  made.add("GLY", 1, "A", {0, 0, 0});
  made.add("HOH", 300, "A", {0, 3, 0});
  made.add("BEN", 248, "A", {-3.8f, 0, 0});
  made.add("GLY", 1, "B", {5, 0, 0});
  made.add("GLY", 1, "", {40, 0, 0});
  made.add("BEN", 2, "", {46.19f, 0, 0});  // caps of a tenth of a square angstrom
  const Topology topology = made.builder.finish();
  const auto parts = structure_parts(topology, made.frame);
  ASSERT_EQ(parts.size(), 5u) << "water is no part";
  const char* const names[] = {"Chain A", "Chain B", "Chain 3", "BEN A:248", "BEN 2"};
  const std::uint32_t atoms[] = {0, 3, 4, 2, 5};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].name, names[i]);
    EXPECT_EQ(parts[i].atoms, std::vector<std::uint32_t>{atoms[i]}) << names[i];
  }
  Job job;
  const auto found = interfaces(topology, made.frame, parts, job);
  ASSERT_EQ(found.size(), 2u) << "the ligand and chain B are apart, the others have too small an area";
  EXPECT_EQ(found[0].first, 0u);
  EXPECT_EQ(found[0].second, 3u);
  EXPECT_EQ(found[1].first, 0u);
  EXPECT_EQ(found[1].second, 1u);
  // Of 960 points on a sphere, about 960^(1/4) are counted wrongly (compute/analysis/sasa.h).
  const double wrong = std::pow(960, -0.75) * 4 * M_PI * 3.1 * 3.1;
  EXPECT_NEAR(found[0].area, buried(3.8), wrong);
  EXPECT_NEAR(found[1].area, buried(5), wrong);
}

TEST(Interfaces, ResiduesOfAChainAreOnePartAndLigandsAreSingle) {
  Spheres made;
  for (int i = 1; i <= 3; ++i) made.add("GLY", i, "A", {3.8f * static_cast<float>(i), 0, 0});
  made.add("BEN", 7, "A", {0, 20, 0});
  made.add("BEN", 8, "A", {0, 24, 0});
  const Topology topology = made.builder.finish();
  const auto parts = structure_parts(topology, made.frame);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].atoms, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(parts[1].name, "BEN A:7");
  EXPECT_EQ(parts[2].name, "BEN A:8");
}

TEST(Interfaces, StopWhereTheJobIsCancelled) {
  Spheres made;
  made.add("GLY", 1, "A", {0, 0, 0});
  made.add("GLY", 1, "B", {4, 0, 0});
  const Topology topology = made.builder.finish();
  Job job;
  job.cancel();
  EXPECT_THROW(interfaces(topology, made.frame, structure_parts(topology, made.frame), job), Error);
}

}  // namespace
}  // namespace isolume::test
