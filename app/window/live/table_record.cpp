// The record of a table that a panel has written.
#include "app/window/live/table_record.h"

#include <QCoreApplication>
#include <utility>

#include "app/window/widgets/async.h"

namespace isolume {

void record_table(RecordedTable table, const QString& path, Device device) {
  run_async(
      qApp,
      [table = std::move(table), path = path.toStdString(), device] {
        write_table_record(table, path, device);
        return true;
      },
      [](bool) {}, [](const QString&) {});
}

void record_shown_table(const Scene& scene, const QString& panel, const QString& path) {
  Scene molecules;
  molecules.molecules = scene.molecules;
  molecules.camera = scene.camera;
  record_table({std::move(molecules), panel.toStdString(), nullptr}, path);
}

}  // namespace isolume
