// The context menu of plots, wherever in the window or its dialogs they are.
#include "app/window/shell/plot_menus.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPointer>
#include <ostream>

#include "app/models/labels.h"
#include "app/window/live/check_export.h"
#include "app/window/live/scene_controller.h"
#include "app/window/live/table_record.h"
#include "app/window/shell/main_window.h"
#include "app/window/structures/ramachandran_panel.h"
#include "app/window/widgets/drawing_file.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/save_dialog.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

bool is_plot(const QObject* object) {
  return qobject_cast<const Plot*>(object) || qobject_cast<const RamachandranPlot*>(object) ||
         qobject_cast<const LevelDiagram*>(object);
}

bool is_drawing(const QString& path) {
  return path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
}

}  // namespace

PlotMenus::PlotMenus(MainWindow& window) : QObject(&window), window_(window) {
  // Plots come and go with dialogs, so all events are looked at.
  qApp->installEventFilter(this);
}

bool PlotMenus::of_window(const QObject* object) const {
  while (object && object != &window_) object = object->parent();
  return object;
}

bool PlotMenus::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu || !is_plot(watched) || !of_window(watched)) return false;
  auto* plot = static_cast<QWidget*>(watched);
  if (plot->contextMenuPolicy() != Qt::DefaultContextMenu) return false;
  auto* menu = new QMenu(plot);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("plot_menu"));
  menu->setAccessibleName(tr("Context menu of the plot"));
  menu->setToolTipsVisible(true);
  const auto* curves = qobject_cast<const Plot*>(plot);
  QAction* entry = menu->addAction(tr("&Export..."));
  entry->setToolTip(curves ? tr("Write the values as CSV, or the plot as SVG or PDF")
                           : tr("Write the plot as SVG or PDF"));
  entry->setEnabled(!curves || !curves->curves().empty());
  connect(entry, &QAction::triggered, this, [this, plot] { ask_export(*plot); });
  menu->popup(static_cast<QContextMenuEvent*>(event)->globalPos());
  return true;
}

void PlotMenus::ask_export(QWidget& plot) {
  const bool curves = qobject_cast<Plot*>(&plot);
  const QString drawings = tr("SVG drawings (*.svg);;PDF drawings (*.pdf)");
  ask_where_to_save(&plot,
                    {tr("Export plot"),
                     curves ? tr("Tables (*.csv)") + QStringLiteral(";;") + drawings : drawings,
                     curves ? QStringLiteral("csv") : QStringLiteral("svg"),
                     stem_of(window_.controller().scene()),
                     {}},
                    [this, plot = QPointer<QWidget>(&plot)](const QString& path) {
                      if (!plot) return;
                      try {
                        check_export(path, window_.controller().scene());
                        const auto* values = qobject_cast<const Plot*>(plot.data());
                        if (values && !is_drawing(path)) {
                          const QByteArray text = values->csv().toUtf8();
                          write_atomically(path.toStdString(),
                                           [&](std::ostream& out) { out.write(text.data(), text.size()); });
                          record_shown_table(window_.controller().scene(), plot->accessibleName(), path);
                        } else {
                          write_drawing(path, *plot, plot->accessibleName());
                        }
                        window_.say(tr("Saved %1").arg(path), false);
                      } catch (const Error& error) {
                        window_.say(to_qt(error.what()), true);
                      }
                    });
}

}  // namespace isolume
