// Alternate locations of a residue: which one counts, and which are another residue in truth.
#pragma once

#include <cstddef>

#include "molecule/topology.h"

namespace isolume {

/// The location that is drawn and computed: the first in the order of the file; ' ' where the residue has none. It
/// gives the residue its name.
char first_alternate(const Topology& topology, std::size_t residue);

/// Whether `location` is another residue at the same place, as PRO and SER 22 of crambin are, or a part of one: with
/// the atoms that are in all locations it has not the heavy atoms of the first location, nor just more of them that
/// belong to the residue's name. Such atoms are no part of the residue that the first location makes.
bool is_other_residue(const Topology& topology, std::size_t residue, char location);

}  // namespace isolume
