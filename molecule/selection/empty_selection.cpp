// What to say of a selection that holds no atoms.
#include "molecule/selection/empty_selection.h"

#include <set>

namespace isolume {

std::string empty_selection(const std::string& selection, const Topology& topology) {
  constexpr std::size_t most = 40;
  const auto listed = [](const std::set<std::string>& names) {
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (count++ == most) return text + " and " + std::to_string(names.size() - most) + " more";
      text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  };
  std::set<std::string> residues, chains;
  for (const Residue& residue : topology.residues) {
    if (!residue.name.empty()) residues.insert(residue.name);
  }
  for (const Chain& chain : topology.chains) {
    if (!chain.id.empty()) chains.insert(chain.id);
  }
  std::string text = "the selection '" + selection + "' holds no atoms";
  if (!residues.empty()) text += "; there are residues " + listed(residues);
  if (selection.find("chain") != std::string::npos && !chains.empty()) text += ", and chains " + listed(chains);
  return text;
}

}  // namespace isolume
