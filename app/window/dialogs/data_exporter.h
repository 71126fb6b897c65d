// Writing molecules, volumes and surfaces of the scene, in the background.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>

#include "app/export/data_export.h"
#include "app/window/live/scene_controller.h"

namespace isolume {

/// Runs export_data() on a thread of the pool, of the scene as it is at the start.
class DataExporter : public QObject {
  Q_OBJECT
 public:
  explicit DataExporter(SceneController& controller, QObject* parent = nullptr);
  ~DataExporter() override;

  void start(const DataExport& what, Device device);
  bool busy() const { return job_ != nullptr; }
  /// Stops writing; no file is left.
  void cancel();

 Q_SIGNALS:
  /// The current step and its progress, 0 to 1; an empty text at the end.
  void progress(const QString& what, double fraction);
  void finished(const QString& path, const QString& summary);
  void failed(const QString& message);

 private:
  void end();

  SceneController& controller_;
  std::shared_ptr<Job> job_;  ///< null where nothing is written
  std::shared_ptr<std::atomic<bool>> stop_;
};

}  // namespace isolume
