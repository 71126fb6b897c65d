// The selection language: which atoms a text names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/base/error.h"
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
/// Words follow VMD, with PyMOL's synonyms; selection_keywords() lists all.
///
/// * One word: all none protein nucleic polymer water ion inorganic metal backbone sidechain alpha guide hydrogen noh
///   hetero ligand (organic) lipid sugar helix sheet turn coil acidic basic polar hydrophobic aromatic charged ...
/// * Lists: chain segname resname name type element altloc insertion ss; resid (resi) residue index serial fragment
///   numbonds; `resname ALA GLY`, `resn ALA+GLY`, `resid 10 to 20`, `resi 10-20+30`, `resid 27A`, `name C*`, and
///   `name "C.*"` for regular expressions, which match whole names. Names, residue names and elements match in either
///   case of letters, in quotes as written.
/// * Numbers: also x y z speed force charge mass radius beta (b) occupancy (q) formal_charge, compared with < <= > >= =
/// != (chains
///   such as 0 < x < 5 too) and calculated with + - * / % ^ abs() sqr() sqrt() exp() log().
/// * Distances: `within 5 of S`, `exwithin 5 of S` (without S), `pbwithin 5 of S` (nearest images), `beyond 5 of S`,
/// and
///   behind S: `S around 5` (without S), `S expand 5` (with it). Plain Cartesian distance, the border included.
/// * Groups: `same residue as S` (chain, fragment, or any of the above), byres bychain bysegment bymolecule S.
/// * Bonds: `withinbonds 2 of S`, `S extend 2`, `neighbor S` (without S), `bound_to S`.
/// * and or not (& | !), parentheses; two selections side by side mean `and`. What follows `of`, `as` or `byres`
/// reaches
///   as far as that of `not`: one word with its values, or a parenthesis.
///
/// Distances in angstrom; `residue`, `index` and `fragment` count from 0.
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
