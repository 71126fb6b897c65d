// Refuses exports that would overwrite a file of the scene.
#pragma once

#include <QString>

#include "app/scene/scene.h"

namespace isolume {

/// Throws Error (usage) where `path` is one of the files of the scene's molecules, links resolved.
void check_export(const QString& path, const Scene& scene);

}  // namespace isolume
