// What PDB records say about residues and bonds: HELIX, SHEET, SSBOND, LINK, CONECT.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/molecule.h"

namespace isolume::pdb {

/// Records kept while the atoms are read; views into the source.
struct Annotations {
  std::vector<std::string_view> helices;
  std::vector<std::string_view> sheets;
  std::vector<std::string_view> disulfides;
  std::vector<std::string_view> links;
  std::vector<std::string_view> connections;
  std::vector<std::string_view> assemblies;  ///< REMARK 350
  std::vector<std::string_view> symmetry;    ///< REMARK 290

  /// Keeps the line where it is such a record.
  bool take(std::string_view line);
};

/// Marks helices and strands; Topology::has_structure where a range was found in it.
void apply_structure(const Annotations& annotations, Topology& topology);

/// Adds the bonds of SSBOND, LINK (between non-metals, within the asymmetric unit) and CONECT (a partner named twice is
/// a double bond, thrice a triple). What names atoms that do not exist becomes a warning. The list of a PDB file is not
/// complete, so Topology::has_bonds stays false.
void apply_bonds(const Annotations& annotations, Topology& topology, std::vector<std::string>& warnings);

}  // namespace isolume::pdb
