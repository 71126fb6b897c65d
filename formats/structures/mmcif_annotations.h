// The annotations of an mmCIF file: secondary structure, bonds, cell.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "formats/structures/cif.h"
#include "molecule/cell.h"
#include "molecule/topology.h"

namespace isolume::mmcif {

/// Residues by what other categories name them by.
struct ResidueIndex {
  /// (label chain, label sequence number, "" where there is none)
  std::map<std::pair<std::string, std::string>, std::uint32_t> by_label;
  /// (label chain, author's number, insertion code)
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> by_author;
};

/// Helices of struct_conf and strands of struct_sheet_range.
void apply_structure(const CifDocument& document, std::size_t block, const ResidueIndex& index, Topology& topology);

/// Covalent and disulfide bonds of struct_conn within the asymmetric unit.
void apply_bonds(const CifDocument& document, std::size_t block, const ResidueIndex& index, Topology& topology,
                 std::vector<std::string>& warnings);

/// Bonds of chem_comp_bond, with their orders, within residues that are neither polymer nor water nor ion: what
/// distances alone do not tell. Of alternate locations those of the same one.
void apply_component_bonds(const CifDocument& document, std::size_t block, Topology& topology);

/// Anisotropic displacements of atom_site_anisotrop for atoms by their serial number, in the file's Cartesian axes.
void apply_displacements(const CifDocument& document, std::size_t block, Topology& topology);

/// Those of a small molecule's atoms (by name), which are given along the reciprocal axes of its cell.
void apply_displacements(const CifDocument& document, std::size_t block, const Cell& cell, Topology& topology);

/// The cell of `prefix` ("_cell." or "_cell_"); none where there is none or where it is the unit cube that stands for
/// none. Standard uncertainties "5.43(1)" are dropped.
Cell cell(const CifDocument& document, std::size_t block, const std::string& prefix,
          std::vector<std::string>& warnings);

/// The first character of a value, ' ' where there is none that can be shown.
char letter(std::string_view text);

/// A number without its standard uncertainty: "0.1234(5)" is "0.1234".
std::string_view without_uncertainty(std::string_view text);

}  // namespace isolume::mmcif
