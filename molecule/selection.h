// The selection language: which atoms a text names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/error.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// A fault in a selection text. what() has three lines: the message, the text, and a caret under the word.
class SelectionError : public Error {
 public:
  SelectionError(const std::string& message, std::string_view text, std::size_t column, std::size_t length);
  std::size_t column;  ///< of the word in the text, from 0
  std::size_t length;
};

/// A parsed selection: a value that compares by its text and can be applied to any molecule and frame.
///
/// Words follow VMD, with PyMOL's synonyms (`resi`, `resn`, `elem`, `segi`, `byres`, `around`, `polymer`, `organic`):
/// all none protein nucleic water ion backbone sidechain alpha hydrogen noh hetero ligand lipid sugar helix sheet coil
/// acidic basic polar hydrophobic aromatic charged; chain, segname, resname, resid (lists, `to` and `-` ranges),
/// residue, name, type, element, index, serial, altloc (with "quoted" regular expressions); comparisons of x y z charge
/// mass radius beta occupancy with numbers and arithmetic; `within R of S`, `exwithin R of S`, `same
/// residue|chain|fragment as S`, `withinbonds N of S`; and, or, not, parentheses. Distances in angstrom; residue and
/// index count from 0.
class Selection {
 public:
  Selection();  ///< all
  /// Throws SelectionError that points at the word and suggests the nearest keyword.
  explicit Selection(std::string_view text);

  const std::string& text() const { return text_; }
  /// True where the result can change from frame to frame (within, x, y, z).
  bool depends_on_positions() const;

  /// One byte per atom, 1 where selected. `frame` may be empty (no positions) only for selections that do not depend on
  /// positions; throws Error (usage) otherwise.
  std::vector<std::uint8_t> mask(const Topology& topology, const Frame& frame) const;
  /// Indices of the selected atoms, ascending.
  std::vector<std::uint32_t> atoms(const Topology& topology, const Frame& frame) const;

  bool operator==(const Selection& other) const { return text_ == other.text_; }

 private:
  std::string text_;
  std::shared_ptr<const struct SelectionNode> root_;
};

/// Keywords for completion, sorted.
std::vector<std::string> selection_keywords();

}  // namespace isolume
