// What kind of molecule a residue name stands for.
#pragma once

#include <string_view>

#include "molecule/topology.h"

namespace isolume {

enum class ResidueKind : unsigned char { other, protein, nucleic, water, ion, lipid, sugar };

/// By name, over the common names of the PDB, CHARMM, AMBER and GROMACS (HIE, HSD, CYX, DA5, WAT, SOL, TIP3, POPC,
/// ...).
ResidueKind residue_kind(std::string_view residue_name);

/// As above, but a residue of unknown name with a full backbone (N, CA, C, O or P, O5', C3') counts as polymer, and
/// one with a single atom of a metal or halogen as ion.
ResidueKind residue_kind(const Topology& topology, std::size_t residue);

}  // namespace isolume
