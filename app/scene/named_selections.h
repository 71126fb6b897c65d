// What the names of a scene's selections mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/selection/selection_names.h"

namespace isolume {

/// The names that selections of a molecule may use. A name that only other molecules have means no atom of this one.
SelectionNames names_of(const Scene& scene, std::uint32_t molecule);

/// A selection text of a molecule of the scene, with its names written out. Throws Error (usage) as with_names().
std::string with_names(const Scene& scene, std::uint32_t molecule, const std::string& text);

/// The same of the molecule that has one of the files, or of the only one. Throws Error (usage) where there is neither.
std::string with_names(const Scene& scene, const std::vector<std::string>& files, const std::string& text);

/// After a change by words: writes out the names in what a molecule is made by (the atoms that are centred, and those
/// that are superposed), since that is read without a scene. Throws Error (usage) where a name means itself, if by
/// others, or there is none of it.
void settle_names(Scene& scene);

/// The scene with all names of representations, fields, labels and interactions written out. What is wrong with a name
/// stays in its text, for the parser to say.
Scene with_names(const Scene& scene);

/// A name that no selection has yet: "selection", "selection2", ...
std::string free_name(const Scene& scene, const std::string& wanted);

/// Gives the selections of one name another one, in all texts of the scene that use it.
void rename_selection(Scene& scene, const std::string& from, const std::string& to);

/// Removes the selections of a name; texts that use it get what it means.
void remove_selection(Scene& scene, const std::string& name);

}  // namespace isolume
