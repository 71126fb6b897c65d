// The 3-D view: Qt's events in, the renderer's picture out.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "app/window/viewport/drawing_path.h"
#include "app/window/viewport/navigator.h"
#include "render/gl/context.h"
#include "render/image/colour_vision.h"
#include "render/view/look.h"
#include "render/view/scene_view.h"

namespace isolume {

class GlCanvas;
class ViewportOverlay;
class ViewportRenderer;

/// Shows the newest picture of the scene with the camera that the user turns. It neither computes nor draws: pictures
/// are made on a thread (ViewportRenderer), and only copied here; by OpenGL or as images, as `path` says.
class Viewport : public QWidget {
  Q_OBJECT
 public:
  explicit Viewport(QWidget* parent = nullptr, DrawingPath path = drawing_path());
  ~Viewport() override;

  /// `camera`, if any, is the one that sees it from now on. Where a processor draws, the refined picture of a view that
  /// is `unfinished` waits a while for the next one, which is first shown by a quick one: what computes it has the
  /// processor.
  void set_view(std::shared_ptr<const SceneView> view, const Camera* camera = nullptr, bool unfinished = false);
  const std::shared_ptr<const SceneView>& view() const { return view_; }
  void set_camera(const Camera& camera);
  const Camera& camera() const { return navigator_.camera; }
  void set_look(const Look& look);

  /// A context that shares with the picture's, for a worker thread; null before context_ready().
  std::unique_ptr<GlContext> create_shared_context();
  /// The picture as shown, with the texts over it.
  QImage grab_picture();
  DrawingPath path() const { return path_; }
  /// The renderer of OpenGL, "llvmpipe (LLVM 15.0.6, 256 bits)"; empty before context_ready().
  const GlInfo& gl() const { return gl_; }
  bool ready() const { return ready_; }
  /// True where what was asked for last has been drawn.
  bool drawn() const { return std::max(finished_, cancelled_) == asked_; }
  /// Stops drawing; the last picture stays until something changes.
  void cancel();
  /// True where nothing moved for a while and the refined picture is there.
  bool at_rest() const { return !rest_.isActive() && drawn(); }
  /// Lets go of what hangs on the context, as when it is lost; and makes it again.
  void release();
  void rebuild();
  /// The same, with a context of another kind, after the driver has lost the one that there was: pictures are images of
  /// a context of its own then, which shares nothing with the window's. After three times nothing more is drawn.
  void recover(const QString& why);

  /// The rectangle of a tile of the picture, and the tile at a point (logical pixels); all of it and 0 without tiles.
  QRectF tile_rect(std::size_t tile) const;
  std::size_t tile_at(QPointF point) const;
  /// Shows a sphere; keeps the direction. `room`: that of the picture, or of a tile of it, in which it is to be seen.
  void fit(glm::dvec3 centre, double radius, QSizeF room);
  void fit(std::span<const glm::vec4> balls, QSizeF room);
  /// Looks from the front, with nothing cut away.
  void reset();
  void look_from(int side);
  void toggle_projection();
  void centre_on(glm::dvec3 point);
  /// Shows what the camera sees, as a movement.
  void fly_to(const Camera& camera);
  /// What buttons and wheel do.
  void set_input(const InputMap& map) { input_ = map; }
  const InputMap& input() const { return input_; }
  /// What two fingers on a trackpad do without a modifier.
  void set_scroll(ScrollUse use) { scroll_ = use; }
  /// A 3-D mouse was pushed or turned.
  void push(const QList<SixAxisMotion>& motions, const SixAxisUse& use);
  /// What the left drag does instead of what the map says (VMD's modes); Drag::none for the map.
  void set_left_drag(Drag drag) { left_drag_ = drag; }
  /// Shows colours as such eyes see them; pictures that are written are not changed.
  void set_vision(ColourVision vision);
  ColourVision vision() const { return vision_; }
  /// Shows a picture of what is seen, of another renderer, until picture_asked().
  void show_traced(const QImage& picture);
  /// A line of help over the picture; empty for none.
  void set_hint(const QString& hint);
  /// What is selected, in words for screen readers; empty for nothing.
  void describe_selection(const QString& summary);
  const ViewportOverlay& overlay() const { return *overlay_; }
  /// Looks up what is under a point of the widget (logical pixels) and calls back with it. What is not `urgent` stops
  /// a refined picture once at most.
  void pick(QPointF point, std::function<void(PickId)> done, bool urgent = true);

 Q_SIGNALS:
  /// OpenGL is there (again): workers may have their contexts.
  void context_ready();
  /// OpenGL goes; its context is current. Everything that holds buffers lets them go now.
  void context_going();
  void failed(const QString& message);
  /// The context was lost, and all is made again in another.
  void recovered(const QString& message);
  void camera_changed(const isolume::Camera& camera);
  /// The user moved the scene, with the mouse, a trackpad or keys.
  void navigated();
  void hovered(isolume::PickId id);
  void clicked(isolume::PickId id, Qt::KeyboardModifiers modifiers);
  void double_clicked(isolume::PickId id);
  /// A box was drawn, in logical pixels; it adds what it holds to what is picked, or takes it away.
  void box_drawn(QRectF box, bool adds);
  /// The wheel turned for the isovalue, away from the user counts up.
  void isovalue_turned(double steps);
  void menu_asked(isolume::PickId id, QPoint global);
  /// Frames to step by; +-1000000 are the ends.
  void frame_step(int by);
  void play_toggled();
  /// A picture of this view is there, the newest; not of the views that were given after it.
  void view_drawn(const std::shared_ptr<const isolume::SceneView>& view);
  /// The picture that is seen is no more what is wanted, and another is drawn.
  void picture_asked();
  /// The refined picture is there.
  void came_to_rest();
  /// A refined picture has been in the making for a while that is noticed; or is no more.
  void refining(bool on);
  /// Frames per second while something moves, 0 at rest.
  void frame_rate(double fps);

 protected:
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void moved();
  void navigate();
  /// Two fingers on a trackpad or a screen that pinch or turn; false for other gestures.
  bool gesture(QEvent* event);
  /// A point as the navigator counts: from the corner of its tile, or of the one where a drag began.
  QPointF in_tile(QPointF point) const;
  void ask(bool fast);
  /// The picture's, in pixels of the screen.
  QSize picture_size() const;
  /// Draws again where the window has come to a screen of another pixel ratio.
  void check_ratio();
  void start_renderer();
  void fail(const QString& message);
  void take_finished(std::uint64_t number, double seconds);
  void announce_drawn();
  void end_refining();

  DrawingPath path_;
  double ratio_ = 0;                 ///< pixels of the screen per logical pixel in the picture asked for last
  GlCanvas* canvas_ = nullptr;       ///< DrawingPath::window
  std::unique_ptr<GlContext> root_;  ///< DrawingPath::image: all other contexts share with it
  ViewportOverlay* overlay_;         ///< the texts over the picture
  Navigator navigator_;
  InputMap input_ = input_maps().first();
  Drag left_drag_ = Drag::none;
  ScrollUse scroll_ = ScrollUse::zoom;
  Look look_;
  ColourVision vision_ = ColourVision::full;
  std::shared_ptr<const SceneView> view_;
  /// Views that were given and are not drawn yet, with the number of the first picture of each.
  std::deque<std::pair<std::uint64_t, std::shared_ptr<const SceneView>>> undrawn_;
  std::unique_ptr<ViewportRenderer> renderer_;
  bool ready_ = false;
  int losses_ = 0;                          ///< of the context
  std::uint64_t asked_ = 0, finished_ = 0;  ///< numbers of pictures
  std::uint64_t cancelled_ = 0;             ///< the newest that will not be finished
  std::uint64_t ticket_ = 0;
  std::map<std::uint64_t, std::function<void(PickId)>> picks_;
  GlInfo gl_;

  QPointF press_;
  std::size_t press_tile_ = 0;  ///< where it is
  bool clicking_ = false;
  QTimer refine_;            ///< fires where a refined picture takes long
  bool refining_ = false;    ///< refining() was true
  QTimer rest_;              ///< fires when nothing moved for a while: the picture is refined
  int rest_time_ = 180;      ///< that while, milliseconds
  bool unfinished_ = false;  ///< the last view was, and its refined picture had to wait
  QTimer hover_;             ///< fires when the pointer rests, to look up the object under it
  QPointF hover_point_;
  QElapsedTimer clock_;       ///< since the last picture of a movement
  QElapsedTimer view_clock_;  ///< since the last view
  double fps_ = 0;
};

}  // namespace isolume
