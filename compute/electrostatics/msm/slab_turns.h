// Which slabs of a lattice charges are spread onto at the same time.
#pragma once

#include <vector>

namespace isolume {

/// Layers that the charges of a slab reach beyond it, below and above together, at most.
inline constexpr int slab_reach = 8;

/// Slabs of `thickness` layers (the last may be thinner) of a lattice of `layers` layers, in turns: those of one turn
/// may be filled at the same time, since no layer is reached from two of them. Charges of a slab reach up to half of
/// `slab_reach` layers beyond each of its ends, around the end of the lattice where it is periodic. `thickness` is at
/// least slab_reach.
std::vector<std::vector<int>> slab_turns(int layers, int thickness, bool periodic);

}  // namespace isolume
