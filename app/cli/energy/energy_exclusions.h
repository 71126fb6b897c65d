// Which pairs of atoms an energy leaves out, by --exclusions.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "compute/electrostatics/energy/electrostatics.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// The exclusions that --exclusions (`wish`) and --one-four (negative where not given) ask for; `said` describes them.
/// Throws Error (usage) for those of a force field where there is none.
PairExclusions choose_exclusions(const std::string& wish, double one_four, const Molecule& molecule, std::string& said);

/// How many atoms have another at their place: such pairs do not interact, which a user should know.
std::size_t coincident_atoms(std::span<const glm::vec3> positions);

}  // namespace isolume::cli
