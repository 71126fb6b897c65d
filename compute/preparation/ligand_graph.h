// The bonds of a ligand as a graph, its rings, and which bonds are double.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/preparation/ligand.h"

namespace isolume {

/// A ligand while its bond orders are being found.
struct LigandGraph {
  struct Edge {
    std::uint32_t to;    ///< atom
    std::uint32_t bond;  ///< index into `bonds`
  };
  struct Ring {
    std::vector<std::uint32_t> atoms;  ///< in order
    bool planar = false;
  };

  LigandGraph(std::span<const LigandAtom> atoms, std::span<const LigandBond> bonds);

  std::span<const LigandAtom> atoms;
  std::vector<LigandBond> bonds;
  std::vector<std::vector<Edge>> edges;
  std::vector<Ring> rings;  ///< of 3 to 7 atoms, the smallest through each bond

  double length(const LigandBond& bond) const;
  /// Heavy neighbours.
  std::size_t degree(std::uint32_t atom) const { return edges[atom].size(); }
  /// Of the angles between the bonds of an atom the sum, degrees.
  double sum_of_angles(std::uint32_t atom) const;
  int valence(std::uint32_t atom) const;
  bool in_planar_ring(std::uint32_t atom, std::size_t size = 0) const;
  /// In a planar ring of six with an angle and bonds there that are more like a hexagon's than a tetrahedron's.
  bool in_hexagon(std::uint32_t atom) const;
  bool same_planar_ring(std::uint32_t a, std::uint32_t b) const;
  bool unsaturated(std::uint32_t atom) const;  ///< has a bond of a higher order
  /// Neighbours of that element without other heavy neighbours.
  std::vector<std::uint32_t> ends(std::uint32_t atom, std::uint8_t element) const;
  LigandBond& bond_between(std::uint32_t a, std::uint32_t b);
};

/// Orders of the bonds to phosphorus and sulfur, of nitro groups, N-oxides and azides. Marks in `oxide` the oxygens
/// (and nitrogens of azides) that carry a negative charge with them, in `cation` the nitrogens with four bonds.
void set_group_orders(LigandGraph& graph, std::vector<char>& oxide, std::vector<char>& cation);

/// Triple and double bonds by geometry, or where `aromatic` only among the bonds that are marked so (order 4). Atoms
/// that ought to have had one are appended to `doubtful`.
void set_double_bonds(LigandGraph& graph, bool aromatic, const std::vector<char>& cation,
                      std::vector<std::uint32_t>& doubtful);

}  // namespace isolume
