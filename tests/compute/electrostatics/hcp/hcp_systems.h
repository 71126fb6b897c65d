// Complexes of chains of residues for tests of hierarchical charge partitioning.
#pragma once

#include <cmath>

#include "compute/electrostatics/hcp/hcp_energy.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume::test {

struct System {
  std::vector<PointCharge> charges;
  HcpHierarchy hierarchy;
};

/// Complexes of chains of residues of 1 to 19 atoms, in balls of 25 angstrom; residues neutral or of charge +-1.
inline System make_system(int complexes, int chains, int residues, std::uint32_t seed = 5) {
  System system;
  test::Random random(seed);
  auto& [groups, subunits, wholes] = system.hierarchy.first;
  groups = subunits = wholes = {0};
  for (int x = 0; x < complexes; ++x) {
    const glm::dvec3 home(140.0 * x, 0, 0);
    for (int c = 0; c < chains; ++c) {
      const glm::dvec3 middle = home + random.in_box(-40, 40);
      for (int r = 0; r < residues; ++r) {
        const glm::dvec3 place = middle + random.in_box(-14, 14);
        const int atoms = 1 + static_cast<int>(random(0, 19));
        const double net = std::floor(random(-1, 2));
        double sum = 0;
        for (int a = 0; a < atoms; ++a) {
          const double q = a + 1 == atoms ? net - sum : random(-0.8, 0.8);
          sum += q;
          system.charges.push_back({glm::vec3(place + random.in_box(-2.5, 2.5)), static_cast<float>(q)});
        }
        groups.push_back(static_cast<std::uint32_t>(system.charges.size()));
      }
      subunits.push_back(static_cast<std::uint32_t>(groups.size() - 1));
    }
    wholes.push_back(static_cast<std::uint32_t>(subunits.size() - 1));
  }
  return system;
}

}  // namespace isolume::test
