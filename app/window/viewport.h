// The 3-D view: Qt's events in, the renderer's picture out.
#pragma once

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>

#include "app/window/navigator.h"
#include "render/gl/context.h"
#include "render/look.h"
#include "render/scene_view.h"

namespace isolume {

class ViewportRenderer;

/// Shows the newest picture of the scene with the camera that the user turns. It neither computes nor draws: pictures
/// are made on a thread (ViewportRenderer), and only copied here.
class Viewport : public QOpenGLWidget {
  Q_OBJECT
 public:
  explicit Viewport(QWidget* parent = nullptr);
  ~Viewport() override;

  void set_view(std::shared_ptr<const SceneView> view);
  const std::shared_ptr<const SceneView>& view() const { return view_; }
  void set_camera(const Camera& camera);
  const Camera& camera() const { return navigator_.camera; }
  void set_look(const Look& look);

  /// A context of this one's share group, for a worker thread; null before context_ready().
  std::unique_ptr<GlContext> create_shared_context();
  /// The renderer of OpenGL, "llvmpipe (LLVM 15.0.6, 256 bits)"; empty before context_ready().
  const GlInfo& gl() const { return gl_; }
  bool ready() const { return ready_; }
  /// True where what was asked for last has been drawn.
  bool drawn() const { return finished_ == asked_; }
  /// True where nothing moved for a while and the refined picture is there.
  bool at_rest() const { return !rest_.isActive() && drawn(); }
  /// Lets go of what hangs on the context, as when it is lost; and makes it again.
  void release();
  void rebuild();

  /// Shows everything that is drawn; keeps the direction.
  void fit();
  /// Direction, zoom and centre as for something just opened.
  void reset();
  void look_from(int side);
  void toggle_projection();
  void centre_on(glm::dvec3 point);
  /// Looks up what lies under a point of the widget (logical pixels) and calls back with it.
  void pick(QPointF point, std::function<void(PickId)> done);

 Q_SIGNALS:
  /// OpenGL is there (again): workers may have their contexts.
  void context_ready();
  /// OpenGL goes; its context is current. Everything that holds buffers lets them go now.
  void context_going();
  void failed(const QString& message);
  void camera_changed(const isolume::Camera& camera);
  void hovered(isolume::PickId id);
  void clicked(isolume::PickId id, Qt::KeyboardModifiers modifiers);
  void double_clicked(isolume::PickId id);
  void menu_asked(isolume::PickId id, QPoint global);
  /// Frames to step by; +-1000000 are the ends.
  void frame_step(int by);
  void play_toggled();
  /// Frames per second while something moves, 0 at rest.
  void frame_rate(double fps);

 protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void moved();
  void ask(bool fast);
  void start_renderer();
  void take_finished(std::uint64_t number, double seconds);

  Navigator navigator_;
  Look look_;
  std::shared_ptr<const SceneView> view_;
  std::unique_ptr<ViewportRenderer> renderer_;
  bool ready_ = false;
  std::uint64_t asked_ = 0, finished_ = 0;  ///< numbers of pictures
  std::uint64_t ticket_ = 0;
  std::map<std::uint64_t, std::function<void(PickId)>> picks_;
  GlInfo gl_;

  QPointF press_;
  bool clicking_ = false;
  QTimer rest_;   ///< fires when nothing moved for a while: the picture is refined
  QTimer hover_;  ///< fires when the pointer stands still: what is under it is looked up
  QPointF hover_point_;
  QElapsedTimer clock_;       ///< since the last picture of a movement
  QElapsedTimer view_clock_;  ///< since the last view
  double fps_ = 0;
};

}  // namespace isolume
