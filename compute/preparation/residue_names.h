// Which residue of the built-in tables a residue of a file is, under any of the common names.
#pragma once

#include <string>

#include "molecule/topology.h"

namespace isolume {

/// What kind of template a residue takes.
enum class TemplateKind : unsigned char { none, amino, nucleic, cap, water, ion, other };

/// The residue in the words of the tables.
struct TemplateName {
  TemplateKind kind = TemplateKind::none;
  std::string base;   ///< "HIS", "ASP", "DA", "HOH", "NA"; the file's name where it is unknown
  std::string state;  ///< "HIE", "ASH", ... where the file's name says so, else empty
};

/// By name (PDB versions 2 and 3, AMBER, CHARMM, GROMACS), and for nucleotides and ions by their atoms.
TemplateName template_name(const Topology& topology, std::size_t residue);

/// Whether there is an amino acid or nucleotide that the tables know.
bool has_known_polymer(const Topology& topology);

/// The name of an atom as the tables spell it: "OT1" is "O", "1HB" stays, "O1P" of a nucleotide is "OP1".
std::string table_atom_name(const std::string& name, const TemplateName& residue);

}  // namespace isolume
