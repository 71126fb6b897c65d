// Autosave: saves the scene at intervals, and finds saves left by a crash.
#include "app/window/recovery/recovery.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/scene_json.h"
#include "app/window/widgets/async.h"

namespace isolume {
namespace {

constexpr int ring = 3;

QString state_name(int place) {
  return QStringLiteral("scene-%1.isolume").arg(place);
}

const QString lock_name = QStringLiteral("lock");
const QString reading_name = QStringLiteral("reading.txt");
const QString asked_name = QStringLiteral("asked-to-end");

/// A folder that this call made; empty where none can be made. That of another program may have the same number.
QString new_folder(const QString& root) {
  if (!QDir().mkpath(root)) return {};
  for (int count = 1; count < 1000; ++count) {
    const QString folder = QStringLiteral("%1/%2-%3").arg(root).arg(QCoreApplication::applicationPid()).arg(count);
    if (QDir().mkdir(folder)) return folder;
    if (!QFileInfo::exists(folder)) return {};
  }
  return {};
}

/// The newest state of a folder that can be read.
void look_for_state(Recovery::Found& found) {
  QFileInfoList states = QDir(found.folder).entryInfoList({QStringLiteral("scene-*.isolume")}, QDir::Files, QDir::Time);
  for (const QFileInfo& state : states) {
    try {
      const Scene scene = read_scene(state.absoluteFilePath().toStdString());
      found.scene = state.absoluteFilePath();
      found.when = state.lastModified();
      found.molecules = static_cast<int>(scene.molecules.size());
      QStringList names;
      for (const SceneMolecule& molecule : scene.molecules) {
        if (!molecule.paths.empty()) names += QFileInfo(to_qt(molecule.paths.front())).fileName();
      }
      found.files = names.mid(0, 3).join(QStringLiteral(", "));
      return;
    } catch (const Error&) {
      continue;  // written while the program ended: an older one is there
    }
  }
}

}  // namespace

QString Recovery::default_root() {
  const QString state = qEnvironmentVariable("XDG_STATE_HOME");
  const QString base = state.isEmpty() ? QDir::homePath() + QStringLiteral("/.local/state") : state;
  return base + QStringLiteral("/isolume/recovery");
}

Recovery::Recovery(SceneController& controller, const QString& root, QObject* parent)
    : QObject(parent), controller_(controller), folder_(new_folder(root)) {
  // A home that cannot be written to is no reason not to work: then there is no recovery.
  if (!folder_.isEmpty()) {
    lock_ = std::make_unique<FolderLock>(folder_ + QLatin1Char('/') + lock_name);
    if (!lock_->held()) lock_.reset();
  }
  connect(&timer_, &QTimer::timeout, this, &Recovery::save);
  set_interval(60);
}

Recovery::~Recovery() = default;

void Recovery::set_interval(int seconds) {
  timer_.start(1000 * std::clamp(seconds, 5, 3600));
}

void Recovery::save() {
  const Scene& scene = controller_.scene();
  if (!lock_ || scene.molecules.empty() || scene == last_) return;
  last_ = scene;
  const QString path = folder_ + QLatin1Char('/') + state_name(next_);
  next_ = (next_ + 1) % ring;
  run_async(
      this,
      [scene, file = path.toStdString()] {
        write_scene(file, scene);
        return true;
      },
      [this, path](bool) { Q_EMIT saved(path); }, [this](const QString&) { last_ = {}; });  // tried again the next time
}

void Recovery::set_reading(const QStringList& paths) {
  if (!lock_) return;
  const QString path = folder_ + QLatin1Char('/') + reading_name;
  if (paths.isEmpty()) {
    QFile::remove(path);
    return;
  }
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(paths.mid(0, 5).join(QLatin1Char('\n')).toUtf8());
}

void Recovery::finish() {
  timer_.stop();
  if (!lock_) return;
  lock_.reset();
  QDir(folder_).removeRecursively();
}

void Recovery::keep() {
  timer_.stop();
  if (!lock_) return;
  try {
    write_scene((folder_ + QLatin1Char('/') + state_name(next_)).toStdString(), controller_.scene());
    set_reading({});
    QFile asked(folder_ + QLatin1Char('/') + asked_name);
    asked.open(QIODevice::WriteOnly);
  } catch (const Error&) {
    // What was saved before is there.
  }
  lock_.reset();
}

QList<Recovery::Found> Recovery::find(const QString& root) {
  QList<Found> result;
  for (const QFileInfo& entry : QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
    Found found;
    found.folder = entry.absoluteFilePath();
    found.lock = std::make_shared<FolderLock>(found.folder + QLatin1Char('/') + lock_name);
    if (!found.lock->held()) continue;  // it lives
    found.asked_to_end = QFile::exists(found.folder + QLatin1Char('/') + asked_name);
    look_for_state(found);
    QFile reading(found.folder + QLatin1Char('/') + reading_name);
    if (reading.open(QIODevice::ReadOnly)) {
      found.reading = QFileInfo(QString::fromUtf8(reading.read(4096)).section(QLatin1Char('\n'), 0, 0)).fileName();
    }
    if (found.scene.isEmpty() && found.reading.isEmpty()) {
      discard(found);
    } else {
      result.append(found);
    }
  }
  std::sort(result.begin(), result.end(), [](const Found& a, const Found& b) { return a.when > b.when; });
  return result;
}

void Recovery::discard(const Found& found) {
  if (found.lock) found.lock->unlock();
  QDir(found.folder).removeRecursively();
}

}  // namespace isolume
