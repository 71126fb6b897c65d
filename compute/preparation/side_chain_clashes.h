// What is around a side chain that is being built, and how much it overlaps with it.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/preparation/residue_names.h"
#include "molecule/neighbour_grid.h"
#include "molecule/topology.h"

namespace isolume {

/// An overlap of two atoms that counts as a clash, angstrom.
constexpr double clash_overlap = 0.4;

/// The radius of a heavy atom with its hydrogens, angstrom (Chothia 1976, J. Mol. Biol. 105, 1). `planar` is for
/// carbon.
double united_radius(std::uint8_t element, bool planar);

/// An atom with what its overlaps depend on.
struct ClashAtom {
  glm::dvec3 place{0.0};
  double radius = 0;
  std::uint8_t element = 0;
  std::uint32_t residue = 0;
  std::uint16_t number = 0;  ///< in its residue's template; 0xffff where it has none
};

struct ClashCount {
  std::size_t clashes = 0;
  double overlap = 0;  ///< angstrom, of all clashes
};

/// The heavy atoms of a structure in a cell list.
class ClashSurroundings {
 public:
  explicit ClashSurroundings(std::vector<ClashAtom> atoms);

  /// Adds what `atom` overlaps with, but for the pairs for which excluded(other) holds.
  template <class Excluded>
  void count(const ClashAtom& atom, Excluded&& excluded, ClashCount& sum) const {
    grid_.visit(glm::vec3(atom.place), [&](std::uint32_t i, double) {
      if (!excluded(atoms_[i])) add(atom, atoms_[i], sum);
      return false;
    });
  }
  static void add(const ClashAtom& a, const ClashAtom& b, ClashCount& sum);

  const std::vector<ClashAtom>& atoms() const { return atoms_; }

 private:
  std::vector<ClashAtom> atoms_;
  NeighbourGrid grid_;
};

}  // namespace isolume
