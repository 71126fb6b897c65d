// Elements of atoms where a file has them, guessed where it does not, with a count for the note that says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "molecule/element_guess.h"
#include "molecule/topology.h"

namespace isolume {

/// Decides the elements of one file's atoms and remembers how many were guessed. Guesses are cached by name and
/// residue, as a file has few different ones.
class ElementColumn {
 public:
  /// The element named by `symbol` where that is one, else a guess from names.
  std::uint8_t operator()(std::string_view symbol, std::string_view atom_name, std::string_view residue_name);
  /// A guess from names, type and mass.
  std::uint8_t operator()(const ElementClues& clues);
  /// Adds a note to `topology` where elements were guessed, and one where some stayed unknown.
  void add_notes(Topology& topology) const;
  /// Counts what another one guessed, of another part of the file.
  void count(const ElementColumn& other) {
    guessed_ += other.guessed_;
    weighed_ += other.weighed_;
    took_mass_ = took_mass_ || other.took_mass_;
    unknown_ += other.unknown_;
  }

 private:
  std::unordered_map<std::string, ElementGuess> cache_;
  std::string key_;
  std::size_t guessed_ = 0;  ///< from names
  std::size_t weighed_ = 0;  ///< from masses
  bool took_mass_ = false;   ///< masses are repartitioned
  std::size_t unknown_ = 0;
};

}  // namespace isolume
