// The window: its console, and what is printed there.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/scene_commands.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/async.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

struct Verb {
  const char* name;
  const char* use;
};

constexpr Verb verbs[] = {
    {"open", "open FILE...               molecules, trajectories, volumes or a session"},
    {"save", "save FILE.isolume          the scene as a session"},
    {"image", "image FILE.png [WxH]       the image, at the size shown or in pixels"},
    {"set", "set PATH VALUE             one value of the scene (docs/scene.md)"},
    {"add", "add LIST {\"key\": ...}      an entry of representations, fields or measurements"},
    {"remove", "remove LIST[I]             an entry of a list"},
    {"undo", "undo                       undo the last step"},
    {"redo", "redo                       redo the step"},
    {"frame", "frame N                    from 0"},
    {"play", "play                       play or pause"},
    {"fit", "fit                        show everything"},
    {"reset", "reset                      look from the front"},
    {"select", "select SELECTION           atoms of the first molecule"},
    {"device", "device NAME                auto, cpu, cuda:0"},
    {"view", "view                       print the commands that set this view"},
    {"close", "close                      close all molecules"},
    {"help", "help                       this list"},
};
/// Of the command line: they run beside the window, in the folder it was started in.
constexpr const char* programs[] = {"info", "convert", "render", "replay", "compute", "devices", "bench"};

QString quoted(const QString& path) {
  if (!path.contains(QLatin1Char(' ')) && !path.contains(QLatin1Char('"'))) return path;
  return QLatin1Char('"') + QString(path).replace(QLatin1Char('"'), QStringLiteral("\"\"\"")) + QLatin1Char('"');
}

QString open_command(const std::vector<std::string>& paths) {
  QString command = QStringLiteral("open");
  for (const std::string& path : paths) command += QLatin1Char(' ') + quoted(to_qt(path));
  return command;
}

QStringList files_that_begin(const QString& word) {
  const qsizetype slash = word.lastIndexOf(QLatin1Char('/'));
  const QString folder = word.left(slash + 1);
  QStringList result;
  const QDir dir(folder.isEmpty() ? QStringLiteral(".") : folder);
  for (const QFileInfo& entry : dir.entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name)) {
    if (result.size() >= 500) break;
    result += folder + entry.fileName() + (entry.isDir() ? QStringLiteral("/") : QString());
  }
  return result;
}

bool is_program(const QString& verb) {
  return std::any_of(std::begin(programs), std::end(programs),
                     [&](const char* name) { return verb == QLatin1String(name); });
}

}  // namespace

void MainWindow::connect_console() {
  console_->set_completions([this](const QString& line) { return completions(line); });
  connect(console_, &ConsolePanel::entered, this, &MainWindow::run_command);
  log_timer_.setSingleShot(true);
  log_timer_.setInterval(300);  // a slider that moves is one command
  connect(&log_timer_, &QTimer::timeout, this, &MainWindow::log_changes);
  connect(&controller_, &SceneController::scene_changed, this, [this] {
    if (!player_->playing() && !plots_->previewing()) log_timer_.start();
  });
  connect(&loader_, &FileLoader::opened, this, [this](const QStringList& paths) {
    std::vector<std::string> files;
    for (const QString& path : paths) files.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    log_command(open_command(files));
  });
  connect(&loader_, &FileLoader::session_opened, this,
          [this](const QString& path) { log_command(open_command({path.toStdString()})); });
  connect(&loader_, &FileLoader::session_saved, this,
          [this](const QString& path) { log_command(QStringLiteral("save ") + quoted(path)); });
  connect(&export_, &PictureExport::finished, this,
          [this](const QString& path) { log_command(QStringLiteral("image ") + quoted(path)); });
  connect(actions_->export_film, &QAction::triggered, this, &MainWindow::ask_film);
  connect(actions_->copy_command, &QAction::triggered, this, [this] {
    const QSize size = (QSizeF(viewport_->size()) * viewport_->devicePixelRatioF()).toSize();
    QApplication::clipboard()->setText(QStringLiteral("%1 --size %2x%3")
                                           .arg(to_qt(render_command(controller_.scene(), "picture.png")))
                                           .arg(size.width())
                                           .arg(size.height()));
    status_->showMessage(tr("Command copied"), 4000);
  });
}

void MainWindow::log_command(const QString& command) {
  log_timer_.stop();
  logged_ = controller_.scene();
  console_->show_command(command);
}

void MainWindow::log_changes() {
  log_timer_.stop();
  const Scene& now = controller_.scene();
  if (now == logged_) return;
  Scene before = logged_;
  logged_ = now;
  if (now.molecules.empty() && !before.molecules.empty()) {
    console_->show_command(QStringLiteral("close"));
    return;
  }
  const bool frame = now.frame != before.frame;
  before.frame = now.frame;
  // Another camera is where the user looks, not what was done: the view command prints it.
  for (const std::string& command : scene_changes(before, now, false)) console_->show_command(to_qt(command));
  if (frame) console_->show_command(QStringLiteral("frame %1").arg(now.frame));
}

void MainWindow::run_command(const QString& command) {
  log_changes();
  QStringList words = QProcess::splitCommand(command);
  if (words.isEmpty()) return;
  const QString verb = words.takeFirst();
  const QString rest = command.mid(command.indexOf(verb) + verb.size()).trimmed();
  const auto refuse = [&](const QString& text) { console_->show_text(text, ConsolePanel::Kind::fault); };
  try {
    if (is_scene_command(command.toStdString())) {
      Scene next = controller_.scene();
      apply_command(next, command.toStdString());
      controller_.edit(tr("Command %1").arg(verb), [&](Scene& scene) { scene = next; });
      // Camera, frame and playback are no step of the history.
      controller_.touch([&](Scene& scene) {
        scene.camera = next.camera;
        scene.frame = next.frame;
        scene.playback = next.playback;
      });
      log_command(command);
    } else if (is_program(verb)) {
      log_command(command);
      run_program(QStringList{verb} + words);
    } else if (verb == QLatin1String("open") && !words.isEmpty()) {
      open_files(words);
    } else if (verb == QLatin1String("save") && words.size() == 1) {
      save_session(words.first());
    } else if ((verb == QLatin1String("image") || verb == QLatin1String("picture")) && !words.isEmpty()) {
      PictureOptions options;
      const QSize shown = viewport_->size() * viewport_->devicePixelRatioF();
      options.width = shown.width();
      options.height = shown.height();
      options.samples = 9;
      if (words.size() > 1) {
        const QStringList sides = words[1].toLower().split(QLatin1Char('x'));
        options.width = sides.value(0).toInt();
        options.height = sides.value(1).toInt();
        if (options.width < 16 || options.height < 16 || options.width > 32768 || options.height > 32768) {
          throw Error("image: expected a size as 1600x1200, each side 16 to 32768", Error::Kind::usage);
        }
      }
      export_picture(words.first(), options, 0);
    } else if (verb == QLatin1String("undo") || verb == QLatin1String("redo")) {
      QAction* action = verb == QLatin1String("undo") ? actions_->undo : actions_->redo;
      if (!action->isEnabled()) throw Error("nothing to " + verb.toStdString(), Error::Kind::usage);
      action->trigger();
    } else if (verb == QLatin1String("frame")) {
      bool ok = false;
      const qulonglong frame = rest.toULongLong(&ok);
      if (!ok || frame >= controller_.frame_count()) {
        throw Error(tr("frame: expected 0 to %1").arg(qlonglong(controller_.frame_count()) - 1).toStdString(),
                    Error::Kind::usage);
      }
      player_->pause();
      controller_.touch([frame](Scene& scene) { scene.frame = static_cast<std::size_t>(frame); });
      log_command(command);
    } else if (verb == QLatin1String("play")) {
      log_command(command);
      player_->toggle();
    } else if (verb == QLatin1String("fit")) {
      log_command(command);
      fit_view(false);
    } else if (verb == QLatin1String("reset")) {
      log_command(command);
      reset_view();
    } else if (verb == QLatin1String("view")) {
      log_command(command);
      Scene plain = controller_.scene();
      plain.camera = {};
      plain.frame = 0;
      for (const std::string& line : scene_changes(plain, controller_.scene())) console_->show_text(to_qt(line));
    } else if (verb == QLatin1String("device") && words.size() == 1) {
      log_command(command);
      choose_device_by_name(words.first());
    } else if (verb == QLatin1String("close")) {
      actions_->close_all->trigger();
    } else if (verb == QLatin1String("select") || verb == QLatin1String("pick")) {
      const auto molecule = controller_.molecule(0);
      if (!molecule || !molecule->topology) throw Error("select: nothing is open", Error::Kind::usage);
      log_command(command);
      const auto built = picture_->built();
      run_async(
          this,
          [molecule, built, text = rest.toStdString()] {
            const Frame none;
            const Frame* frame = built && !built->frames.empty() ? built->frames.front().get() : nullptr;
            return Selection(text).atoms(*molecule->topology, frame ? *frame : none);
          },
          [this](const auto& atoms) {
            std::vector<PickedAtom> picked;
            for (const auto atom : atoms) picked.push_back({0, static_cast<std::uint32_t>(atom)});
            console_->show_text(tr("%1 selected").arg(atom_count_label(picked.size())));
            controller_.set_picked(std::move(picked));
          },
          [this](const QString& message) { console_->show_text(message, ConsolePanel::Kind::fault); });
    } else if (verb == QLatin1String("help")) {
      for (const Verb& known : verbs) console_->show_text(QLatin1String(known.use));
      QStringList others;
      for (const char* name : programs) others += QLatin1String(name);
      console_->show_text(tr("command-line programs: %1 (each with --help)").arg(others.join(QStringLiteral(", "))));
    } else {
      for (const Verb& known : verbs) {
        if (verb == QLatin1String(known.name)) throw Error(std::string("expected: ") + known.use, Error::Kind::usage);
      }
      throw Error(tr("'%1' is not a command; type help for a list").arg(verb).toStdString(), Error::Kind::usage);
    }
  } catch (const Error& error) {
    console_->show_text(QStringLiteral("> ") + command);
    refuse(to_qt(error.what()));
  }
}

QStringList MainWindow::completions(const QString& line) const {
  QStringList result;
  const QStringList words = line.split(QLatin1Char(' '));
  if (words.size() == 1) {
    for (const Verb& verb : verbs) result += QLatin1String(verb.name);
    for (const char* name : programs) result += QLatin1String(name);
    return result;
  }
  const QString verb = words.first();
  if (verb == QLatin1String("set") && words.size() == 2) {
    for (const std::string& path : scene_paths(controller_.scene())) result += to_qt(path);
  } else if (verb == QLatin1String("add") && words.size() == 2) {
    result = {QStringLiteral("representations"), QStringLiteral("fields"), QStringLiteral("measurements")};
  } else if (verb == QLatin1String("remove") && words.size() == 2) {
    const Scene& scene = controller_.scene();
    const std::pair<const char*, std::size_t> lists[] = {{"molecules", scene.molecules.size()},
                                                         {"representations", scene.representations.size()},
                                                         {"fields", scene.fields.size()},
                                                         {"measurements", scene.measurements.size()}};
    for (const auto& [name, count] : lists) {
      for (std::size_t i = 0; i < count; ++i) result += QStringLiteral("%1[%2]").arg(QLatin1String(name)).arg(i);
    }
  } else if (verb == QLatin1String("select") || verb == QLatin1String("pick")) {
    for (const std::string& word : selection_keywords()) result += to_qt(word);
  } else if (verb == QLatin1String("compute") && words.size() == 2) {
    result = QStringLiteral(
                 "orbital density potential surface energy dynamics compare fit sasa cavities rdf rmsd rmsf "
                 "gyration contacts dipole hbonds distance ligands ions")
                 .split(QLatin1Char(' '));
  } else {
    result = files_that_begin(words.last());
  }
  return result;
}

}  // namespace isolume
