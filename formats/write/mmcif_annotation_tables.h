// What an mmCIF file says of its atoms: helices, strands, bonds, displacements.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/write/buffered_output.h"
#include "formats/write/mmcif_entities.h"
#include "molecule/topology.h"

namespace isolume {

/// struct_conf and struct_sheet_range: helices and strands by runs of residues of one polymer. Each strand is a sheet
/// of its own, since which strands pair is not kept.
void write_cif_structure(BufferedOutput& out, const Topology& topology, const CifEntities& entities);

/// struct_conn: bonds between residues that no chain implies, and chem_comp_bond: those within residues of ligands,
/// lipids and sugars whose atoms have names of their own; orders where the file had them. The number of bonds that
/// names cannot tell apart, which are left out.
std::size_t write_cif_bonds(BufferedOutput& out, const Topology& topology, const CifEntities& entities,
                            const std::vector<std::uint32_t>& atoms);

/// atom_site_anisotrop, by the numbers of the first model's atoms, from 1.
void write_cif_displacements(BufferedOutput& out, const Topology& topology, const std::vector<std::uint32_t>& atoms);

}  // namespace isolume
