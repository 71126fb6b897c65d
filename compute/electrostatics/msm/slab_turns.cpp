// Slabs of a lattice in turns, such that those of one turn meet nowhere.
#include "compute/electrostatics/msm/slab_turns.h"

namespace isolume {

std::vector<std::vector<int>> slab_turns(int layers, int thickness, bool periodic) {
  const int slabs = (layers + thickness - 1) / thickness;
  const int last = layers - (slabs - 1) * thickness;
  const bool thin = periodic && slabs > 1 && last < slab_reach;
  std::vector<std::vector<int>> turns;
  // The neighbours of a thin last slab meet across it: in a ring of two or three slabs all of them do.
  if (thin && slabs <= 3) {
    for (int slab = 0; slab < slabs; ++slab) turns.push_back({slab});
    return turns;
  }
  // Even and odd slabs in turn. In a ring of an odd number the last one meets the first; in one of an even number the
  // last but one does, across a thin last slab.
  const bool odd = slabs % 2 == 1;
  const int apart = !periodic || slabs == 1 ? -1 : odd ? slabs - 1 : thin ? slabs - 2 : -1;
  turns.resize(3);
  for (int slab = 0; slab < slabs; ++slab) turns[slab == apart ? 2 : slab % 2 == 0 ? 0 : 1].push_back(slab);
  while (turns.back().empty()) turns.pop_back();
  return turns;
}

}  // namespace isolume
