// Classes of atoms (protein, ligand, water, ...): which of them a molecule has and shows, and how they are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A class by its word of the selection language.
struct AtomClass {
  const char* words;
  const char* title;  ///< "Protein"
};
/// Protein, nucleic acid, ligands, lipids, water, ions, hydrogens, in this order.
std::span<const AtomClass> atom_classes();

struct ClassState {
  bool present = false;  ///< a visible molecule has such atoms
  bool shown = false;    ///< a visible representation shows some of them
  bool operator==(const ClassState&) const = default;
};

/// One for each of atom_classes(), over all visible molecules that are loaded. `frames`: one per molecule, null where
/// there is none.
std::vector<ClassState> class_states(const Scene& scene, Documents& documents,
                                     std::span<const std::shared_ptr<const Frame>> frames);

/// True where the representations of both scenes show the same atoms of the same molecules, as far as the scenes say.
bool show_same_atoms(const Scene& a, const Scene& b);

/// The scene's representations after the atoms of a class, or other words of the selection language, were shown in
/// every visible molecule that has some (`only`: in that one): representations of such atoms alone become visible,
/// atoms that were hidden in others come back, and where nothing shows them then, they get their usual representation.
std::vector<Representation> with_class_shown(const Scene& scene, Documents& documents,
                                             std::span<const std::shared_ptr<const Frame>> frames,
                                             const std::string& words, std::optional<std::uint32_t> only = {});

/// The same after they were hidden (hide_atoms()).
std::vector<Representation> with_class_hidden(const Scene& scene, Documents& documents,
                                              std::span<const std::shared_ptr<const Frame>> frames,
                                              const std::string& words, std::optional<std::uint32_t> only = {});

}  // namespace isolume
