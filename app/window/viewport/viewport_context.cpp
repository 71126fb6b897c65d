// The 3-D view's OpenGL: made, lost and made again.
#include <exception>
#include <thread>
#include <utility>

#include "app/documents/thread_priority.h"
#include "app/models/labels.h"
#include "app/window/viewport/gl_canvas.h"
#include "app/window/viewport/qt_gl_context.h"
#include "app/window/viewport/viewport.h"
#include "app/window/viewport/viewport_renderer.h"
#include "app/window/widgets/post.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

/// A context whose driver's own threads, which a software driver starts with it, let the window go before them.
std::unique_ptr<GlContext> create_context_behind() {
  std::unique_ptr<GlContext> context;
  std::exception_ptr fault;
  std::thread maker([&] {
    lower_thread_priority();
    try {
      context = create_egl_context();
    } catch (...) {
      fault = std::current_exception();
    }
  });
  maker.join();
  if (fault) std::rethrow_exception(fault);
  return context;
}

}  // namespace

void Viewport::start_renderer() {
  if (renderer_) return;
  const auto post = [this](auto call) { isolume::post(this, std::move(call)); };
  ViewportRenderer::Callbacks callbacks;
  callbacks.started = [this, post](const GlInfo& info) {
    post([this, info] {
      gl_ = info;
      ready_ = true;
      Q_EMIT context_ready();
    });
  };
  callbacks.failed = [this, post](const std::string& message) { post([this, message] { fail(to_qt(message)); }); };
  callbacks.lost = [this, post](const std::string& why) { post([this, why] { recover(to_qt(why)); }); };
  callbacks.finished = [this, post](std::uint64_t number, double seconds) {
    post([this, number, seconds] { take_finished(number, seconds); });
  };
  callbacks.cancelled = [this, post](std::uint64_t number) {
    post([this, number] { cancelled_ = std::max(cancelled_, number); });
  };
  callbacks.picked = [this, post](std::uint64_t ticket, PickId id) {
    post([this, ticket, id] {
      auto done = picks_.extract(ticket);
      if (!done.empty()) done.mapped()(id);
    });
  };
  try {
    if (path_ == DrawingPath::image && !root_) root_ = create_context_behind();
    auto context = create_shared_context();
    if (!context) throw Error("OpenGL 4.5 is not available.");
    renderer_ = std::make_unique<ViewportRenderer>(std::move(context), path_ == DrawingPath::image, callbacks);
  } catch (const Error& error) {
    fail(to_qt(error.what()));
    return;
  }
  if (view_) rest_.start(rest_time_);
  ask(true);  // a mere background needs no refinement
}

void Viewport::fail(const QString& message) {
  Q_EMIT failed(tr("The 3D view cannot draw. %1").arg(message));
}

void Viewport::release() {
  if (!renderer_) return;
  if (canvas_ != nullptr) canvas_->makeCurrent();
  try {
    if (root_) root_->make_current();
  } catch (const Error&) {
    // It is lost, and so is all that would be released in it.
  }
  renderer_.reset();
  ready_ = false;
  picks_.clear();
  finished_ = asked_;
  view_.reset();
  undrawn_.clear();
  Q_EMIT context_going();
  if (canvas_ != nullptr) canvas_->doneCurrent();
  if (root_) root_->done_current();
}

void Viewport::rebuild() {
  start_renderer();
}

void Viewport::recover(const QString& why) {
  if (!renderer_) return;  // it is made again already
  release();
  constexpr int most = 3;
  if (++losses_ > most) {
    fail(tr("%1, for the fourth time. Restart Isolume, perhaps with --safe-mode.").arg(why));
    return;
  }
  // All contexts of the window share with one of Qt's, which is lost for good.
  delete std::exchange(canvas_, nullptr);
  root_.reset();
  path_ = DrawingPath::image;
  setAttribute(Qt::WA_OpaquePaintEvent);
  start_renderer();
  if (renderer_) Q_EMIT recovered(tr("The 3D view was rebuilt: %1.").arg(why));
}

std::unique_ptr<GlContext> Viewport::create_shared_context() {
  if (root_) return root_->create_shared();
  if (canvas_ == nullptr || canvas_->context() == nullptr) return nullptr;
  return std::make_unique<QtGlContext>(canvas_->context());
}

}  // namespace isolume
