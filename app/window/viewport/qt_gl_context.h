// Qt's OpenGL contexts as the renderer and the field worker see them.
#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <memory>

#include "render/gl/context.h"

namespace isolume {

/// A context of its own on an offscreen surface, in the share group of another. Made on the window's thread;
/// make_current() may then be called from one other thread, which from that moment owns it.
class QtGlContext final : public GlContext {
 public:
  /// Throws Error where the context cannot be made.
  explicit QtGlContext(QOpenGLContext* share);
  ~QtGlContext() override;

  void make_current() override;
  void done_current() override;
  /// Only on the window's thread; null elsewhere.
  std::unique_ptr<GlContext> create_shared() override;

 private:
  std::unique_ptr<QOpenGLContext> context_;
  QOffscreenSurface* surface_;  ///< belongs to the window's thread and is deleted there
};

}  // namespace isolume
