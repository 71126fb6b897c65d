// Writing molecules, volumes and surfaces of the scene, in the background.
#include "app/window/dialogs/data_exporter.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>

#include "app/export/recorded_export.h"
#include "app/models/labels.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/stoppable.h"
#include "compute/base/device_fault.h"

namespace isolume {

DataExporter::DataExporter(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {}

DataExporter::~DataExporter() {
  cancel();
}

void DataExporter::start(const DataExport& what, Device device) {
  const QString path = to_qt(what.path);
  if (busy()) {
    Q_EMIT failed(tr("Another export is being written; cancel it or wait for its end."));
    return;
  }
  const QString doing = tr("Exporting %1").arg(QFileInfo(path).fileName());
  Q_EMIT progress(doing, -1);
  const auto report = [guard = QPointer<DataExporter>(this), doing](double fraction, const std::string&) {
    QMetaObject::invokeMethod(
        qApp,
        [guard, doing, fraction] {
          if (guard && guard->busy()) Q_EMIT guard->progress(doing, fraction);
        },
        Qt::QueuedConnection);
  };
  job_ = std::make_shared<Job>(report);
  stop_ = std::make_shared<std::atomic<bool>>(false);
  run_async(
      this,
      stoppable(stop_,
                [what, device, job = job_, scene = controller_.scene(), documents = &controller_.documents()] {
                  return on_device_or_another(
                      device,
                      [&](Device on) {
                        std::string said = export_data(scene, *documents, what, on, *job);
                        write_export_record(scene, what, on, said);
                        return said;
                      },
                      [](const DeviceFault&, Device) {});  // whoever computes next says so
                }),
      [this, path](const std::string& summary) {
        end();
        Q_EMIT finished(path, to_qt(summary));
      },
      [this, job = job_](const QString& message) {
        const bool cancelled = job->cancelled();
        end();
        if (!cancelled) Q_EMIT failed(message);
      });
}

void DataExporter::end() {
  job_.reset();
  stop_.reset();
  Q_EMIT progress({}, 0);
}

void DataExporter::cancel() {
  if (!job_) return;
  job_->cancel();
  *stop_ = true;
}

}  // namespace isolume
