// Overlaps of side chains with what is around them.
#include "compute/preparation/side_chain_clashes.h"

#include <utility>

#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr double reach = 3.8;  // two of the largest radii, less what is no clash

NeighbourGrid grid_of(const std::vector<ClashAtom>& atoms) {
  std::vector<glm::vec3> places;
  for (const ClashAtom& atom : atoms) places.emplace_back(atom.place);
  return NeighbourGrid(places, reach);
}

}  // namespace

double united_radius(std::uint8_t element, bool planar) {
  switch (element) {
    case 6:
      return planar ? 1.76 : 1.87;
    case 7:
      return 1.65;
    case 8:
      return 1.40;
    case 16:
      return 1.85;
    case 9:
    case 15:
    case 17:
    case 34:
    case 35:
    case 53:
      return static_cast<double>(isolume::element(element).vdw_radius);
    default:
      return 0.9;  // metals, which have short bonds to nitrogen, oxygen and sulphur
  }
}

ClashSurroundings::ClashSurroundings(std::vector<ClashAtom> atoms) : atoms_(std::move(atoms)), grid_(grid_of(atoms_)) {}

void ClashSurroundings::add(const ClashAtom& a, const ClashAtom& b, ClashCount& sum) {
  const double distance = glm::distance(a.place, b.place);
  const double overlap = a.radius + b.radius - distance;
  if (overlap < clash_overlap) return;
  if (a.element == 16 && b.element == 16 && distance > 1.9 && distance < 2.3) return;  // a disulphide bridge
  ++sum.clashes;
  sum.overlap += overlap;
}

}  // namespace isolume
