// The text of a selection of one residue.
#include "molecule/selection/residue_selection.h"

#include <algorithm>

namespace isolume {
namespace {

/// Letters and digits, which need no quotes.
bool plain_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

std::string residue_selection_of(const Topology& topology, std::uint32_t residue) {
  const Residue& own = topology.residues[residue];
  const std::string& chain = topology.chains[own.chain].id;
  const auto same = [&](const Residue& other) {
    return other.number == own.number && other.insertion == own.insertion && other.name == own.name &&
           topology.chains[other.chain].id == chain;
  };
  if (!plain_word(own.name) || own.insertion != ' ' || own.number < 0 ||
      std::count_if(topology.residues.begin(), topology.residues.end(), same) != 1)
    return "residue " + std::to_string(residue);
  std::string words = "resid " + std::to_string(own.number) + " and resname " + own.name;
  if (plain_word(chain)) words = "chain " + chain + " and " + words;
  return words;
}

}  // namespace isolume
