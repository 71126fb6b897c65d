// The 3-D view: Qt's events in, the renderer's picture out.
#include "app/window/viewport.h"

#include <QOpenGLContext>
#include <QPainter>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/qt_gl_context.h"
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
    if (renderer_) renderer_->set_fast(false);
    fps_ = 0;
    clock_.invalidate();
    Q_EMIT frame_rate(0);
    update();
  });
  hover_.setSingleShot(true);
  hover_.setInterval(40);
  connect(&hover_, &QTimer::timeout, this, [this] {
    if (navigator_.drag() == Navigator::Drag::none) Q_EMIT hovered(pick(hover_point_));
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
  try {
    renderer_ = std::make_unique<Renderer>();
    gl_ = gl_info();
  } catch (const std::exception& error) {
    Q_EMIT failed(tr("The 3-D view needs OpenGL 4.5. %1").arg(QString::fromUtf8(error.what())));
    return;
  }
  // Not from inside initializeGL: the receivers make contexts of their own.
  QMetaObject::invokeMethod(this, &Viewport::context_ready, Qt::QueuedConnection);
}

void Viewport::release() {
  makeCurrent();
  view_.reset();
  renderer_.reset();  // before the contexts that share with it: Mesa's software driver wants it so
  Q_EMIT context_going();
  doneCurrent();
}

void Viewport::rebuild() {
  if (renderer_ || context() == nullptr) return;
  makeCurrent();
  disconnect(context(), nullptr, this, nullptr);
  initializeGL();
  doneCurrent();
  update();
}

void Viewport::resizeGL(int width, int height) {
  navigator_.set_size(QSizeF(width, height));
}

void Viewport::paintGL() {
  const double ratio = devicePixelRatioF();
  if (!renderer_) return;
  SceneView view = view_ ? *view_ : SceneView{};
  view.camera = navigator_.camera;
  view.look = look_;
  try {
    renderer_->draw(view, defaultFramebufferObject(), qRound(width() * ratio), qRound(height() * ratio), ratio);
  } catch (const std::exception& error) {
    renderer_.reset();  // once, not at every frame
    Q_EMIT failed(tr("The 3-D view cannot draw: %1").arg(QString::fromUtf8(error.what())));
    return;
  }
  measure();
}

void Viewport::measure() {
  if (!rest_.isActive()) return;
  if (clock_.isValid()) {
    const double seconds = std::max(1e-4, double(clock_.nsecsElapsed()) * 1e-9);
    fps_ = fps_ > 0 ? 0.9 * fps_ + 0.1 / seconds : 1 / seconds;
    Q_EMIT frame_rate(fps_);
  }
  clock_.start();
}

void Viewport::set_view(std::shared_ptr<const SceneView> view) {
  view_ = std::move(view);
  update();
}

void Viewport::set_camera(const Camera& camera) {
  if (camera == navigator_.camera) return;
  navigator_.camera = camera;
  update();
}

void Viewport::set_look(const Look& look) {
  if (look == look_) return;
  look_ = look;
  update();
}

std::unique_ptr<GlContext> Viewport::create_shared_context() {
  if (context() == nullptr) return nullptr;
  return std::make_unique<QtGlContext>(context());
}

void Viewport::moved() {
  if (renderer_) renderer_->set_fast(true);
  rest_.start();
  update();
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

PickId Viewport::pick(QPointF point) {
  if (!renderer_ || !view_ || !rect().contains(point.toPoint())) return {};
  makeCurrent();
  const double ratio = devicePixelRatioF();
  const PickId id = renderer_->pick(static_cast<int>(point.x() * ratio), static_cast<int>(point.y() * ratio),
                                    static_cast<int>(3 * ratio));
  doneCurrent();
  return id;
}

}  // namespace isolume
