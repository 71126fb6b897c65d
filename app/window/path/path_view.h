// The thread that path traces what the 3-D view shows, sample after sample.
#pragma once

#include <QImage>
#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>

#include "compute/base/device.h"
#include "render/gl/context.h"
#include "render/image/colour_vision.h"
#include "render/view/scene_view.h"

namespace isolume {

/// A picture that was refined so far.
struct PathPass {
  QImage picture;
  int samples = 0;            ///< of each pixel
  double standard_error = 0;  ///< PathReport::standard_error
  QString device;             ///< that traces
  QStringList left_out;       ///< what of the view is not drawn so
};

/// Traces the newest request in passes: 1 sample, then as many again as there are, as far as a pass is no longer than
/// some two seconds. What is shown after n samples is PathPainter::picture() with n samples.
class PathView : public QObject {
  Q_OBJECT
 public:
  struct Request {
    std::shared_ptr<const SceneView> view;
    Camera camera;  ///< in place of the view's
    Look look;
    int width = 0, height = 0;  ///< pixels of the screen
    double pixel_ratio = 1;
    ColourVision vision = ColourVision::full;
    Device device;
    int samples = 0;  ///< after which the picture is done
  };

  explicit PathView(QObject* parent = nullptr);
  ~PathView() override;

  /// `context` shares with the view's, whose buffers may hold surfaces.
  void start(std::unique_ptr<GlContext> context);
  bool started() const { return worker_ != nullptr; }
  /// Waits for the thread, and lets go of all that it holds.
  void stop();

  void request(Request request);
  /// No more passes come; the thread stops within 200 ms.
  void cancel();
  /// Something is asked for and not done.
  bool busy() const { return asked_ != done_; }

 Q_SIGNALS:
  void passed(const isolume::PathPass& pass);
  /// The picture that was asked for cannot be traced.
  void failed(const QString& message);

 private:
  struct Worker;
  void take(std::uint64_t number, const PathPass& pass, bool last);
  void fail(std::uint64_t number, const QString& message);

  std::unique_ptr<Worker> worker_;
  std::uint64_t asked_ = 0, done_ = 0;  ///< numbers of requests
};

}  // namespace isolume
