// What panels of residues over frames export, and how they ask for it.
#pragma once

#include "app/models/labels.h"
#include "app/scene/scene.h"
#include "app/window/live/check_export.h"
#include "app/window/widgets/save_dialog.h"
#include "molecule/base/error.h"

namespace isolume {

/// Asks for a file: a table, an array or a drawing; `panel.write(path)` writes what its suffix says, and the panel's
/// signals tell how that went. A file of the scene is not replaced.
template <class Panel>
void ask_panel_export(Panel& panel, const QString& title, const Scene& scene, const QString& what) {
  const QString filter = Panel::tr("Tables (*.csv);;NumPy arrays (*.npy);;SVG drawings (*.svg);;PDF drawings (*.pdf)");
  ask_where_to_save(&panel, {title, filter, QStringLiteral("csv"), stem_of(scene) + QLatin1Char('-') + what, {}},
                    [&panel, scene](const QString& path) {
                      try {
                        check_export(path, scene);
                        panel.write(path);
                        Q_EMIT panel.written(path);
                      } catch (const Error& error) {
                        Q_EMIT panel.failed(to_qt(error.what()));
                      }
                    });
}

/// Whether a drawing is asked for.
inline bool is_drawing(const QString& path) {
  return path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
}

}  // namespace isolume
