// Hydrogen bonds by geometry: water dimers by hand, alpha helices and base pairs of real files.
#include "molecule/hydrogen_bonds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

/// Water molecules: oxygen, then two hydrogens where `hydrogens`, bonded.
struct Waters {
  TopologyBuilder builder;
  Frame frame;
  bool hydrogens = true;

  void add(glm::vec3 oxygen, glm::vec3 first, glm::vec3 second) {
    const int number = static_cast<int>(frame.positions.size()) + 1;
    const auto o = static_cast<std::uint32_t>(frame.positions.size());
    const auto atom = [&](const char* name, std::uint8_t element, glm::vec3 place) {
      Atom a;
      a.name = name;
      a.element = element;
      builder.add(a, "HOH", number, ' ', "W");
      frame.positions.push_back(place);
    };
    atom("O", 8, oxygen);
    if (!hydrogens) return;
    atom("H1", 1, oxygen + first);
    atom("H2", 1, oxygen + second);
    builder.topology().bonds.push_back({o, o + 1, 1});
    builder.topology().bonds.push_back({o, o + 2, 1});
  }
};

const float half = 52.26f * static_cast<float>(M_PI) / 180;
const glm::vec3 along{0.9572f, 0, 0};
/// O-H directions with the first along x.
const glm::vec3 other{0.9572f * std::cos(2 * half), 0.9572f * std::sin(2 * half), 0};

TEST(HydrogenBonds, OfAWaterDimerPointsFromTheHydrogenToTheOxygen) {
  Waters waters;
  waters.add({0, 0, 0}, along, other);
  waters.add({2.9f, 0, 0}, {0.6f, 0, 0.75f}, {0.6f, 0, -0.75f});
  const Topology topology = waters.builder.finish();
  const std::vector<std::uint8_t> all(topology.atoms.size(), 1);
  const auto bonds = hydrogen_bonds(topology, waters.frame, all, {});
  ASSERT_EQ(bonds.size(), 1u);
  EXPECT_EQ(bonds[0], (HydrogenBond{0, 1, 3, 2.9f}));
  EXPECT_TRUE(hydrogen_bonds(topology, waters.frame, all, {2.8f, 120}).empty()) << "too far";
  std::vector<std::uint8_t> donor(topology.atoms.size(), 0);
  donor[0] = donor[1] = donor[2] = 1;
  EXPECT_TRUE(hydrogen_bonds(topology, waters.frame, donor, {}).empty()) << "the acceptor is not asked for";
}

TEST(HydrogenBonds, TheAngleAtTheHydrogenDecides) {
  // The acceptor is at an angle of 180 - tilt at the hydrogen.
  for (const float tilt : {0.0f, 30.0f, 58.0f, 62.0f, 90.0f}) {
    Waters waters;
    waters.add({0, 0, 0}, along, {-0.24f, 0.927f, 0});
    const float t = tilt * static_cast<float>(M_PI) / 180;
    const glm::vec3 acceptor = along + 1.9f * glm::vec3(std::cos(t), 0, std::sin(t));
    waters.add(acceptor, {0, -0.6f, 0.75f}, {0, -0.6f, -0.75f});
    const Topology topology = waters.builder.finish();
    const std::vector<std::uint8_t> all(topology.atoms.size(), 1);
    EXPECT_EQ(hydrogen_bonds(topology, waters.frame, all, {3.5f, 120}).size(), tilt < 60 ? 1u : 0u) << tilt;
  }
}

TEST(HydrogenBonds, WithoutHydrogensAPairIsGivenOnce) {
  Waters waters;
  waters.hydrogens = false;
  waters.add({0, 0, 0}, {}, {});
  waters.add({2.9f, 0, 0}, {}, {});
  waters.add({9, 0, 0}, {}, {});
  const Topology topology = waters.builder.finish();
  const std::vector<std::uint8_t> all(topology.atoms.size(), 1);
  const auto bonds = hydrogen_bonds(topology, waters.frame, all, {});
  ASSERT_EQ(bonds.size(), 1u);
  EXPECT_EQ(bonds[0].donor, 0u);
  EXPECT_EQ(bonds[0].hydrogen, 0u);
  EXPECT_EQ(bonds[0].acceptor, 1u);
}

TEST(HydrogenBonds, SizesThatDoNotFitAreRefused) {
  Waters waters;
  waters.add({0, 0, 0}, along, other);
  const Topology topology = waters.builder.finish();
  EXPECT_THROW(hydrogen_bonds(topology, waters.frame, std::vector<std::uint8_t>(2, 1), {}), Error);
}

/// Pairs of backbone nitrogen and oxygen, by residue number, of one chain.
std::vector<std::pair<int, int>> backbone_pairs(const Molecule& molecule, const char* chain) {
  const Topology& t = *molecule.topology;
  const std::vector<std::uint8_t> all(t.atoms.size(), 1);
  std::vector<std::pair<int, int>> pairs;
  for (const HydrogenBond& bond : hydrogen_bonds(t, molecule.trajectory->frame(0), all, {})) {
    if (t.atoms[bond.donor].name != "N" || t.atoms[bond.acceptor].name != "O") continue;
    if (t.chain_of(bond.donor).id != chain || t.chain_of(bond.acceptor).id != chain) continue;
    pairs.emplace_back(t.residue_of(bond.donor).number, t.residue_of(bond.acceptor).number);
  }
  return pairs;
}

TEST(HydrogenBonds, OfUbiquitinsHelixAndSheet) {
  const std::string path = shared_data("structures/1ubq.pdb.gz");
  ISOLUME_NEEDS(path);
  const auto pairs = backbone_pairs(read_file(path), "A");
  const auto has = [&](int donor, int acceptor) {
    return std::find(pairs.begin(), pairs.end(), std::pair(donor, acceptor)) != pairs.end();
  };
  // The paper of the structure (Vijay-Kumar, Bugg and Cook 1987, doi:10.1016/0022-2836(87)90679-6): the helix 23 to 34,
  // and the parallel and antiparallel strands 1-7, 10-17, 64-72 (without histidine 68, which this copy of the file
  // lacks).
  for (int i = 27; i <= 34; ++i) EXPECT_TRUE(has(i, i - 4)) << "helix: " << i << " to " << i - 4;
  for (const auto& [donor, acceptor] :
       {std::pair{3, 15}, {5, 13}, {7, 11}, {13, 5}, {15, 3}, {17, 1}, {4, 65}, {6, 67}, {70, 42}, {42, 70}})
    EXPECT_TRUE(has(donor, acceptor)) << "sheet: " << donor << " to " << acceptor;
}

TEST(HydrogenBonds, OfADnaDodecamersBasePairs) {
  const std::string path = shared_data("structures/1bna.pdb");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);
  const Topology& t = *molecule.topology;
  const std::vector<std::uint8_t> all(t.atoms.size(), 1);
  // Residue i of chain A pairs with 25 - i of chain B: three bonds for G and C, two for A and T.
  std::vector<int> count(25, 0);
  for (const HydrogenBond& bond : hydrogen_bonds(t, molecule.trajectory->frame(0), all, {})) {
    std::uint32_t a = bond.donor, b = bond.acceptor;
    if (t.chain_of(a).id == "B") std::swap(a, b);
    if (t.chain_of(a).id != "A" || t.chain_of(b).id != "B") continue;
    const int i = t.residue_of(a).number, j = t.residue_of(b).number;
    if (i < 1 || i > 12 || i + j != 25) continue;
    if (t.atoms[a].name.find('\'') != std::string::npos || t.atoms[b].name.find('\'') != std::string::npos) continue;
    ++count[static_cast<std::size_t>(i)];
  }
  const std::string sequence = "CGCGAATTCGCG";
  for (int i = 1; i <= 12; ++i) {
    const char base = sequence[static_cast<std::size_t>(i - 1)];
    EXPECT_GE(count[static_cast<std::size_t>(i)], base == 'C' || base == 'G' ? 3 : 2) << i << base;
  }
}

}  // namespace
}  // namespace isolume::test
