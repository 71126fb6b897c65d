// The parts of molecules that are shown and hidden by themselves: chains and ligands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A chain, with all that has its letter, or a residue of a ligand.
struct MoleculePart {
  enum class Kind : std::uint8_t { chain, ligand };
  Kind kind = Kind::chain;
  std::string name;              ///< "A", "BEN 101"
  std::string chain;             ///< the letter; of a ligand that of its chain
  std::uint32_t first_atom = 0;  ///< the lowest
  std::size_t atoms = 0;
  bool shown = true;  ///< a visible representation shows some of them
  bool operator==(const MoleculePart&) const = default;
};

/// The parts of each molecule of the scene, chains first, in the order of the file; none of one that is not loaded.
/// Chains without a letter are left out. `frames`: one per molecule, null where there is none; all parts of such a
/// molecule count as shown.
std::vector<std::vector<MoleculePart>> molecule_parts(const Scene& scene, Documents& documents,
                                                      std::span<const std::shared_ptr<const Frame>> frames);

/// A selection of a chain by its letter.
std::string chain_selection(const std::string& id);

}  // namespace isolume
