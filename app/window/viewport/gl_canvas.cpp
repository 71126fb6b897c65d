// The part of the 3-D view that lives on the window's own OpenGL.
#include "app/window/viewport/gl_canvas.h"

#include <QOpenGLContext>

namespace isolume {

GlCanvas::GlCanvas(std::function<void(unsigned, int, int)> paint, QWidget* parent)
    : QOpenGLWidget(parent), paint_(std::move(paint)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("3D view"));
}

GlCanvas::~GlCanvas() {
  if (context() != nullptr) disconnect(context(), nullptr, this, nullptr);
}

void GlCanvas::initializeGL() {
  // The context can be made again (another screen, a lost device): what hangs on it goes first.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::context_going, Qt::DirectConnection);
  // Not from inside initializeGL: contexts are made.
  QMetaObject::invokeMethod(this, &GlCanvas::context_made, Qt::QueuedConnection);
}

void GlCanvas::paintGL() {
  const double ratio = devicePixelRatioF();
  paint_(defaultFramebufferObject(), qRound(width() * ratio), qRound(height() * ratio));
}

}  // namespace isolume
