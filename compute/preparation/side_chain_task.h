// A residue whose side chain is to be completed: what it lacks, and where that goes.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compute/preparation/residue_tables.h"
#include "compute/preparation/side_chain_clashes.h"
#include "compute/preparation/side_chain_tables.h"
#include "molecule/topology.h"

namespace isolume {

struct SideChainTask {
  std::uint32_t residue = 0;  ///< index in the structure
  const SideChain* ideal = nullptr;
  const ChargedResidue* bonds = nullptr;        ///< the table's residue: who is bonded to whom
  std::map<std::string, glm::dvec3> there;      ///< places of the file's heavy atoms, by the tables' names
  std::map<std::string, std::uint32_t> atoms;   ///< their numbers
  std::vector<std::size_t> missing;             ///< indices into ideal->atoms
  std::vector<ClashAtom> parts;                 ///< of `missing`; their places are not set
  std::vector<std::vector<std::uint16_t>> far;  ///< bonds between atoms of `bonds`
  std::uint16_t n = 0, c = 0;                   ///< of the main chain, in `bonds`
  std::vector<std::optional<double>> known;     ///< chi angles that atoms of the file decide, degrees
  std::vector<glm::dvec3> places;               ///< of `missing`, as chosen
  std::vector<double> chi;                      ///< as chosen, degrees
  ClashCount count;                             ///< as chosen
  std::vector<std::size_t> around;              ///< other tasks that may touch it
};

/// The table's residue that has the bonds of an amino acid ("HIS").
const ChargedResidue* bonded_residue(const std::string& base);

/// The number of an atom in a residue of the tables, no_number where it has none.
constexpr std::uint16_t no_number = 0xffff;
std::uint16_t number_in(const ChargedResidue& residue, const std::string& name);

/// What a residue lacks; nothing where its side chain is whole or cannot be built.
std::optional<SideChainTask> side_chain_task(const Topology& topology, const std::vector<glm::vec3>& positions,
                                             const std::vector<char>& kept, std::uint32_t residue);

/// Places of the missing atoms for the angles `chi` (degrees).
std::vector<glm::dvec3> side_chain_places(const SideChainTask& task, const std::vector<double>& chi);

/// Rotamers with the angles of the file put in, each one once. Those more than 40 degrees from the file's angles only
/// where no other is left.
std::vector<Rotamer> fitting_rotamers(const SideChainTask& task);

}  // namespace isolume
