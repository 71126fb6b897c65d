// Gives a molecule of a scene the hydrogens and charges that its file lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/documents/documents.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/scene.h"

namespace isolume {

/// What a molecule was given.
struct GivenCharges {
  std::size_t hydrogens = 0;                 ///< that were built
  std::size_t side_chains = 0;               ///< that were built or completed
  std::size_t uncharged = 0, estimated = 0;  ///< residues without charges, and with estimated ones
  double charge = 0;                         ///< of the molecule, e
};

/// Takes hydrogens and charges from the built-in tables (charged_by_tables()), which renumbers the atoms. Measurements
/// keep to their atoms, and those of atoms that are gone go with them. Selections of the molecule by the words index
/// and serial (where residues are gone, residue and fragment as well) become lists of the same atoms. Where the file
/// has no hydrogens, representations that draw atoms leave the new ones out; the class *Hydrogens* shows them.
/// A molecule that has charges of tables gets those of `tables` instead, and its atoms keep their places likewise.
/// Throws Error, among others (usage) for an assembly of such a molecule.
GivenCharges give_charges(Scene& scene, Documents& documents, std::uint32_t molecule,
                          const std::string& tables = usual_tables);

/// The same for measurements and selections where the molecule's atoms `before` become those of `after`, by chain,
/// residue number and name of the atom. Where hydrogens are new, representations that draw atoms leave them out.
void keep_to_atoms(Scene& scene, std::uint32_t molecule, const Molecule& before, const Topology& after);

}  // namespace isolume
