// Ideal side chains, parsed once from the text of resources/tables/side_chains.txt.
#include "compute/preparation/side_chain_tables.h"

#include <algorithm>
#include <utility>

#include "compute/preparation/residue_table_texts.h"
#include "compute/preparation/table_lines.h"

namespace isolume {
namespace {

SideChainAtom atom_of(const std::vector<std::string_view>& words) {
  SideChainAtom atom;
  atom.name = words.at(1);
  atom.parent = words.at(2);
  atom.bond = table_number(words.at(3));
  atom.next = words.at(4);
  atom.angle = table_number(words.at(5));
  atom.last = words.at(6);
  std::string_view torsion = words.at(7);
  if (atom.name == "CB") {
    atom.last_angle = table_number(torsion);
  } else if (torsion.starts_with("chi")) {
    atom.chi = static_cast<std::size_t>(torsion.at(3) - '0');
    torsion.remove_prefix(4);
    if (torsion.starts_with('+')) torsion.remove_prefix(1);
    if (!torsion.empty()) atom.torsion = table_number(torsion);
  } else {
    atom.torsion = table_number(torsion);
  }
  return atom;
}

std::vector<SideChain> parsed_side_chains(std::string_view text) {
  std::vector<SideChain> all;
  for_table_lines(text, [&](const std::vector<std::string_view>& words) {
    if (words[0] == "residue") {
      all.emplace_back();
      all.back().residue = words.at(1);
    } else if (words[0] == "atom") {
      all.back().atoms.push_back(atom_of(words));
    } else if (words[0] == "ring") {
      std::vector<SideChainAtom>& atoms = all.back().atoms;
      const auto closing = std::find_if(atoms.begin(), atoms.end(), [&](const auto& a) { return a.name == words[1]; });
      closing->ring = words.at(2);
      closing->ring_bond = table_number(words.at(3));
    } else {
      Rotamer rotamer;
      rotamer.percent = table_number(words.at(1));
      for (std::size_t i = 2; i < words.size(); ++i) rotamer.chi.push_back(table_number(words[i]));
      all.back().rotamers.push_back(std::move(rotamer));
    }
  });
  return all;
}

}  // namespace

const SideChain* ideal_side_chain(std::string_view residue) {
  static const std::vector<SideChain> all = parsed_side_chains(side_chains_text);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SideChain& s) { return s.residue == residue; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace isolume
