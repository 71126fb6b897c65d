// Qt's OpenGL contexts as the renderer and the field worker see them.
#include "app/window/viewport/qt_gl_context.h"

#include <QCoreApplication>
#include <QThread>

#include "molecule/base/error.h"

namespace isolume {

QtGlContext::QtGlContext(QOpenGLContext* share)
    : context_(std::make_unique<QOpenGLContext>()), surface_(new QOffscreenSurface) {
  if (share != nullptr) {
    context_->setFormat(share->format());
    context_->setShareContext(share);
    surface_->setFormat(share->format());
  }
  surface_->create();
  if (!surface_->isValid() || !context_->create()) {
    delete surface_;
    throw Error("Could not create an OpenGL context for the worker.");
  }
  context_->moveToThread(nullptr);  // the thread that first makes it current pulls it to itself
}

QtGlContext::~QtGlContext() {
  if (context_->thread() == nullptr) context_->moveToThread(QThread::currentThread());
  if (QOpenGLContext::currentContext() == context_.get()) context_->doneCurrent();
  context_.reset();
  if (QCoreApplication::instance() == nullptr || surface_->thread() == QThread::currentThread()) {
    delete surface_;
  } else {
    surface_->deleteLater();
  }
}

void QtGlContext::make_current() {
  if (context_->thread() == nullptr) context_->moveToThread(QThread::currentThread());
  if (!context_->makeCurrent(surface_)) throw Error("The worker's OpenGL context was lost.");
}

void QtGlContext::done_current() {
  context_->doneCurrent();
}

std::unique_ptr<GlContext> QtGlContext::create_shared() {
  if (QCoreApplication::instance() == nullptr || QThread::currentThread() != QCoreApplication::instance()->thread()) {
    return nullptr;
  }
  return std::make_unique<QtGlContext>(context_.get());
}

}  // namespace isolume
