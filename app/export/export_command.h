// The words of the console's command export.
#pragma once

#include <span>
#include <string>

#include "app/export/data_export.h"

namespace isolume {

/// What "FILE [molecule|volume|field|representation N]" asks for: the thing of that number, from 0, of its kind, else
/// the first that the file's extension can hold; of a trajectory all frames. Throws Error (usage) where the scene has
/// no such thing, or the words are others.
DataExport export_of_words(const Scene& scene, const Documents& documents, std::span<const std::string> words);

}  // namespace isolume
