// What the names of a scene's selections mean.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/scene.h"
#include "molecule/selection/selection_names.h"

namespace isolume {

/// The names that selections of a molecule may use. A name that only other molecules have means no atom of this one.
SelectionNames names_of(const Scene& scene, std::uint32_t molecule);

/// A selection text of a molecule of the scene, with its names written out. Throws Error (usage) as with_names().
std::string with_names(const Scene& scene, std::uint32_t molecule, const std::string& text);

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
