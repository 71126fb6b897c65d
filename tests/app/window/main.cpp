// The test program of the window: an application, on a display where there is one.
#include <gtest/gtest.h>

#include <QApplication>

#include "app/window/shell/run_window.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/theme.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");  // tests that need OpenGL skip
  }
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  isolume::set_surface_format();
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("isolume-test"));
  QCoreApplication::setOrganizationName(QStringLiteral("isolume-test"));
  isolume::load_icons();
  isolume::apply_theme(isolume::Theme::light);
  return RUN_ALL_TESTS();
}
