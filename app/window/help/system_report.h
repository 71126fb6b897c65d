// What this program runs on, as text for a report of a fault.
#pragma once

#include <QString>
#include <QStringList>

#include "compute/base/device.h"
#include "render/gl/context.h"

namespace isolume {

/// Version, system, display, OpenGL and devices, without names of files, users or hosts. Takes a moment where a driver
/// is asked for the first time: on a thread of the pool.
QString system_report(const GlInfo& gl, const QString& drawing, Device device, const QString& screen);

/// A text that may be shown to strangers: files known by `paths` become "file1.pdb", "file2.xtc", other names of files
/// of known formats "[file].pdb", other paths "[path]"; the names of the user, of the home folder and of the host go.
QString without_names(QString text, QStringList paths);

}  // namespace isolume
