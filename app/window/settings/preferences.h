// What the user prefers, kept between runs.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QString>

#include "app/window/settings/six_axis_use.h"

class QAction;

namespace isolume {

/// A plain value; read() and write() know where it is kept. What the window remembers by itself (layout, recent files)
/// is not part of it.
struct Preferences {
  QString theme = QStringLiteral("system");   ///< "system", "light", "dark"
  QString device = QStringLiteral("auto");    ///< as --device
  double memory_limit = 0;                    ///< GiB for one computation, 0 for what there is
  QString input = QStringLiteral("Isolume");  ///< a name of input_maps()
  QString scroll = QStringLiteral("zoom");    ///< of two fingers on a trackpad: "zoom", "move", "turn"
  SixAxisUse six_axes;                        ///< of a 3-D mouse
  QString drawing = QStringLiteral("auto");   ///< "auto", "window", "image" (drawing_path.h); from the next start
  int autosave = 60;                          ///< seconds
  bool ask_unsaved = true;                    ///< before a changed scene is closed
  bool background_follows_theme = true;       ///< of newly opened scenes
  bool frame_index = true;                    ///< of large trajectories, kept in the cache
  bool reduced_motion = false;                ///< the camera jumps to saved views
  QMap<QString, QString> keys;                ///< by the object name of an action, where not the usual one

  bool operator==(const Preferences&) const = default;
  static Preferences read();
  void write() const;
};

/// The keys that another program's users expect, by object names of actions; empty for the usual ones.
QMap<QString, QString> preset_keys(const QString& input);

/// Gives the actions the preset's keys, then the user's own; actions that neither names get `usual` back.
void apply_keys(const QList<QAction*>& actions, const QMap<QString, QList<QKeySequence>>& usual,
                const Preferences& preferences);

}  // namespace isolume
