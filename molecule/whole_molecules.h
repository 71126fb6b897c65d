// Molecules made whole, wrapped or centred in their periodic cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Where the molecules of a periodic cell are placed, for pictures, analyses and fields. A molecule is what bonds join,
/// and the virtual sites of its residues. Atoms move by cell vectors only, and all together under `centre`. Frames
/// without a cell stay as they are.
struct CellTreatment {
  enum class Mode : std::uint8_t {
    as_is,  ///< the positions of the file
    whole,  ///< bonded atoms next to each other; each molecule stays where its first atom is
    wrap,   ///< whole, and the middle of each molecule in the cell
    centre  ///< whole, the selected molecules together in the middle of the cell, the others around them in the cell
  };
  Mode mode = Mode::whole;
  std::string selection{};  ///< of centre; empty: polymers, or the largest molecule where there is none
  bool operator==(const CellTreatment&) const = default;
};

/// The molecules of a topology, and the order in which their atoms are put next to each other.
class MoleculeTree {
 public:
  /// `first`: a frame that tells molecules without an end (crystals, sheets, polymers bonded to their own images) from
  /// others: their atoms stay where they are, each by itself. Without a cell in it, all molecules have an end.
  MoleculeTree(const Topology& topology, const Frame& first);

  /// Puts bonded atoms next to each other, in one pass over the bonds.
  void make_whole(Frame& frame) const;
  /// What makes the molecules whole that have one of the first `atoms` atoms.
  MoleculeTree leading(std::size_t atoms) const;
  /// The atoms that a frame needs for make_whole(): all, or of a leading() tree the first ones.
  std::size_t atoms() const { return atoms_; }
  /// Puts the middle of each molecule of a whole frame into the cell.
  void wrap(Frame& frame) const;
  /// What is centred: atoms, and their molecules, the largest first.
  struct Centred {
    std::vector<std::uint32_t> atoms, molecules;
    std::vector<std::uint8_t> mask;  ///< of all molecules: is among them
  };
  /// The molecules of `atoms`; without atoms, the largest molecule.
  Centred centred(std::vector<std::uint32_t> atoms) const;
  /// Puts the centred molecules next to each other, the mean of the centred atoms into the middle of the cell, and
  /// wraps the other molecules.
  void centre(Frame& frame, const Centred& chosen) const;
  /// True where no molecule has two atoms: nothing can be broken.
  bool trivial() const { return steps_.empty(); }

 private:
  MoleculeTree() = default;
  struct Step {
    std::uint32_t from, to;  ///< a placed atom, and the one to place next to it
  };
  void remove_endless(const std::vector<std::uint8_t>& endless);
  glm::dvec3 middle(const Frame& frame, std::size_t molecule) const;
  void move(Frame& frame, std::size_t molecule, glm::dvec3 shift) const;

  std::size_t atoms_ = 0;      ///< of a frame that is treated
  std::size_t all_atoms_ = 0;  ///< of the system
  std::vector<Step> steps_;
  std::vector<std::uint32_t> order_;   ///< atoms, molecule after molecule
  std::vector<std::uint32_t> starts_;  ///< of each molecule in `order_`, and the end
};

/// The bonds of `topology` that join atoms of molecules without an end across the faces of the cell of `frame`: true
/// for each of them, false for all others.
std::vector<std::uint8_t> endless_bonds(const Topology& topology, const Frame& frame);

/// True where the cell can hold so many atoms (5 cubic angstrom each): files have cells that mean nothing.
bool cell_holds(const Cell& cell, std::size_t atoms);

}  // namespace isolume
