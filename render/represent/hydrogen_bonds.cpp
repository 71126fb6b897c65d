// Hydrogen bonds as dashes.
#include "molecule/hydrogen_bonds.h"

#include <algorithm>
#include <cmath>

#include "render/represent/style_input.h"

namespace isolume {
namespace {

constexpr float dash = 0.22f, gap = 0.16f;  // angstrom

}  // namespace

Items represent_hydrogen_bonds(const StyleInput& input) {
  Cylinders dashes;
  dashes.round_ends = true;
  const float radius = 0.4f * input.options.bond_radius;
  for (const HydrogenBond& bond :
       hydrogen_bonds(input.topology, input.found, input.drawn, input.options.hydrogen_bonds)) {
    // From the hydrogen, where there is one, to the acceptor.
    const glm::vec3 a = input.position(bond.hydrogen), b = input.position(bond.acceptor);
    const float length = glm::distance(a, b);
    const int count = std::max(1, static_cast<int>(std::lround(length / (dash + gap))));
    const float drawn = dash / (dash + gap);
    for (int i = 0; i < count; ++i) {
      const float middle = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
      const float half = 0.5f * drawn / static_cast<float>(count);
      dashes.cylinders.push_back({glm::mix(a, b, middle - half), glm::mix(a, b, middle + half), radius});
      const bool first = i < count / 2;
      dashes.parts_a.push_back(first ? bond.donor : bond.acceptor);
    }
  }
  dashes.parts_b = dashes.parts_a;
  for (const std::uint32_t atom : dashes.parts_a) dashes.colours_a.push_back(input.colours[atom]);
  dashes.colours_b = dashes.colours_a;
  Items items;
  if (!dashes.cylinders.empty()) input.add(items, std::move(dashes));
  return items;
}

}  // namespace isolume
