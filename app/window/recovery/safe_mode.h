// Safe mode: the window without what most often ends it, the drivers of the graphics card.
#pragma once

#include <QProcessEnvironment>
#include <QStringList>

namespace isolume {

/// Why the window is in safe mode, if it is.
enum class SafeMode {
  off,
  asked,    ///< --safe-mode, or ISOLUME_SAFE_MODE=1
  crashed,  ///< the last sessions ended unexpectedly
};

/// So many sessions in a row that ended unexpectedly start the next one in safe mode.
inline constexpr int crash_budget = 2;

/// What `arguments` and the environment ask for, else what `crashes` in a row mean; --no-safe-mode: off, whatever there
/// was.
SafeMode choose_safe_mode(const QStringList& arguments, int crashes);

/// No CUDA, pictures by Mesa's software driver and as images, panels as they are at first. Before the application is
/// made and before the first call of CUDA or OpenGL; nothing for SafeMode::off.
void enter_safe_mode(SafeMode mode);
SafeMode safe_mode();
/// That in which the program was started, without what asks for safe mode.
QProcessEnvironment normal_environment();

}  // namespace isolume
