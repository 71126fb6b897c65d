// What the last word of a command may become.
#pragma once

#include <QStringList>

#include "app/scene/scene.h"

namespace isolume {

/// The words that a line of the console can go on with, apart from its first word: lists and paths of the scene,
/// `actions` by name, words of selections, subcommands of the command line, files.
QStringList command_completions(const QString& line, const Scene& scene, const QStringList& actions);

/// The subcommands of the command line, which run next to the window, in the folder it was started in; of one of them
/// its own.
QStringList program_subcommands(const QString& of = {});

}  // namespace isolume
