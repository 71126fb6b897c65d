// The commands of the console: those of the window, of the scene and of the command line.
#include "app/window/shell/command_runner.h"

#include <fmt/format.h>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>
#include <cmath>

#include "app/export/export_command.h"
#include "app/models/labels.h"
#include "app/scene/movie.h"
#include "app/scene/named_selections.h"
#include "app/scene/scene_commands.h"
#include "app/window/movie/movie_panel.h"
#include "app/window/panels/clip_panel.h"
#include "app/window/panels/console_panel.h"
#include "app/window/shell/command_completion.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/path_quality.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/view_actions.h"
#include "compute/trajectory/smoothed_trajectory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The molecule of that number, from 0, or of the file of that name. Throws Error (usage), which lists what there is.
std::uint32_t molecule_called(const Scene& scene, const QString& word) {
  bool number = false;
  const std::uint32_t index = word.toUInt(&number);
  if (number && index < scene.molecules.size()) return index;
  QStringList names;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto& paths = scene.molecules[m].paths;
    const QString name = paths.empty() ? QString() : QFileInfo(to_qt(paths.front())).fileName();
    if (!number && name == word) return m;
    names += QStringLiteral("%1 (%2)").arg(m).arg(name);
  }
  throw Error(fmt::format("there is no molecule '{}'; there are {}", word.toStdString(),
                          names.join(QStringLiteral(", ")).toStdString()),
              Error::Kind::usage);
}

}  // namespace

const std::vector<CommandRunner::Verb>& CommandRunner::verbs() {
  using R = CommandRunner;
  static const std::vector<Verb> table{
      {"open", "open FILE...               molecules, trajectories, volumes or a session", &R::open, 1},
      {"save", "save FILE.isolume [data]   the scene as a session, with its files in it", &R::save, 1, 2},
      {"image", "image FILE.png [WxH]       the image, at the size shown or in pixels", &R::image, 1, 1000, "picture"},
      {"export", "export FILE [THING N]      molecule, volume, field or representation N, from 0, as pdb, dx, glb, ...",
       &R::export_data, 1, 3},
      {"set", "set PATH VALUE             one value of the scene (docs/scene.md)"},
      {"add", "add LIST {\"key\": ...}      an entry of representations, fields, measurements, labels or probes"},
      {"remove", "remove LIST[I]             an entry of a list"},
      {"undo", "undo                       undo the last step", &R::undo},
      {"redo", "redo                       redo the step", &R::redo},
      {"frame", "frame N                    from 0", &R::frame},
      {"play", "play                       play or pause", &R::play},
      {"fit", "fit                        show everything", &R::fit},
      {"reset", "reset                      look from the front", &R::reset},
      {"select",
       "select SELECTION           atoms of the molecules that are shown; of one: select molecule 0 SELECTION",
       &R::select, 0, 1000, "pick"},
      {"clip", "clip PLANE | off           a clipping plane, as view, z:2.5, a@ligand; off removes all", &R::clip, 1},
      {"key",
       "key SECONDS [EASING]       a key frame of what is shown (linear, ease-in, ease-out, ease, hold); off: none",
       &R::key, 1, 2},
      {"ruler",
       "ruler END END              a ruler: an end is an atom of the first molecule, by index from 0, or a point x,y,z",
       &R::ruler, 2, 2},
      {"smooth", "smooth N                   average N frames on each side in the picture; 0 for none", &R::smooth, 1,
       1},
      {"quality", "quality standard | path    how the view is drawn; path tracing refines it while nothing moves",
       &R::quality, 1, 1},
      {"device", "device NAME                auto, cpu, cuda:0", &R::device, 1, 1},
      {"view", "view                       print the commands that set this view", &R::view},
      {"action", "action NAME                any action of the menus by its name, as select_water", &R::action, 1, 1,
       "do"},
      {"close", "close                      close all molecules", &R::close},
      {"help", "help                       this list", &R::help},
  };
  return table;
}

const CommandRunner::Verb* CommandRunner::find(const QString& name) {
  for (const Verb& verb : verbs())
    if (name == QLatin1String(verb.name) || (verb.other && name == QLatin1String(verb.other))) return &verb;
  return nullptr;
}

CommandRunner::CommandRunner(MainWindow& window)
    : window_(window), controller_(window.controller()), console_(window.console()), log_(window) {
  console_.set_completions([this](const QString& line) { return completions(line); });
  connect(&console_, &ConsolePanel::entered, this, &CommandRunner::run);
  connect(window_.commands().copy_command, &QAction::triggered, this, [this] {
    const Viewport& viewport = window_.viewport();
    const QSize size = (QSizeF(viewport.size()) * viewport.devicePixelRatioF()).toSize();
    QString command = QStringLiteral("%1 --size %2x%3")
                          .arg(to_qt(render_command(controller_.scene(), "picture.png")))
                          .arg(size.width())
                          .arg(size.height());
    const PathQuality& path = window_.path_quality();
    if (path.on()) command += QStringLiteral(" --renderer path --samples %1").arg(path.samples());
    QApplication::clipboard()->setText(command);
    window_.status().showMessage(tr("Command copied"), 4000);
  });
}

void CommandRunner::run(const QString& command) {
  log_.add_changes();
  QStringList words = QProcess::splitCommand(command);
  if (words.isEmpty()) return;
  const QString verb = words.takeFirst();
  try {
    dispatch({command, verb, words, command.mid(command.indexOf(verb) + verb.size()).trimmed()});
  } catch (const Error& error) {
    console_.show_text(QStringLiteral("> ") + command);
    console_.show_text(to_qt(error.what()), ConsolePanel::Kind::fault);
  }
}

void CommandRunner::dispatch(const Call& call) {
  if (is_scene_command(call.line.toStdString())) return change_scene(call);
  if (program_subcommands().contains(call.verb)) {
    QStringList words = call.words;
    std::vector<std::string> given;
    for (const QString& word : words) given.push_back(word.toStdString());
    const bool draws = call.verb == QStringLiteral("render");  // scenes, which have names themselves
    for (QString& word : words)
      if (!draws && has_names(word.toStdString()))
        word = to_qt(with_names(controller_.scene(), given, word.toStdString()));
    log_.add(call.line);
    return window_.programs().run(QStringList{call.verb} + words);
  }
  const Verb* verb = find(call.verb);
  if (!verb)
    throw Error(tr("'%1' is not a command; type help for a list").arg(call.verb).toStdString(), Error::Kind::usage);
  if (!verb->run || call.words.size() < verb->fewest || call.words.size() > verb->most)
    throw Error(std::string("expected: ") + verb->use, Error::Kind::usage);
  (this->*verb->run)(call);
}

void CommandRunner::change_scene(const Call& call) {
  Scene next = controller_.scene();
  apply_command(next, call.line.toStdString());
  controller_.edit(tr("Command %1").arg(call.verb), [&](Scene& scene) { scene = next; });
  // Camera, frame and playback are no step of the history.
  controller_.touch([&](Scene& scene) {
    scene.camera = next.camera;
    scene.frame = next.frame;
    scene.playback = next.playback;
  });
  log_.add(call.line);
}

void CommandRunner::open(const Call& call) {
  window_.open_files(call.words);
}

void CommandRunner::save(const Call& call) {
  const bool with_data = call.words.size() > 1;
  if (with_data && call.words[1] != QStringLiteral("data"))
    throw Error("save: expected nothing or data behind the file", Error::Kind::usage);
  window_.save_session(call.words.first(), with_data);
}

void CommandRunner::image(const Call& call) {
  PictureOptions options;
  const QSize shown = window_.viewport().size() * window_.viewport().devicePixelRatioF();
  options.width = shown.width();
  options.height = shown.height();
  options.path_traced = window_.path_quality().on();
  options.samples = options.path_traced ? window_.path_quality().samples() : 9;
  if (call.words.size() > 1) {
    const QStringList sides = call.words[1].toLower().split(QLatin1Char('x'));
    options.width = sides.value(0).toInt();
    options.height = sides.value(1).toInt();
    if (options.width < 16 || options.height < 16 || options.width > 32768 || options.height > 32768) {
      throw Error("image: expected a size as 1600x1200, each side 16 to 32768", Error::Kind::usage);
    }
  }
  window_.export_picture(call.words.first(), options, 0);
}

void CommandRunner::export_data(const Call& call) {
  std::vector<std::string> words;
  for (const QString& word : call.words) words.push_back(word.toStdString());
  window_.files().data().start(export_of_words(controller_.scene(), controller_.documents(), words),
                               window_.fields().device());
}

void CommandRunner::undo(const Call&) {
  QAction* action = window_.commands().undo;
  if (!action->isEnabled()) throw Error("nothing to undo", Error::Kind::usage);
  action->trigger();
}

void CommandRunner::redo(const Call&) {
  QAction* action = window_.commands().redo;
  if (!action->isEnabled()) throw Error("nothing to redo", Error::Kind::usage);
  action->trigger();
}

void CommandRunner::frame(const Call& call) {
  bool ok = false;
  const qulonglong frame = call.rest.toULongLong(&ok);
  if (!ok || frame >= controller_.frame_count()) {
    throw Error(tr("frame: expected 0 to %1").arg(qlonglong(controller_.frame_count()) - 1).toStdString(),
                Error::Kind::usage);
  }
  window_.player().pause();
  controller_.touch([frame](Scene& scene) { scene.frame = static_cast<std::size_t>(frame); });
  log_.add(call.line);
}

void CommandRunner::play(const Call& call) {
  log_.add(call.line);
  window_.player().toggle();
}

void CommandRunner::quality(const Call& call) {
  const QString& wanted = call.words.first();
  if (wanted != QStringLiteral("standard") && wanted != QStringLiteral("path"))
    throw Error(fmt::format("quality: expected standard or path, not '{}'", wanted.toStdString()), Error::Kind::usage);
  log_.add(call.line);
  window_.path_quality().set_on(wanted == QStringLiteral("path"));
}

void CommandRunner::fit(const Call& call) {
  log_.add(call.line);
  window_.view_actions().fit(false);
}

void CommandRunner::reset(const Call& call) {
  log_.add(call.line);
  window_.view_actions().reset();
}

void CommandRunner::select(const Call& call) {
  const Scene& scene = controller_.scene();
  if (scene.molecules.empty()) throw Error("select: nothing is open", Error::Kind::usage);
  std::optional<std::uint32_t> molecule;
  QString words = call.rest;
  if (call.words.size() > 1 && call.words.front() == QLatin1String("molecule")) {
    molecule = molecule_called(scene, call.words[1]);
    words = call.words.mid(2).join(QLatin1Char(' '));
  }
  log_.add(call.line);
  window_.picking().select_words(
      molecule, words,
      [this](std::size_t atoms) { console_.show_text(tr("%1 selected").arg(atom_count_label(atoms))); },
      [this](const QString& message) { console_.show_text(message, ConsolePanel::Kind::fault); });
}

void CommandRunner::clip(const Call& call) {
  if (call.rest == QStringLiteral("off"))
    return controller_.edit(tr("Remove clipping planes"), [](Scene& scene) { scene.clip_planes.clear(); });
  window_.panels().get<ClipPanel>().add_words(call.rest);
}

void CommandRunner::key(const Call& call) {
  if (call.rest == QStringLiteral("off"))
    return controller_.edit(tr("Remove key frames"), [](Scene& scene) { scene.keys.clear(); });
  bool number = false;
  const double seconds = call.words.first().toDouble(&number);
  if (!number || !(seconds >= 0 && seconds <= longest_movie))
    throw Error(
        fmt::format("key: expected seconds from 0 to {}, found '{}'", longest_movie, call.words.first().toStdString()),
        Error::Kind::usage);
  static const QStringList easings{QStringLiteral("linear"), QStringLiteral("ease-in"), QStringLiteral("ease-out"),
                                   QStringLiteral("ease"), QStringLiteral("hold")};
  std::optional<Easing> easing;
  if (call.words.size() > 1) {
    const auto word = easings.indexOf(call.words[1]);
    if (word < 0)
      throw Error(fmt::format("key: '{}' is none of {}", call.words[1].toStdString(),
                              easings.join(QStringLiteral(", ")).toStdString()),
                  Error::Kind::usage);
    easing = static_cast<Easing>(word);
  }
  window_.panels().get<MoviePanel>().add_key_at(seconds, easing);
}

void CommandRunner::ruler(const Call& call) {
  Measurement measurement;
  measurement.ruler = true;
  const auto topology = controller_.topology(0);
  const std::size_t count = topology ? topology->atoms.size() : 0;
  for (const QString& word : call.words) {
    const QStringList parts = word.split(QLatin1Char(','));
    if (parts.size() == 3) {
      ScenePoint point;
      for (int axis = 0; axis < 3; ++axis) {
        bool number = false;
        point.position[axis] = parts[axis].toDouble(&number);
        if (!number || !(std::abs(point.position[axis]) <= 1e9))
          throw Error(fmt::format("ruler: '{}' is no point; expected x,y,z in angstrom", word.toStdString()),
                      Error::Kind::usage);
      }
      measurement.points.push_back(point);
      continue;
    }
    bool number = false;
    const unsigned atom = word.toUInt(&number);
    if (!number || atom >= count)
      throw Error(fmt::format("ruler: the first molecule has no atom '{}'; it has {}, counted from 0. A point is x,y,z",
                              word.toStdString(), count),
                  Error::Kind::usage);
    measurement.atoms.push_back({0, atom});
  }
  if ((measurement.points.empty() && measurement.atoms[0] == measurement.atoms[1]) ||
      (measurement.atoms.empty() && measurement.points[0] == measurement.points[1]))
    throw Error("ruler: expected two different ends", Error::Kind::usage);
  controller_.edit(tr("Add ruler"), [&](Scene& scene) { scene.measurements.push_back(measurement); });
}

void CommandRunner::smooth(const Call& call) {
  bool number = false;
  const unsigned half = call.words.first().toUInt(&number);
  if (!number || half > most_smoothing)
    throw Error(fmt::format("smooth: expected 0 to {} frames on each side, found '{}'", most_smoothing,
                            call.words.first().toStdString()),
                Error::Kind::usage);
  if (controller_.frame_count() < 3)
    throw Error("smooth: there is no trajectory with three frames or more", Error::Kind::usage);
  controller_.edit(tr("Smooth motion"), [half](Scene& scene) { smooth_motion(scene, half); });
}

void CommandRunner::device(const Call& call) {
  log_.add(call.line);
  window_.choose_device_by_name(call.words.first());
}

void CommandRunner::view(const Call& call) {
  log_.add(call.line);
  Scene plain = controller_.scene();
  plain.camera = {};
  plain.frame = 0;
  for (const std::string& line : scene_changes(plain, controller_.scene())) console_.show_text(to_qt(line));
}

void CommandRunner::close(const Call&) {
  window_.commands().close_all->trigger();
}

void CommandRunner::action(const Call& call) {
  QAction* found = window_.commands().find(call.words.first());
  if (!found)
    throw Error(tr("there is no action '%1'; Tab after 'action ' lists all").arg(call.words.first()).toStdString(),
                Error::Kind::usage);
  if (!found->isEnabled())
    throw Error(tr("%1: not possible now").arg(call.words.first()).toStdString(), Error::Kind::usage);
  log_.add(call.line);
  found->trigger();
}

void CommandRunner::help(const Call&) {
  for (const Verb& known : verbs()) console_.show_text(QLatin1String(known.use));
  const QString programs = program_subcommands().join(QStringLiteral(", "));
  console_.show_text(tr("command-line programs: %1 (each with --help)").arg(programs));
}

QStringList CommandRunner::completions(const QString& line) const {
  QStringList names;
  if (!line.contains(QLatin1Char(' '))) {
    for (const Verb& verb : verbs()) names += QLatin1String(verb.name);
    return names + program_subcommands();
  }
  for (const QAction* action : window_.commands().all()) names += action->objectName();
  return command_completions(line, controller_.scene(), names);
}

}  // namespace isolume
