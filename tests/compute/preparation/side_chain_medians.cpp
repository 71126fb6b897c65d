// The ideal side chains against crystal structures: medians of bonds and angles of each kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "compute/preparation/side_chain_tables.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using Places = std::map<std::string, glm::dvec3>;
using Key = std::array<std::string, 4>;  // residue, atom, parent, and of an angle its third atom

double angle_at(const Places& p, const Key& key) {
  const glm::dvec3 a = glm::normalize(p.at(key[1]) - p.at(key[2])), b = glm::normalize(p.at(key[3]) - p.at(key[2]));
  return std::acos(std::clamp(glm::dot(a, b), -1.0, 1.0)) * 180.0 / units::pi;
}

double torsion(const Places& p, const Key& key) {
  const glm::dvec3 a = p.at(key[0]), b = p.at(key[1]), c = p.at(key[2]), d = p.at(key[3]);
  const glm::dvec3 x = glm::cross(b - a, c - b), y = glm::cross(c - b, d - c);
  return std::atan2(glm::dot(glm::cross(x, y), glm::normalize(c - b)), glm::dot(x, y)) * 180.0 / units::pi;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What the table's head says of it: kinds of which there are 20 or more in these eight structures.
TEST(SideChains, HaveTheMedianBondsAndAnglesOfCrystals) {
  std::map<Key, double> ideal;
  std::map<Key, std::vector<double>> found;
  std::array<std::array<std::vector<double>, 2>, 2> proline;  // chi1 and chi2 of chi1 > 0, and of chi1 < 0
  for (const char* file :
       {"1aki.pdb", "1crn.pdb", "1dix.pdb", "1ejg.pdb", "1ubq.pdb.gz", "1hpv.pdb", "1hvr.pdb", "4oz7.pdb"}) {
    const std::string path = test::shared_data(std::string("structures/") + file);
    ISOLUME_NEEDS(path);
    const Molecule molecule = read_file(path);
    const Topology& topology = *molecule.topology;
    const Frame frame = molecule.trajectory->frame(0);
    std::vector<Places> residues(topology.residues.size());
    for (std::size_t i = 0; i < topology.atoms.size(); ++i)
      if (topology.atoms[i].altloc == ' ' || topology.atoms[i].altloc == 'A')
        residues[topology.atoms[i].residue].emplace(topology.atoms[i].name, glm::dvec3(frame.positions[i]));
    for (std::size_t r = 0; r < residues.size(); ++r) {
      const Places& places = residues[r];
      const SideChain* const chain = ideal_side_chain(topology.residues[r].name);
      if (chain == nullptr) continue;
      const auto has = [&](const std::string& name) { return places.contains(name); };
      for (const SideChainAtom& atom : chain->atoms) {
        if (!has(atom.name) || !has(atom.parent)) continue;
        const auto add = [&](const std::string& third, double value) {
          const Key key{chain->residue, atom.name, atom.parent, third};
          ideal[key] = value;
          found[key].push_back(third.empty() ? glm::distance(places.at(atom.name), places.at(atom.parent))
                                             : angle_at(places, key));
        };
        add("", atom.bond);
        if (has(atom.next)) add(atom.next, atom.angle);
        if (atom.last_angle > 0 && has(atom.last)) add(atom.last, atom.last_angle);
      }
      if (chain->residue != "PRO" || !has("CG") || !has("CD")) continue;
      const double chi1 = torsion(places, {"N", "CA", "CB", "CG"});
      if (std::abs(chi1) < 15) continue;  // of neither rotamer
      proline[chi1 > 0 ? 0 : 1][0].push_back(chi1);
      proline[chi1 > 0 ? 0 : 1][1].push_back(torsion(places, {"CA", "CB", "CG", "CD"}));
    }
  }
  std::size_t kinds = 0;
  for (const auto& [key, values] : found) {
    if (values.size() < 20) continue;
    ++kinds;
    EXPECT_NEAR(median(values), ideal.at(key), key[3].empty() ? 0.0265 : 2.1)
        << key[0] << " " << key[1] << "-" << key[2] << " " << key[3];
  }
  EXPECT_GT(kinds, 100u);
  // Proline's rotamers: the library has chi1 alone.
  const std::vector<Rotamer>& rotamers = ideal_side_chain("PRO")->rotamers;
  ASSERT_EQ(rotamers.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_GT(proline[k][0].size(), 10u);
    for (std::size_t chi = 0; chi < 2; ++chi) EXPECT_NEAR(median(proline[k][chi]), rotamers[k].chi[chi], 4) << k << chi;
  }
}

}  // namespace
}  // namespace isolume
