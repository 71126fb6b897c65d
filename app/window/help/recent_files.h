// Recently opened files, and those pinned by the user.
#pragma once

#include <QStringList>

namespace isolume {

/// Full paths, the pinned ones first in the order in which they were pinned, then the others, the last opened first;
/// from the settings.
QStringList recent_files();
bool is_pinned(const QString& path);

/// A file was opened. Twelve that are not pinned are remembered.
void remember_file(const QString& path);
/// A pinned file stays in the list whatever else is opened; let go of, it is the one opened last.
void pin_file(const QString& path, bool pinned);

}  // namespace isolume
