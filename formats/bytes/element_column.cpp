// Elements of atoms where a file has them, guessed where it does not.
#include "formats/bytes/element_column.h"

#include "molecule/elements.h"

namespace isolume {

std::uint8_t ElementColumn::operator()(std::string_view symbol, std::string_view atom_name,
                                       std::string_view residue_name) {
  if (!symbol.empty() && symbol.size() <= 3) {
    if (const std::uint8_t named = element_from_symbol(symbol)) return named;
  }
  return (*this)({atom_name, residue_name, {}, 0, false});
}

std::uint8_t ElementColumn::operator()(const ElementClues& clues) {
  key_.assign(clues.atom_name);
  key_ += '\n';
  key_ += clues.residue_name;
  if (clues.mass > 0) key_.append(1, '\n').append(clues.type).append(1, '\n').append(std::to_string(clues.mass));
  const auto [place, fresh] = cache_.try_emplace(key_);
  if (fresh) place->second = guess_element(clues);
  const ElementGuess& guess = place->second;
  ++(guess.element == 0 ? unknown_ : guess.by == ElementGuess::By::mass ? weighed_ : guessed_);
  took_mass_ = took_mass_ || clues.hydrogens_took_mass;
  return guess.element;
}

void ElementColumn::add_notes(Topology& topology) const {
  const std::string total = std::to_string(topology.atoms.size());
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) topology.notes.push_back("The elements of " + std::to_string(count) + " of " + total + what);
  };
  note(guessed_, took_mass_ ? " atoms were guessed from their names: hydrogens have taken mass from heavy atoms, so "
                              "that masses alone would mislead."
                            : " atoms were guessed from their names.");
  note(weighed_, " atoms were guessed from their masses, which their names contradict or do not tell.");
  note(unknown_, " atoms are unknown.");
}

}  // namespace isolume
