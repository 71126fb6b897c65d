// Writing a picture of the scene, in the background.
#pragma once

#include <QDialog>
#include <QObject>
#include <atomic>
#include <memory>
#include <vector>

#include "app/export/picture_file.h"
#include "app/fields/fields.h"
#include "render/gl/context.h"
#include "render/tiles.h"
#include "render/view/scene_view.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace isolume {

/// Draws a picture with a renderer of its own on a thread of the pool and writes it as PNG, TIFF or EXR that carries
/// what made it: the pixels and the metadata of `isolume render` of the same scene.
class PictureExport : public QObject {
  Q_OBJECT
 public:
  explicit PictureExport(QObject* parent = nullptr);
  /// `context` shares the window's objects; `view` is what to draw, with the legends of each tile (or of the whole);
  /// `origin` what makes it again, but for the hashes of its files, which are taken here. A path-traced picture is
  /// computed on `device`.
  void start(std::unique_ptr<GlContext> context, std::shared_ptr<const SceneView> view, PictureOrigin origin,
             const QString& path, std::vector<std::vector<FieldLegend>> legends = {}, Device device = {});
  bool busy() const { return running_ > 0; }
  /// Stops drawing; nothing is written.
  void cancel();

 Q_SIGNALS:
  void progress(const QString& what);
  void finished(const QString& path);
  void failed(const QString& message);

 private:
  int running_ = 0;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
};

/// Asks for size, samples and background, and where a path-traced picture can be denoised, for that.
class PictureDialog : public QDialog {
  Q_OBJECT
 public:
  PictureDialog(QSize view, QWidget* parent = nullptr);
  /// Offers path tracing first, with so many samples where the list has them.
  void set_path_traced(int samples);
  PictureOptions options() const;
  double dpi() const;

 private:
  void show_millimetres();
  void show_samples();
  QComboBox* renderer_;
  QSpinBox* width_;
  QSpinBox* height_;
  QComboBox* samples_;
  QCheckBox* denoise_;
  QSpinBox* dpi_;
  QCheckBox* transparent_;
  QCheckBox* legends_only_;
  QLabel* millimetres_;
};

}  // namespace isolume
