// How pictures get from OpenGL to the screen.
#include "app/window/viewport/drawing_path.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSettings>

namespace isolume {
namespace {

struct Probe {
  bool modern = false;    // OpenGL 4.5 or newer
  bool software = false;  // drawn by the CPU
  QString words;
};

Probe ask_window_system() {
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !surface.isValid() || !context.makeCurrent(&surface)) {
    return {false, false, QCoreApplication::translate("DrawingPath", "none")};
  }
  Probe probe;
  const auto text = [&context](GLenum what) {
    return QString::fromLatin1(reinterpret_cast<const char*>(context.functions()->glGetString(what)));
  };
  const QString renderer = text(GL_RENDERER);
  const auto [major, minor] = context.format().version();
  probe.modern = major * 10 + minor >= 45;
  for (const char* word : {"llvmpipe", "softpipe", "SWR", "Software"}) {
    probe.software = probe.software || renderer.contains(QLatin1String(word));
  }
  probe.words = QStringLiteral("OpenGL %1.%2, %3").arg(major).arg(minor).arg(renderer);
  context.doneCurrent();
  return probe;
}

const Probe& probe() {
  static const Probe found = ask_window_system();
  return found;
}

}  // namespace

DrawingPath drawing_path() {
  QString wish = qEnvironmentVariable("ISOLUME_DRAWING");
  if (wish.isEmpty()) wish = QSettings().value(QStringLiteral("drawing")).toString();
  if (wish == QLatin1String("window") && probe().modern) return DrawingPath::window;  // else it would end the program
  if (wish == QLatin1String("image")) return DrawingPath::image;
  return probe().modern && !probe().software ? DrawingPath::window : DrawingPath::image;
}

QString window_opengl() {
  return probe().words;
}

}  // namespace isolume
