// The program with its window.
#include "app/window/run_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QSurfaceFormat>
#include <algorithm>
#include <cstdio>

#include "app/window/icons.h"
#include "app/window/instance.h"
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

namespace {

// Without a display Qt would abort, with a list of its plugins. Where a platform is asked for, Qt decides.
bool has_display(int argc, char** argv) {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (!qEnvironmentVariableIsEmpty(name)) return true;
  return std::any_of(argv, argv + argc, [](const char* argument) { return qstrcmp(argument, "-platform") == 0; });
}

}  // namespace

int run_window(int argc, char** argv) {
  if (!has_display(argc, argv)) {
    std::fputs(
        "isolume: no display to open the window on (DISPLAY and WAYLAND_DISPLAY are not set); without one,\n"
        "  isolume render FILE --out picture.png draws a picture, and isolume --help lists the rest\n",
        stderr);
    return 1;
  }
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
  const QCommandLineOption reuse(QStringLiteral("reuse"),
                                 QStringLiteral("Open the files in the program that runs, where one does"));
  parser.addOption(reuse);
  parser.addHelpOption();
  parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral("Files to open, or a session"));
  parser.process(application);

  QStringList files;
  for (const QString& file : parser.positionalArguments()) files += QFileInfo(file).absoluteFilePath();
  if (parser.isSet(reuse) && Instance::hand_over(files)) return 0;

  load_icons();
  QGuiApplication::setWindowIcon(icon(QStringLiteral("isolume")));
  const Preferences preferences = Preferences::read();
  apply_theme(theme_from_name(parser.isSet(theme) ? parser.value(theme) : preferences.theme));
  MainWindow window;
  window.choose_device_by_name(parser.isSet(device) ? parser.value(device) : preferences.device);
  window.show();
  window.offer_recovery();
  if (!files.isEmpty()) window.open_files(files);
  Instance instance;
  if (instance.listen()) {
    QObject::connect(&instance, &Instance::asked, &window, [&window](const QStringList& asked) {
      // An empty window takes the files itself.
      MainWindow* taker = &window;
      if (!window.isVisible() || !window.controller().scene().molecules.empty()) {
        taker = window.open_another(asked);
      } else {
        window.open_files(asked);
      }
      taker->raise();
      taker->activateWindow();
    });
  }
  return QApplication::exec();
}

}  // namespace isolume
