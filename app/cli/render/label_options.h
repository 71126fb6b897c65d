// The labels of a picture on the command line.
#pragma once

#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume::cli {

/// Adds labels of the atoms of `selections` to every molecule that has such atoms. `texts` says what is written: one
/// word for all of them, or one each; residue where there is none. Throws Error (usage) where a selection holds no atom
/// and where the numbers do not go together.
void add_labels(Scene& scene, Documents& documents, const std::vector<std::string>& selections,
                const std::vector<std::string>& texts);

}  // namespace isolume::cli
