// The sets of charges that a molecule of a scene can have, of which it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"
#include "app/view/give_charges.h"

namespace isolume {

/// One of them.
struct ChargeSetChoice {
  std::vector<std::string> templates;  ///< as SceneMolecule::templates; empty: the charges of the file itself
  std::string title;                   ///< "From the file", "AMBER ff14SB", "crambin.pqr"
  bool active = false;                 ///< the molecule has it
  bool charged = true;                 ///< false for the file itself where it has no charges

  bool operator==(const ChargeSetChoice&) const = default;
};

/// In this order: as the file is, the built-in tables where these know the molecule, estimated
/// ones, the files of other molecules of the scene that have charges of their own, and `others`. Only what is loaded is
/// looked at. Empty for a molecule with orbitals and for one without positions.
std::vector<ChargeSetChoice> charge_sets(const Scene& scene, const Documents& documents, std::uint32_t molecule,
                                         const std::vector<std::string>& others = {});

/// What the molecule has with a set.
struct ChargeSetTotals {
  double charge = 0;          ///< e, of all atoms
  std::size_t atoms = 0;      ///< with those that are built
  std::size_t uncharged = 0;  ///< residues whose atoms have no charge at all
};

/// Reads and prepares what is not kept yet. Throws Error where the set cannot be had.
ChargeSetTotals charge_set_totals(const SceneMolecule& entry, Documents& documents,
                                  const std::vector<std::string>& templates);

/// Gives a molecule of the scene another set. Measurements and selections by number keep to their atoms, as
/// give_charges() has it. Throws Error, among others (usage) for an assembly.
void use_charge_set(Scene& scene, Documents& documents, std::uint32_t molecule,
                    const std::vector<std::string>& templates);

}  // namespace isolume
