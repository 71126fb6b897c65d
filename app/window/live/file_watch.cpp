// Follows the files of the scene.
#include "app/window/live/file_watch.h"

#include <QFileInfo>

#include "app/models/labels.h"
#include "app/scene/path_part.h"
#include "app/window/widgets/async.h"

namespace isolume {
namespace {

constexpr int left_alone = 600;  // milliseconds
constexpr int latest = 1500;     // after a change that was not read: of a file that is written without a pause

QString full_path(const std::string& path) {
  return QFileInfo(to_qt(file_of(path))).absoluteFilePath();
}

}  // namespace

FileWatch::FileWatch(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  rest_.setSingleShot(true);
  rest_.setInterval(left_alone);
  connect(&rest_, &QTimer::timeout, this, &FileWatch::read_changed);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
    if (changed_.isEmpty()) since_.start();
    changed_ += path;
    if (!rest_.isActive() || !since_.hasExpired(latest - left_alone)) rest_.start();
  });
  controller_.listen(this, SceneParts::molecules, &FileWatch::follow);
}

void FileWatch::set_enabled(bool enabled) {
  enabled_ = enabled;
  follow(controller_.scene());
}

void FileWatch::follow(const Scene& scene) {
  QSet<QString> wanted;
  for (const SceneMolecule& molecule : scene.molecules) {
    if (!enabled_) break;
    for (const std::string& path : molecule.paths) wanted += full_path(path);
  }
  const QStringList files = watcher_.files();
  QStringList gone, fresh;
  for (const QString& path : files) {
    if (!wanted.contains(path)) gone += path;
  }
  for (const QString& path : wanted) {
    if (!files.contains(path) && QFileInfo::exists(path)) fresh += path;
  }
  if (!gone.isEmpty()) watcher_.removePaths(gone);
  if (!fresh.isEmpty()) watcher_.addPaths(fresh);
}

void FileWatch::read_changed() {
  if (reading_ || !enabled_) return;
  std::vector<SceneMolecule> entries;
  QStringList paths;
  for (const SceneMolecule& molecule : controller_.scene().molecules) {
    bool touched = false;
    for (const std::string& path : molecule.paths) {
      if (!changed_.contains(full_path(path))) continue;
      touched = true;
      paths += full_path(path);
    }
    if (touched) entries.push_back(molecule);
  }
  changed_.clear();
  follow(controller_.scene());  // a file that was replaced is another one, which is not watched yet
  if (entries.empty()) return;
  reading_ = true;
  const std::size_t frames = controller_.frame_count();
  const auto again = [this] {
    reading_ = false;
    if (!changed_.isEmpty()) rest_.start();
  };
  run_async(
      this,
      [documents = &controller_.documents(), entries] {
        for (const SceneMolecule& entry : entries) documents->reload(entry);
        return true;
      },
      [this, again, paths, frames](bool) {
        again();
        const std::size_t now = controller_.frame_count();
        controller_.molecules_changed();
        if (frames > 1 && controller_.scene().frame + 1 == frames && now > frames)
          controller_.touch([now](Scene& scene) { scene.frame = now - 1; });
        Q_EMIT reloaded(paths);
      },
      [this, again](const QString& message) {
        const bool being_written = !changed_.isEmpty();  // it is read again soon
        again();
        if (!being_written) Q_EMIT failed(message);
      });
}

}  // namespace isolume
