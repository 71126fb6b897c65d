// Opening and saving, on threads of the pool.
#include "app/window/live/file_loader.h"
#include "app/view/usual_look.h"

#include <QFileInfo>
#include <algorithm>

#include "app/export/molviewspec_write.h"
#include "app/models/labels.h"
#include "app/scene/foreign_paths.h"
#include "app/scene/molviewspec.h"
#include "app/scene/packed_session.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "app/view/scene_extent.h"
#include "app/window/live/check_export.h"
#include "app/window/live/own_sessions.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/backgrounds.h"
#include "app/window/widgets/stoppable.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

const char session_ending[] = ".isolume";

std::vector<std::string> to_paths(const QStringList& paths) {
  std::vector<std::string> result;
  for (const QString& path : paths) result.push_back(QFileInfo(path).absoluteFilePath().toStdString());
  return result;
}

/// True where a molecule has no atoms of its own to show: a trajectory that needs a structure.
bool needs_structure(const Molecule& molecule) {
  return !molecule.topology && molecule.frame_count() > 0;
}

/// A file of this name in the first of the folders that has one; empty for none.
QString look_for(const QString& name, const QStringList& folders) {
  for (const QString& folder : folders) {
    const QFileInfo file(folder + QLatin1Char('/') + name);
    if (file.isFile()) return file.absoluteFilePath();
  }
  return {};
}

}  // namespace

FileLoader::FileLoader(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  watch_.setInterval(100);
  connect(&watch_, &QTimer::timeout, this, [this] { Q_EMIT progress(what_, *fraction_); });
}

FileLoader::Loaded FileLoader::load(Documents& documents, Scene base, const std::vector<std::string>& paths,
                                    double aspect) {
  Loaded loaded;
  loaded.base = base;
  loaded.scene = std::move(base);
  std::vector<SceneMolecule> opened;
  std::string fault;
  Error::Kind kind = Error::Kind::input;
  try {
    opened = documents.open(paths);
  } catch (const Error& error) {
    fault = error.what();
    kind = error.kind();
  }
  const bool lone =
      opened.size() == 1 && documents.molecule(opened.front()) && needs_structure(*documents.molecule(opened.front()));
  if (!fault.empty() || lone) {
    // Perhaps frames for a molecule that is there.
    for (std::size_t i = loaded.scene.molecules.size(); i-- > 0;) {
      std::vector<std::string> joined = loaded.scene.molecules[i].paths;
      joined.insert(joined.end(), paths.begin(), paths.end());
      try {
        const std::vector<SceneMolecule> together = documents.open(joined);
        if (together.size() != 1) continue;
        loaded.scene.molecules[i].paths = together.front().paths;
        documents.molecule(loaded.scene.molecules[i]);  // as it is placed in the scene
        loaded.replaced = static_cast<int>(i);
        return loaded;
      } catch (const Error&) {
        continue;  // the fault of the file by itself says more
      }
    }
    if (!fault.empty()) throw Error(fault, kind);
  }
  for (const SceneMolecule& entry : opened) {
    for (const std::string& warning : documents.molecule(entry)->warnings) loaded.notes.push_back(warning);
  }
  add_usual_look(loaded.scene, documents, opened, aspect);
  return loaded;
}

void FileLoader::open(const QStringList& paths, double aspect) {
  aspect_ = aspect;
  QStringList files;
  for (const QString& path : paths) {
    if (path.endsWith(QLatin1String(session_ending)) || is_molviewspec(path.toStdString())) {
      open_session(path, {}, false, false);
    } else {
      files += path;
    }
  }
  if (files.isEmpty()) return;
  const auto fraction = begin(files.size() == 1 ? tr("Reading %1").arg(QFileInfo(files.first()).fileName())
                                                : tr("Reading %1 files").arg(files.size()));
  Q_EMIT reading(files);
  Scene base = controller_.scene();
  if (base.molecules.empty() && dark_) {
    set_usual_background(base.look, true);
  }
  const std::uint64_t epoch = epoch_;
  run_async(
      this,
      stoppable(stop_,
                [documents = &controller_.documents(), base, list = to_paths(files), aspect, fraction] {
                  const WorkPart whole(fraction.get());
                  return load(*documents, base, list, aspect);
                }),
      [this, files, epoch](Loaded loaded) {
        end();
        if (epoch == epoch_) take(std::move(loaded), files);
      },
      [this, epoch](const QString& message) {
        end();
        if (epoch == epoch_) Q_EMIT failed(message);
      });
}

void FileLoader::take(Loaded loaded, const QStringList& paths) {
  const QString what = paths.size() == 1 ? tr("Open %1").arg(QFileInfo(paths.first()).fileName())
                                         : tr("Open %1 files").arg(paths.size());
  const Scene base = loaded.base;
  Scene next = std::move(loaded.scene);
  if (loaded.replaced >= 0) {
    controller_.edit(what, [&](Scene& scene) {
      const auto index = static_cast<std::size_t>(loaded.replaced);
      if (index < scene.molecules.size()) scene.molecules[index] = next.molecules[index];
    });
  } else if (controller_.scene().molecules.empty()) {
    controller_.reset(std::move(next));
  } else {
    // Edits made while the file was read are kept; new objects come after them.
    controller_.edit(what, [&](Scene& scene) {
      const auto shift = static_cast<std::uint32_t>(scene.molecules.size() - base.molecules.size());
      // Unchanged objects are told apart from new ones.
      for (std::size_t i = 0; i < std::min(base.representations.size(), scene.representations.size()); ++i)
        if (scene.representations[i] == base.representations[i]) scene.representations[i] = next.representations[i];
      for (std::size_t i = 0; i < std::min(base.fields.size(), scene.fields.size()) && shift == 0; ++i)
        if (scene.fields[i] == base.fields[i]) scene.fields[i] = next.fields[i];
      for (std::size_t i = base.molecules.size(); i < next.molecules.size(); ++i) {
        scene.molecules.push_back(next.molecules[i]);
      }
      for (std::size_t i = base.representations.size(); i < next.representations.size(); ++i) {
        next.representations[i].molecule += shift;
        scene.representations.push_back(next.representations[i]);
      }
      for (std::size_t i = base.fields.size(); i < next.fields.size(); ++i) {
        next.fields[i].molecule += shift;
        if (next.fields[i].zone_molecule >= base.molecules.size()) next.fields[i].zone_molecule += shift;
        scene.fields.push_back(next.fields[i]);
      }
      // A map puts an automatic centring back (add_usual_look).
      for (std::size_t i = 0; i < std::min(base.molecules.size(), scene.molecules.size()); ++i)
        if (scene.molecules[i] == base.molecules[i]) scene.molecules[i].cell = next.molecules[i].cell;
      scene.camera = next.camera;
    });
  }
  for (const std::string& text : loaded.notes) Q_EMIT note(to_qt(text));
  Q_EMIT opened(paths);
}

void FileLoader::recover(const QString& path) {
  open_session(path, {}, true, true);
}

void FileLoader::open_session_with(const QString& path, const QStringList& folders) {
  open_session(path, folders, false, true);
}

void FileLoader::open_session(const QString& path, const QStringList& folders, bool recovering, bool trusted) {
  struct Session {
    Scene scene;
    std::vector<std::string> notes;
    QStringList missing, foreign;
    bool moved = false;
  };
  const auto fraction = begin(tr("Reading the session %1").arg(QFileInfo(path).fileName()));
  const std::uint64_t epoch = epoch_;
  run_async(
      this,
      stoppable(stop_,
                [documents = &controller_.documents(), file = QFileInfo(path).absoluteFilePath().toStdString(),
                 places = QStringList{QFileInfo(path).absolutePath()} + folders, trusted, fraction, aspect = aspect_] {
                  const WorkPart whole(fraction.get());
                  Session session;
                  session.scene = read_scene(file, &session.notes);
                  const std::vector<std::string> foreign =
                      trusted ? std::vector<std::string>() : foreign_paths(session.scene, file);
                  if (!foreign.empty() && !is_own_session(to_qt(file))) {
                    for (const std::string& at : foreign) session.foreign += to_qt(at);
                    return session;
                  }
                  for (SceneMolecule& entry : session.scene.molecules) {
                    for (std::string& at : entry.paths) {
                      PathPart part = path_part(at);
                      if (QFileInfo::exists(to_qt(part.file))) continue;
                      const QString found = look_for(QFileInfo(to_qt(part.file)).fileName(), places);
                      if (found.isEmpty()) {
                        session.missing += to_qt(part.file);
                      } else {
                        session.notes.push_back(part.file + " is not there; read from " + found.toStdString());
                        part.file = found.toStdString();
                        at = path_of(part);
                        session.moved = true;
                      }
                    }
                  }
                  if (!session.missing.isEmpty()) return session;
                  const auto count = static_cast<double>(session.scene.molecules.size());
                  for (std::size_t i = 0; i < session.scene.molecules.size(); ++i) {
                    const WorkPart part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
                    documents->molecule(session.scene.molecules[i]);
                  }
                  fit_unset_camera(session.scene, *documents, aspect);
                  return session;
                }),
      [this, path, epoch, recovering](Session session) {
        end();
        if (epoch != epoch_) return;
        if (!session.foreign.isEmpty()) {
          Q_EMIT foreign(path, session.foreign);
          return;
        }
        if (!session.missing.isEmpty()) {
          Q_EMIT missing(path, session.missing);
          return;
        }
        controller_.reset(std::move(session.scene));
        for (const std::string& text : session.notes) Q_EMIT note(to_qt(text));
        if (recovering) {
          controller_.set_unsaved();
          Q_EMIT recovered();
        } else {
          Q_EMIT session_opened(path);
          if (session.moved) controller_.set_unsaved();
        }
      },
      [this, epoch](const QString& message) {
        end();
        if (epoch == epoch_) Q_EMIT failed(message);
      });
}

void FileLoader::save_session(const QString& path, bool with_data) {
  const Scene scene = controller_.scene();
  run_async(
      this,
      [documents = &controller_.documents(), scene, file = path.toStdString(), with_data] {
        check_export(to_qt(file), scene);
        if (is_molviewspec(file)) return write_molviewspec(file, scene, *documents);
        // What came with its data, or was saved with it, is saved so again.
        if (with_data || shows_unpacked(scene) || is_packed_session(file)) {
          write_packed_session(file, scene);
          return std::vector<std::string>();
        }
        write_scene(file, scene);
        remember_session(to_qt(file));
        return std::vector<std::string>();
      },
      [this, path, scene](const std::vector<std::string>& left_out) {
        QStringList said;
        for (const std::string& text : left_out) said += to_qt(text);
        if (!said.isEmpty()) Q_EMIT note(tr("MolViewSpec has no place for: %1").arg(said.join(QStringLiteral("; "))));
        Scene now = controller_.scene();
        now.camera = scene.camera;  // turning and playing go on meanwhile
        now.frame = scene.frame;
        now.playback = scene.playback;
        if (!is_molviewspec(path.toStdString()) && now == scene) controller_.set_saved();
        Q_EMIT session_saved(path);
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

void FileLoader::cancel() {
  ++epoch_;
  *stop_ = true;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  watch_.stop();
  Q_EMIT progress({}, 0);
}

std::shared_ptr<std::atomic<double>> FileLoader::begin(const QString& what) {
  ++running_;
  what_ = what;
  fraction_ = std::make_shared<std::atomic<double>>(0.0);
  watch_.start();
  Q_EMIT progress(what, 0);
  return fraction_;
}

void FileLoader::end() {
  if (--running_ > 0) return;
  watch_.stop();
  Q_EMIT progress({}, 0);
  Q_EMIT reading({});
}

}  // namespace isolume
