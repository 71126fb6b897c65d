// The state of each residue: which template it takes, and why.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/preparation/prepared_charges.h"
#include "compute/preparation/residue_names.h"
#include "molecule/neighbour_grid.h"

namespace isolume {

/// A residue of the structure on its way to a template.
struct ResidueTarget {
  TemplateName name;
  std::vector<std::pair<std::string, std::uint32_t>> heavy;  ///< name in the tables, atom of the file
  std::vector<std::uint32_t> hydrogens;                      ///< of the file
  std::vector<std::uint32_t> carriers;                       ///< the heavy atom of each hydrogen, as index into `heavy`
  std::vector<std::pair<std::string, std::uint32_t>> links;  ///< own atom's name, atom of another residue
  bool starts = false, ends = false;                         ///< first or last of a chain
  std::string state;                                         ///< "HIE", without the prefix of an end
  std::string chosen;                                        ///< name in the tables
  std::string why;

  /// The file's atom of that name, -1 where there is none.
  std::int64_t atom(std::string_view table_name) const;
  std::int64_t link(std::string_view table_name) const;
  /// Hydrogens of the file on that atom.
  std::size_t hydrogens_on(std::string_view table_name) const;
};

/// What the choice of states reads.
struct StateContext {
  const Topology& topology;
  const std::vector<glm::vec3>& positions;
  const std::vector<std::uint32_t>& heavy;  ///< the atoms that `near` holds
  const NeighbourGrid& near;                ///< heavy atoms, cutoff 3.6 angstrom
};

/// Whether an element is a metal.
bool is_metal(std::uint8_t element);

/// Names, atoms and links of all residues; only atoms of `kept` are used.
std::vector<ResidueTarget> residue_targets(const StateContext& context, const std::vector<char>& kept);

/// Ends of chains, states and the names of templates. Throws Error (usage) where a choice names no residue.
void choose_states(const StateContext& context, const ChargeOptions& options, std::vector<ResidueTarget>& targets,
                   std::vector<ChargeIssue>& issues);

}  // namespace isolume
