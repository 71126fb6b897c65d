// CommandLog: what is done in the window, as commands in the console.
#include "app/window/shell/command_log.h"

#include <QFileInfo>

#include "app/models/labels.h"
#include "app/scene/scene_commands.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/shell/main_window.h"

namespace isolume {
namespace {

QString quoted(const QString& path) {
  if (!path.contains(QLatin1Char(' ')) && !path.contains(QLatin1Char('"'))) return path;
  return QLatin1Char('"') + QString(path).replace(QLatin1Char('"'), QStringLiteral("\"\"\"")) + QLatin1Char('"');
}

QString open_command(const std::vector<std::string>& paths) {
  QString command = QStringLiteral("open");
  for (const std::string& path : paths) command += QLatin1Char(' ') + quoted(to_qt(path));
  return command;
}

}  // namespace

CommandLog::CommandLog(MainWindow& window) : controller_(window.controller()), console_(window.console()) {
  timer_.setSingleShot(true);
  timer_.setInterval(300);  // a slider that moves is one command
  connect(&timer_, &QTimer::timeout, this, &CommandLog::add_changes);
  connect(&controller_, &SceneController::scene_changed, this, [this, &window] {
    if (!window.player().playing() && !window.plots().previewing()) timer_.start();
  });
  FileLoader& loader = window.loader();
  connect(&loader, &FileLoader::opened, this, [this](const QStringList& paths) {
    std::vector<std::string> files;
    for (const QString& path : paths) files.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    add(open_command(files));
  });
  connect(&loader, &FileLoader::session_opened, this,
          [this](const QString& path) { add(open_command({path.toStdString()})); });
  // What was changed while they were written is told too.
  connect(&loader, &FileLoader::session_saved, this, [this](const QString& path) {
    add_changes();
    add(QStringLiteral("save ") + quoted(path));
  });
  connect(&window.exporter(), &PictureExport::finished, this, [this](const QString& path) {
    add_changes();
    add(QStringLiteral("image ") + quoted(path));
  });
}

void CommandLog::add(const QString& command) {
  timer_.stop();
  known_ = controller_.scene();
  console_.show_command(command);
}

void CommandLog::add_changes() {
  timer_.stop();
  const Scene& now = controller_.scene();
  if (now == known_) return;
  Scene before = known_;
  known_ = now;
  if (now.molecules.empty() && !before.molecules.empty()) {
    console_.show_command(QStringLiteral("close"));
    return;
  }
  const bool frame = now.frame != before.frame;
  before.frame = now.frame;
  // Another camera is where the user looks, not what was done: the view command prints it.
  for (const std::string& command : scene_changes(before, now, false)) console_.show_command(to_qt(command));
  if (frame) console_.show_command(QStringLiteral("frame %1").arg(now.frame));
}

}  // namespace isolume
