// Remoteness, planarity and radii of atoms of the tables.
#include "compute/preparation/residue_atoms.h"

#include <algorithm>

#include "molecule/elements.h"

namespace isolume {

int remoteness(std::string_view atom, std::string_view parent) {
  if (atom.ends_with('\'') && atom.size() > 1) {
    const int digit = atom[atom.size() - 2] - '0';
    return parent == "C2'" ? -digit : digit;
  }
  if (atom == "N") return parent == "CA" ? 0 : 20;
  if (atom == "C") return 20;
  if (atom.size() < 2) return 30;
  const std::size_t rank = std::string_view("ABGDEZH").find(atom[1]);
  return rank == std::string_view::npos ? 10 : static_cast<int>(rank) + 1;
}

bool is_planar(const ChargedResidue& from, std::size_t index) {
  const ChargedResidue::Atom& a = from.atoms[index];
  const std::size_t degree = a.neighbours.size() + (a.linked ? 1 : 0);
  if (a.element == 6) return degree == 3;
  if (a.element == 7) return degree == 3 && a.name != "NZ" && (a.name != "N" || a.linked);
  if (a.element != 8 || degree != 2) return false;
  // A hydroxyl is in the plane of what carries it.
  return std::any_of(a.neighbours.begin(), a.neighbours.end(),
                     [&](std::uint16_t n) { return from.atoms[n].element == 6 && is_planar(from, n); });
}

float radius_of(RadiusSet set, const Atom& atom, std::uint8_t carrier) {
  if (set == RadiusSet::own) return atom.radius;
  if (atom.element == 1) {
    if (set == RadiusSet::mbondi) return carrier == 8 || carrier == 16 ? 0.8f : 1.3f;
    return set == RadiusSet::mbondi2 && carrier == 7 ? 1.3f : 1.2f;
  }
  switch (atom.element) {  // as AMBER has Bondi's
    case 6:
      return 1.7f;
    case 7:
      return 1.55f;
    case 8:
      return 1.5f;
    case 15:
      return 1.85f;
    case 16:
      return 1.8f;
    default:
      return element(atom.element).vdw_radius;
  }
}

}  // namespace isolume
