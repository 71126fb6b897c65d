// The program with its window.
#include "app/window/run_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QSurfaceFormat>

#include "app/window/icons.h"
#include "app/window/main_window.h"
#include "app/window/theme.h"

namespace isolume {

void set_surface_format() {
  QSurfaceFormat format;
  format.setVersion(4, 5);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setSwapInterval(1);
  QSurfaceFormat::setDefaultFormat(format);
}

int run_window(int argc, char** argv) {
  // The workers' contexts and every window (docks that float) draw from the same buffers.
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  set_surface_format();
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("isolume"));
  QCoreApplication::setOrganizationName(QStringLiteral("isolume"));
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Isolume"));
  QGuiApplication::setDesktopFileName(QStringLiteral("isolume"));

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("A viewer of molecules and their fields"));
  const QCommandLineOption device(QStringLiteral("device"), QStringLiteral("Device that computes"),
                                  QStringLiteral("name"), QStringLiteral("auto"));
  const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light, dark or system"),
                                 QStringLiteral("name"));
  parser.addOption(device);
  parser.addOption(theme);
  parser.addHelpOption();
  parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral("Files to open, or a session"));
  parser.process(application);

  load_icons();
  QGuiApplication::setWindowIcon(icon(QStringLiteral("isolume")));
  QSettings settings;
  apply_theme(
      theme_from_name(parser.isSet(theme) ? parser.value(theme) : settings.value(QStringLiteral("theme")).toString()));
  MainWindow window;
  window.choose_device_by_name(parser.value(device));
  window.show();
  if (!parser.positionalArguments().isEmpty()) window.open_files(parser.positionalArguments());
  return QApplication::exec();
}

}  // namespace isolume
