// What a 3-D mouse has to do with the window.
#include "app/window/shell/six_axis_links.h"

#include <QApplication>

#include "app/window/shell/main_window.h"
#include "app/window/viewport/six_axis_mouse.h"
#include "app/window/viewport/viewport.h"

namespace isolume {
namespace {

bool has_keyboard(const QWidget& window) {
  for (const QWidget* active = QApplication::activeWindow(); active != nullptr; active = active->parentWidget())
    if (active == &window) return true;
  return false;
}

}  // namespace

SixAxisMouse* link_six_axis_mouse(MainWindow& window) {
  auto* mouse = new SixAxisMouse(&window);
  QObject::connect(mouse, &SixAxisMouse::moved, &window, [&window](const QList<SixAxisMotion>& motions) {
    if (has_keyboard(window)) window.viewport().push(motions, window.preferences().six_axes);
  });
  QObject::connect(mouse, &SixAxisMouse::pressed, &window, [&window](int button) {
    if (!has_keyboard(window)) return;
    QAction* action = window.commands().find(window.preferences().six_axes.buttons.value(button));
    if (action != nullptr) action->trigger();
  });
  QObject::connect(qApp, &QGuiApplication::focusWindowChanged, mouse, &SixAxisMouse::look_again);
  return mouse;
}

}  // namespace isolume
