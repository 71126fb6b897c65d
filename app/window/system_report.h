// What this program runs on, as text for a report of a fault.
#pragma once

#include <QString>

#include "compute/device.h"
#include "render/gl/context.h"

namespace isolume {

/// Version, system, display, OpenGL and devices, without names of files, users or hosts. Takes a moment where a driver
/// is asked for the first time: on a thread of the pool.
QString system_report(const GlInfo& gl, const QString& drawing, Device device, const QString& screen);

}  // namespace isolume
