// Bonds by distance.
#pragma once

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Bonds between atoms nearer than the sum of their covalent radii plus 0.45 angstrom (and farther than 0.4), as Open
/// Babel, Jmol and RasMol do; not between two hydrogens, not between different alternate locations, not to ions of
/// monoatomic residues, not to helium, neon, argon, krypton or atoms of unknown element; across the faces of the cell
/// where the frame has one and `periodic`. Cell list, O(n). Where atoms are so crowded that it would not be (hundreds
/// of copies on each other), bonds are sought within residues and between neighbours in a chain alone, and `crowded`
/// becomes true. Sorted by (a, b), all of order 1. Throws Error where frame and topology differ in size.
std::vector<Bond> guess_bonds(const Topology& topology, const Frame& frame, bool periodic = false,
                              bool* crowded = nullptr);

/// Molecules as connected components of the bond graph: one number per atom, from 0 in order of first atom.
std::vector<std::uint32_t> fragments(const Topology& topology);

}  // namespace isolume
