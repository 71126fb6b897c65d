// Properties of single atoms of the tables: remoteness, planarity, radii.
#pragma once

#include <cstdint>
#include <string_view>

#include "compute/preparation/prepared_charges.h"
#include "compute/preparation/residue_tables.h"
#include "molecule/topology.h"

namespace isolume {

/// How far a neighbour of an atom is from the main chain: the nearest comes first, and what "HB2" and "HB3" are depends
/// on it.
int remoteness(std::string_view atom, std::string_view parent);

/// Whether the bonds of an atom of the tables are in one plane.
bool is_planar(const ChargedResidue& from, std::size_t index);

/// The radius of an atom in a set, angstrom; `carrier`: the element that a hydrogen is bonded to.
float radius_of(RadiusSet set, const Atom& atom, std::uint8_t carrier);

}  // namespace isolume
