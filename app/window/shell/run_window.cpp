// The program with its window.
#include "app/window/shell/run_window.h"

#include <unistd.h>
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QFontDatabase>
#include <QSurfaceFormat>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "app/documents/streams/stream_address.h"
#include "app/scene/unpacked_cache.h"
#include "app/window/recovery/crash_record.h"
#include "app/window/recovery/safe_mode.h"
#include "app/window/shell/end_signals.h"
#include "app/window/shell/instance.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/window_layout.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/theme.h"
#include "app/window/widgets/work_pool.h"
#include "render/image/text.h"

namespace isolume {

namespace {

/// Seconds since the program was started, by the kernel's clock (to 10 ms).
double seconds_since_start() {
  std::ifstream stat("/proc/self/stat");
  const std::string text((std::istreambuf_iterator<char>(stat)), {});
  // Field 22, counted behind the name in parentheses, which may hold blanks.
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double started = std::strtod(field.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - started;
}

/// Prints how long the first pictures took, and quits.
void measure_start(MainWindow& window) {
  auto* watch = new QTimer(&window);
  QObject::connect(watch, &QTimer::timeout, &window, [&window, drawn = false]() mutable {
    const auto& view = window.viewport().view();
    if (!view || view->items.empty() || !window.viewport().drawn()) return;
    if (!std::exchange(drawn, true)) std::printf("first picture after %.2f s\n", seconds_since_start());
    if (!window.viewport().at_rest()) return;
    std::printf("refined after %.2f s\n", seconds_since_start());
    QCoreApplication::quit();
  });
  watch->start(5);
}

}  // namespace

void set_surface_format() {
  QSurfaceFormat format;
  format.setVersion(4, 5);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setSwapInterval(1);
  format.setOption(QSurfaceFormat::ResetNotification);  // render/gl/context_loss.h
  QSurfaceFormat::setDefaultFormat(format);
}

namespace {

// Where no font is installed, as in many containers, every letter would be a box.
void use_own_typeface_where_there_is_none() {
  if (!QFontDatabase::families().isEmpty()) return;
  const auto file = typeface_file();
  const int added = QFontDatabase::addApplicationFontFromData(
      QByteArray::fromRawData(reinterpret_cast<const char*>(file.data()), static_cast<qsizetype>(file.size())));
  const QStringList families = QFontDatabase::applicationFontFamilies(added);
  if (!families.isEmpty()) QApplication::setFont(QFont(families.first(), QApplication::font().pointSize()));
}

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
        "isolume: no display (DISPLAY and WAYLAND_DISPLAY are not set); without one,\n"
        "  isolume render FILE --out picture.png renders an image, and isolume --help lists the other commands\n",
        stderr);
    return 1;
  }
  CrashRecord crashes;
  enter_safe_mode(choose_safe_mode(QStringList(argv + 1, argv + argc), crashes.crashes()));
  // The workers' contexts and every window (docks that float) draw from the same buffers.
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  set_surface_format();
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName(QStringLiteral("isolume"));
  application.setProperty(program_property, QCoreApplication::applicationFilePath());
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
                                 QStringLiteral("Open the files in a running Isolume if possible"));
  parser.addOption(reuse);
  QCommandLineOption measure(QStringLiteral("measure-start"),
                             QStringLiteral("Print when the first picture was there, and quit"));
  measure.setFlags(QCommandLineOption::HiddenFromHelp);
  parser.addOption(measure);
  const QCommandLineOption watch(QStringLiteral("watch"), QStringLiteral("Reload files that change on disk"));
  parser.addOption(watch);
  const QCommandLineOption safe(QStringLiteral("safe-mode"),
                                QStringLiteral("Start without CUDA and without the graphics card's driver"));
  const QCommandLineOption no_safe(QStringLiteral("no-safe-mode"),
                                   QStringLiteral("Start normally, whatever happened before"));
  parser.addOptions({safe, no_safe});
  parser.addHelpOption();
  parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral("Files to open, a session, or imd://HOST:PORT"));
  parser.process(application);

  QStringList files;
  for (const QString& file : parser.positionalArguments())
    files += is_stream_address(file.toStdString()) ? file : QFileInfo(file).absoluteFilePath();
  if (parser.isSet(reuse) && Instance::hand_over(files)) {
    crashes.finish();
    return 0;
  }

  use_own_typeface_where_there_is_none();
  load_icons();
  QGuiApplication::setWindowIcon(icon(QStringLiteral("isolume")));
  const Preferences preferences = Preferences::read();
  apply_theme(theme_from_name(parser.isSet(theme) ? parser.value(theme) : preferences.theme));
  EndSignals end_signals;
  begin_start();
  MainWindow window;
  QObject::connect(&end_signals, &EndSignals::asked, &window, [] {
    for (QWidget* each : QApplication::topLevelWidgets())
      if (auto* open = qobject_cast<MainWindow*>(each)) open->end_as_asked();
    QCoreApplication::quit();
  });
  window.test_devices(crashes.crashes() > 0);
  const bool safely = safe_mode() != SafeMode::off;
  window.choose_device_by_name(safely                 ? QStringLiteral("cpu")
                               : parser.isSet(device) ? parser.value(device)
                                                      : preferences.device);
  window.commands().watch->setChecked(parser.isSet(watch));
  window.show();
  window.offer_recovery();
  // Behind that, which holds what it offers.
  work_pool().start([] {
    try {
      tidy_unpacked();
    } catch (const std::exception&) {  // a cache that is not tidied is no reason not to work
    }
  });
  if (!files.isEmpty()) window.open_files(files);
  if (parser.isSet(measure)) measure_start(window);
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
  const int code = QApplication::exec();
  crashes.finish();
  return code;
}

}  // namespace isolume
