// The text of a selection of atoms by their numbers.
#include "molecule/selection/index_selection.h"

#include <algorithm>

namespace isolume {

std::string index_selection(std::vector<std::uint32_t> atoms) {
  if (atoms.empty()) return "none";
  std::sort(atoms.begin(), atoms.end());
  std::string text = "index";
  for (std::size_t i = 0; i < atoms.size();) {
    std::size_t end = i;
    while (end + 1 < atoms.size() && atoms[end + 1] <= atoms[end] + 1) ++end;
    text += ' ' + std::to_string(atoms[i]);
    if (atoms[end] != atoms[i]) text += " to " + std::to_string(atoms[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace isolume
