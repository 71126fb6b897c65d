// The 3-D view: Qt's events in, the renderer's picture out.
#include "app/window/viewport.h"

#include <QOpenGLContext>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/qt_gl_context.h"
#include "app/window/viewport_renderer.h"
#include "molecule/error.h"

namespace isolume {

Viewport::Viewport(QWidget* parent) : QOpenGLWidget(parent) {
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(tr("3-D view"));
  setAccessibleDescription(tr("Shows the scene. Shift and arrow keys turn it, plus and minus zoom, F fits."));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(240, 180);
  rest_.setSingleShot(true);
  rest_.setInterval(180);
  connect(&rest_, &QTimer::timeout, this, [this] {
    fps_ = 0;
    clock_.invalidate();
    Q_EMIT frame_rate(0);
    ask(false);
  });
  connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
    if (renderer_) renderer_->shown();
  });
  hover_.setSingleShot(true);
  hover_.setInterval(40);
  connect(&hover_, &QTimer::timeout, this, [this] {
    if (navigator_.drag() == Navigator::Drag::none) pick(hover_point_, [this](PickId id) { Q_EMIT hovered(id); });
  });
}

Viewport::~Viewport() {
  if (context() == nullptr) return;
  disconnect(context(), nullptr, this, nullptr);
  if (renderer_) release();
}

void Viewport::initializeGL() {
  // The context can be made again (another screen, a lost device): what hangs on it goes first.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &Viewport::release, Qt::DirectConnection);
  // Not from inside initializeGL: contexts are made.
  QMetaObject::invokeMethod(this, &Viewport::start_renderer, Qt::QueuedConnection);
}

void Viewport::start_renderer() {
  if (renderer_ || context() == nullptr) return;
  const auto post = [this](auto call) { QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection); };
  ViewportRenderer::Callbacks callbacks;
  callbacks.started = [this, post](const GlInfo& info) {
    post([this, info] {
      gl_ = info;
      ready_ = true;
      Q_EMIT context_ready();
    });
  };
  callbacks.failed = [this, post](const std::string& message) {
    post([this, message] { Q_EMIT failed(tr("The 3-D view cannot draw. %1").arg(to_qt(message))); });
  };
  callbacks.finished = [this, post](std::uint64_t number, double seconds) {
    post([this, number, seconds] { take_finished(number, seconds); });
  };
  callbacks.picked = [this, post](std::uint64_t ticket, PickId id) {
    post([this, ticket, id] {
      auto done = picks_.extract(ticket);
      if (!done.empty()) done.mapped()(id);
    });
  };
  try {
    renderer_ = std::make_unique<ViewportRenderer>(create_shared_context(), std::move(callbacks));
  } catch (const Error& error) {
    Q_EMIT failed(tr("The 3-D view cannot draw. %1").arg(to_qt(error.what())));
    return;
  }
  ask(false);
}

void Viewport::release() {
  if (!renderer_) return;
  makeCurrent();
  renderer_.reset();
  ready_ = false;
  picks_.clear();
  finished_ = asked_;
  view_.reset();
  Q_EMIT context_going();
  doneCurrent();
}

void Viewport::rebuild() {
  start_renderer();
}

void Viewport::resizeGL(int width, int height) {
  navigator_.set_size(QSizeF(width, height));
  rest_.start();
  ask(true);
}

void Viewport::paintGL() {
  const double ratio = devicePixelRatioF();
  if (renderer_) renderer_->show(defaultFramebufferObject(), qRound(width() * ratio), qRound(height() * ratio));
}

void Viewport::ask(bool fast) {
  if (!renderer_) return;
  const double ratio = devicePixelRatioF();
  ViewportRenderer::Request request;
  request.number = ++asked_;
  request.view = view_;
  request.camera = navigator_.camera;
  request.look = look_;
  request.width = std::max(1, qRound(width() * ratio));
  request.height = std::max(1, qRound(height() * ratio));
  request.pixel_ratio = ratio;
  request.fast = fast;
  renderer_->draw(std::move(request));
}

void Viewport::take_finished(std::uint64_t number, double seconds) {
  finished_ = number;
  update();
  if (!rest_.isActive()) {
    // Where a refined picture is slow (a software rasteriser), it waits until the user has really stopped.
    rest_.setInterval(std::clamp(static_cast<int>(1000 * seconds), 180, 1000));
    return;
  }
  if (clock_.isValid()) {
    const double interval = std::max(1e-4, double(clock_.nsecsElapsed()) * 1e-9);
    fps_ = fps_ > 0 ? 0.9 * fps_ + 0.1 / interval : 1 / interval;
    Q_EMIT frame_rate(fps_);
  }
  clock_.start();
}

void Viewport::set_view(std::shared_ptr<const SceneView> view) {
  const bool same = view && view_ && view->items == view_->items && view->highlights == view_->highlights &&
                    view->show_box == view_->show_box && view->box == view_->box && view->centre == view_->centre &&
                    view->radius == view_->radius;
  view_ = std::move(view);
  if (same) return;
  // A view that follows soon on another is one of a movement: a film that plays, a slider that moves.
  const bool moving = rest_.isActive() || (view_clock_.isValid() && !view_clock_.hasExpired(500));
  view_clock_.start();
  if (moving) rest_.start();
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
  ask(rest_.isActive());
}

std::unique_ptr<GlContext> Viewport::create_shared_context() {
  if (context() == nullptr) return nullptr;
  return std::make_unique<QtGlContext>(context());
}

void Viewport::moved() {
  rest_.start();
  ask(true);
  Q_EMIT camera_changed(navigator_.camera);
}

void Viewport::fit() {
  if (!view_) return;
  navigator_.camera.fit(view_->centre, view_->radius, double(width()) / std::max(height(), 1));
  moved();
}

void Viewport::reset() {
  navigator_.camera.rotation = glm::dquat(1, 0, 0, 0);
  navigator_.camera.slab_front = 0;
  navigator_.camera.slab_back = 0;
  fit();
}

void Viewport::look_from(int side) {
  navigator_.look_from(side);
  moved();
}

void Viewport::toggle_projection() {
  navigator_.toggle_projection();
  moved();
}

void Viewport::centre_on(glm::dvec3 point) {
  navigator_.camera.centre = point;
  moved();
}

void Viewport::pick(QPointF point, std::function<void(PickId)> done) {
  if (!renderer_ || !view_ || !rect().contains(point.toPoint())) {
    done({});
    return;
  }
  const double ratio = devicePixelRatioF();
  picks_[++ticket_] = std::move(done);
  renderer_->pick(ticket_, static_cast<int>(point.x() * ratio), static_cast<int>(point.y() * ratio),
                  static_cast<int>(3 * ratio));
}

}  // namespace isolume
