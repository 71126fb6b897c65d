// The 3-D view: Qt's events in, the renderer's picture out.
#include "app/window/viewport/viewport.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/window/viewport/gl_canvas.h"
#include "app/window/viewport/moving_quality.h"
#include "app/window/viewport/viewport_overlay.h"
#include "app/window/viewport/viewport_renderer.h"
#include "render/gl/context_loss.h"

namespace isolume {

Viewport::Viewport(QWidget* parent, DrawingPath path) : QWidget(parent), path_(path) {
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(tr("3D view"));
  describe_selection({});
  setFocusPolicy(Qt::StrongFocus);
  grabGesture(Qt::PinchGesture);
  setMouseTracking(true);
  setMinimumSize(240, 180);
  if (path_ == DrawingPath::window) {
    canvas_ = new GlCanvas(
        [this](unsigned framebuffer, int width, int height) {
          check_ratio();
          try {
            if (renderer_) renderer_->show(framebuffer, width, height);
          } catch (const ContextLost& loss) {
            // Not while it is painted: the canvas goes.
            const QString why = QString::fromStdString(loss.what());
            QMetaObject::invokeMethod(
                this, [this, why] { recover(why); }, Qt::QueuedConnection);
          }
        },
        this);
    connect(canvas_, &GlCanvas::context_made, this, &Viewport::start_renderer);
    connect(canvas_, &GlCanvas::context_going, this, &Viewport::release, Qt::DirectConnection);
    connect(canvas_, &QOpenGLWidget::frameSwapped, this, [this] {
      if (renderer_) renderer_->shown();
    });
  } else {
    setAttribute(Qt::WA_OpaquePaintEvent);
  }
  overlay_ = new ViewportOverlay(this);
  refine_.setSingleShot(true);
  refine_.setInterval(150);  // quicker pictures need no sign that they come
  connect(&refine_, &QTimer::timeout, this, [this] {
    if (drawn()) return;
    refining_ = true;
    Q_EMIT refining(true);
  });
  rest_.setSingleShot(true);
  connect(&rest_, &QTimer::timeout, this, [this] {
    if (renderer_ && !drawn()) return rest_.start(rest_time_);  // the quick picture comes first
    fps_ = 0;
    clock_.invalidate();
    Q_EMIT frame_rate(0);
    ask(false);
  });
  hover_.setSingleShot(true);
  hover_.setInterval(40);
  connect(&hover_, &QTimer::timeout, this, [this] {
    if (navigator_.drag() == Drag::none)
      pick(
          hover_point_, [this](PickId id) { Q_EMIT hovered(id); }, false);
  });
}

Viewport::~Viewport() {
  if (renderer_) release();
  delete canvas_;  // before what its signals reach
}

void Viewport::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // Not from inside the event: what listens may show messages and change the layout.
  if (path_ == DrawingPath::image) QMetaObject::invokeMethod(this, &Viewport::start_renderer, Qt::QueuedConnection);
}

bool Viewport::event(QEvent* event) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
  if (event->type() == QEvent::DevicePixelRatioChange) check_ratio();
#endif
  // Another monitor, perhaps of another ratio, or another scale of this one.
  if (event->type() == QEvent::ScreenChangeInternal) check_ratio();
  if (gesture(event)) return true;
  return QWidget::event(event);
}

void Viewport::check_ratio() {
  if (!renderer_ || devicePixelRatioF() == ratio_) return;
  rest_.start(rest_time_);
  ask(true);
}

void Viewport::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (canvas_ != nullptr) canvas_->setGeometry(rect());
  overlay_->setGeometry(rect());
  navigator_.set_size(tile_rect(0).size());
  rest_.start(rest_time_);
  ask(true);
}

void Viewport::paintEvent(QPaintEvent*) {
  if (canvas_ != nullptr) return;
  check_ratio();
  QPainter painter(this);
  const QImage picture = renderer_ ? renderer_->image() : QImage();
  const double aspect = picture.isNull() ? 0 : double(picture.width()) / picture.height();
  const bool fits = std::abs(aspect * height() - width()) < 1.5;
  if (!fits) painter.fillRect(rect(), QColor::fromRgbF(look_.background.r, look_.background.g, look_.background.b));
  // One of a former size is as high as the view until the next is there: stretched, it would show another shape.
  const QRectF place(0.5 * (width() - aspect * height()), 0, aspect * height(), height());
  if (!picture.isNull()) painter.drawImage(fits ? QRectF(rect()) : place, picture);
}

QImage Viewport::grab_picture() {
  QImage picture = canvas_ != nullptr ? canvas_->grabFramebuffer() : renderer_ ? renderer_->image() : QImage();
  if (picture.isNull()) return picture;
  picture = picture.convertToFormat(QImage::Format_RGB32);
  picture.setDevicePixelRatio(devicePixelRatioF());
  QPainter painter(&picture);
  overlay_->paint(painter);
  return picture;
}

QSize Viewport::picture_size() const {
  const double ratio = devicePixelRatioF();
  return {std::max(1, qRound(width() * ratio)), std::max(1, qRound(height() * ratio))};
}

void Viewport::ask(bool fast) {
  if (!renderer_) return;
  overlay_->set_traced({});
  Q_EMIT picture_asked();
  ratio_ = devicePixelRatioF();
  ViewportRenderer::Request request;
  request.number = ++asked_;
  request.view = view_;
  request.camera = navigator_.camera;
  request.look = look_;
  request.width = picture_size().width();
  request.height = picture_size().height();
  request.pixel_ratio = ratio_;
  request.fast = fast;
  request.vision = vision_;
  renderer_->draw(std::move(request));
  fast ? end_refining() : refine_.start();
}

void Viewport::end_refining() {
  refine_.stop();
  if (std::exchange(refining_, false)) Q_EMIT refining(false);
}

void Viewport::cancel() {
  if (!renderer_ || drawn()) return;
  rest_.stop();
  end_refining();
  renderer_->cancel();
}

void Viewport::announce_drawn() {
  std::shared_ptr<const SceneView> last;
  while (!undrawn_.empty() && undrawn_.front().first <= finished_) {
    last = std::move(undrawn_.front().second);
    undrawn_.pop_front();
  }
  if (last) Q_EMIT view_drawn(last);
}

void Viewport::take_finished(std::uint64_t number, double seconds) {
  finished_ = number;
  if (drawn()) end_refining();
  announce_drawn();
  canvas_ != nullptr ? canvas_->update() : update();
  overlay_->set_camera(navigator_.camera);
  if (renderer_) overlay_->set_covered(renderer_->covered_labels());
  if (!rest_.isActive()) {
    rest_time_ = rest_before_refining(seconds);
    if (drawn()) Q_EMIT came_to_rest();
    return;
  }
  if (clock_.isValid()) {
    const double interval = std::max(1e-4, double(clock_.nsecsElapsed()) * 1e-9);
    fps_ = fps_ > 0 ? 0.9 * fps_ + 0.1 / interval : 1 / interval;
    Q_EMIT frame_rate(fps_);
  }
  clock_.start();
}

namespace {

bool same_picture(const SceneView& a, const SceneView& b) {
  return a.items == b.items && a.traits == b.traits && a.clip_planes == b.clip_planes && a.highlights == b.highlights &&
         a.show_box == b.show_box && a.box == b.box && a.centre == b.centre && a.radius == b.radius &&
         a.tile_columns == b.tile_columns && a.object == b.object && a.camera_shift == b.camera_shift &&
         a.title == b.title && std::equal(a.tiles.begin(), a.tiles.end(), b.tiles.begin(), b.tiles.end(), same_picture);
}

}  // namespace

void Viewport::set_view(std::shared_ptr<const SceneView> view, const Camera* camera, bool unfinished) {
  overlay_->set_view(view);
  const bool turned = camera != nullptr && *camera != navigator_.camera;
  if (turned) navigator_.camera = *camera;
  const bool same = !turned && view && view_ && same_picture(*view, *view_) && cancelled_ < asked_;
  const bool first = path_ == DrawingPath::image && (!view_ || view_->items.empty());
  view_ = std::move(view);
  navigator_.set_size(tile_rect(0).size());
  if (view_) undrawn_.emplace_back(same ? asked_ : asked_ + 1, view_);
  if (same) return announce_drawn();
  // A view that follows soon on another is one of a movement: a film that plays, a slider that moves. The first is
  // shown as soon as can be.
  const bool waits = unfinished && gl_.software;
  const bool waited = std::exchange(unfinished_, waits);
  const bool moving =
      first || waits || waited || rest_.isActive() || (view_clock_.isValid() && !view_clock_.hasExpired(500));
  view_clock_.start();
  if (moving) rest_.start(waits ? rest_before_refining(0, true) : rest_time_);
  ask(moving);
}

void Viewport::set_camera(const Camera& camera) {
  if (camera == navigator_.camera) return;
  navigator_.camera = camera;
  ask(rest_.isActive());
}

void Viewport::set_look(const Look& look) {
  if (look == look_) return;
  look_ = look;
  overlay_->set_look(look);
  ask(rest_.isActive());
}

void Viewport::show_traced(const QImage& picture) {
  overlay_->set_traced(picture);
}

void Viewport::set_vision(ColourVision vision) {
  if (vision == vision_) return;
  vision_ = vision;
  ask(rest_.isActive());
}

void Viewport::moved() {
  rest_.start(rest_time_);
  ask(true);
  Q_EMIT camera_changed(navigator_.camera);
}

void Viewport::navigate() {
  moved();
  Q_EMIT navigated();
}

void Viewport::fit(glm::dvec3 centre, double radius, QSizeF room) {
  navigator_.camera.fit(centre, radius, room.width() / std::max(room.height(), 1.0));
  moved();
}

void Viewport::fit(std::span<const glm::vec4> balls, QSizeF room) {
  navigator_.camera.fit(balls, room.width() / std::max(room.height(), 1.0));
  moved();
}

void Viewport::reset() {
  navigator_.camera.rotation = glm::dquat(1, 0, 0, 0);
  navigator_.camera.slab_front = 0;
  navigator_.camera.slab_back = 0;
  moved();
}

void Viewport::look_from(int side) {
  navigator_.look_from(side);
  moved();
}

void Viewport::toggle_projection() {
  navigator_.toggle_projection();
  moved();
}

void Viewport::fly_to(const Camera& camera) {
  navigator_.camera = camera;
  moved();
}

void Viewport::centre_on(glm::dvec3 point) {
  navigator_.camera.centre = point;
  moved();
}

}  // namespace isolume
