// Elements of atoms where a file has them, guessed where it does not.
#include "formats/bytes/element_column.h"

#include "molecule/elements.h"

namespace isolume {

std::uint8_t ElementColumn::operator()(std::string_view symbol, std::string_view atom_name,
                                       std::string_view residue_name, double mass) {
  if (!symbol.empty() && symbol.size() <= 3) {
    if (const std::uint8_t named = element_from_symbol(symbol)) return named;
  }
  key_.assign(atom_name);
  key_ += '\n';
  key_ += residue_name;
  if (mass > 0) key_ += '\n' + std::to_string(mass);
  const auto [place, fresh] = cache_.try_emplace(key_, std::uint8_t{0});
  if (fresh) place->second = guess_element(atom_name, residue_name, mass);
  ++(place->second == 0 ? unknown_ : guessed_);
  return place->second;
}

void ElementColumn::add_notes(Topology& topology) const {
  const std::string total = std::to_string(topology.atoms.size());
  if (guessed_ > 0) {
    topology.notes.push_back("The elements of " + std::to_string(guessed_) + " of " + total +
                             " atoms were guessed from their names.");
  }
  if (unknown_ > 0) {
    topology.notes.push_back("The elements of " + std::to_string(unknown_) + " of " + total + " atoms are unknown.");
  }
}

}  // namespace isolume
