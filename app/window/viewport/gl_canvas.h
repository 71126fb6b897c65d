// The part of the 3-D view that lives on the window's own OpenGL.
#pragma once

#include <QOpenGLWidget>
#include <functional>

namespace isolume {

/// Copies finished pictures to the screen by OpenGL. Mouse and keys go to its parent.
class GlCanvas : public QOpenGLWidget {
  Q_OBJECT
 public:
  /// `paint(framebuffer, width, height)` copies the newest picture, in device pixels, with the context current.
  GlCanvas(std::function<void(unsigned, int, int)> paint, QWidget* parent);
  ~GlCanvas() override;

 Q_SIGNALS:
  /// The context is there (again).
  void context_made();
  /// It goes, and is not current: what hangs on it is let go now.
  void context_going();

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  std::function<void(unsigned, int, int)> paint_;
};

}  // namespace isolume
