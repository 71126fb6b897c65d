// The command line as a program of its own next to the window: verbs of the console, and movies.
#include "app/window/shell/program_runner.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <array>
#include <memory>

#include "app/models/labels.h"
#include "app/scene/scene_json.h"
#include "app/window/dialogs/film_dialog.h"
#include "app/window/live/check_export.h"
#include "app/window/panels/console_panel.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/widgets/save_dialog.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

QString program_path() {
  // The program itself, whatever its file is called; where a test has the window, the program of the same folder.
  const QString self = qApp->property(program_property).toString();
  if (!self.isEmpty()) return self;
  return QFileInfo(QCoreApplication::applicationFilePath()).absoluteDir().filePath(QStringLiteral("isolume"));
}

/// Nobody goes on with a movie whose window is closed: the pictures that it had go.
void remove_pictures(const QString& film) {
  QDir folder(film + QStringLiteral(".pictures"));
  if (!folder.exists()) return;
  const QStringList all = folder.entryList({QStringLiteral("*.png"), QStringLiteral("*.png.part-*")}, QDir::Files);
  const QRegularExpression own(QStringLiteral("^[0-9]{6,}\\.png(\\.part-.*)?$"));
  for (const QString& name : all)
    if (own.match(name).hasMatch()) folder.remove(name);
  QDir().rmdir(folder.path());  // where nothing else is in it
}

}  // namespace

ProgramRunner::ProgramRunner(MainWindow& window) : window_(window) {
  connect(window.commands().export_film, &QAction::triggered, this, &ProgramRunner::ask_film);
  connect(window.commands().save_film, &QAction::triggered, this, &ProgramRunner::save_film);
}

void ProgramRunner::stop() {
  if (!program_) return;
  stopped_ = true;
  program_->terminate();
}

void ProgramRunner::end() {
  if (!program_) return;
  program_->disconnect(this);
  // Asked first, so that it takes its unfinished files away.
  program_->terminate();
  if (!program_->waitForFinished(3000)) {
    program_->kill();
    program_->waitForFinished(1000);
  }
  if (!film_.isEmpty()) remove_pictures(film_);
  film_.clear();
}

void ProgramRunner::run(const QStringList& arguments) {
  if (program_) throw Error("Another command is running; press Esc to stop it", Error::Kind::usage);
  program_ = new QProcess(this);
  stopped_ = false;
  QProcess* program = program_;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("ISOLUME_PROGRESS"), QStringLiteral("lines"));
  program->setProcessEnvironment(environment);
  // Whole lines alone: a rest waits for more of it.
  const auto show = [this, program, rests = std::make_shared<std::array<QByteArray, 2>>()](bool fault, bool last) {
    QByteArray& rest = (*rests)[fault ? 1 : 0];
    rest += fault ? program->readAllStandardError() : program->readAllStandardOutput();
    const qsizetype end = last ? rest.size() : rest.lastIndexOf('\n') + 1;
    for (const QString& line : QString::fromUtf8(rest.left(end)).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
      take_line(line);
    rest.remove(0, end);
  };
  connect(program, &QProcess::readyReadStandardOutput, this, [show] { show(false, false); });
  connect(program, &QProcess::readyReadStandardError, this, [show] { show(true, false); });
  const auto end = [this, program, show](const QString& fault) {
    for (const bool error : {false, true}) show(error, true);
    if (!fault.isEmpty()) window_.console().show_text(fault, ConsolePanel::Kind::fault);
    window_.show_task(QStringLiteral("program"), {}, 0);
    program->deleteLater();
    program_ = nullptr;
  };
  connect(program, &QProcess::errorOccurred, this, [end](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) end(tr("The command line could not be started"));
  });
  connect(program, &QProcess::finished, this, [end](int code, QProcess::ExitStatus status) {
    if (status == QProcess::CrashExit) return end(tr("Stopped"));
    end(code == 0 ? QString() : tr("Ended with exit code %1").arg(code));
  });
  task_ = arguments.mid(0, 2).join(QLatin1Char(' '));
  window_.show_task(QStringLiteral("program"), task_, -1);
  program->start(program_path(), arguments, QIODevice::ReadOnly);
}

void ProgramRunner::take_line(const QString& line) {
  static const QRegularExpression progress(QStringLiteral("^progress: ([0-9]+) %"));
  if (const QRegularExpressionMatch found = progress.match(line); found.hasMatch())
    return window_.show_task(QStringLiteral("program"), task_, found.captured(1).toInt() / 100.0);
  window_.console().show_text(line.trimmed().isEmpty() ? line : line.section(QLatin1Char('\r'), -1));
}

void ProgramRunner::ask_film() {
  window_.player().pause();
  auto* options = new FilmDialog(window_.controller(),
                                 window_.viewport().size() * window_.viewport().devicePixelRatioF(), &window_);
  options->setObjectName(QStringLiteral("film"));
  connect(options, &FilmDialog::chosen, this, [this](const FilmOptions& film) {
    ask_where_to_save(&window_,
                      {tr("Export movie"), tr("Movies (*.%1)").arg(film.format), film.format,
                       stem_of(window_.controller().scene()), window_.files().save_folder()},
                      [this, film](const QString& path) { export_film(path, film); });
  });
  options->show();  // next to the picture, which the preview plays in
}

void ProgramRunner::save_film() {
  window_.player().pause();
  FilmDialog usual(window_.controller(), window_.viewport().size() * window_.viewport().devicePixelRatioF());
  usual.setAttribute(Qt::WA_DeleteOnClose, false);
  export_film(window_.files().next_file(QStringLiteral("mp4")), usual.options());
}

void ProgramRunner::export_film(const QString& path, const FilmOptions& film) {
  // The scene as a file that the other program reads; kept while it runs.
  auto scene = std::make_shared<QTemporaryDir>();
  const QString session = scene->filePath(QStringLiteral("film.isolume"));
  QStringList arguments{
      QStringLiteral("render"),        session,
      QStringLiteral("--out"),         path,
      QStringLiteral("--fps"),         QString::number(film.frames_per_second),
      QStringLiteral("--size"),        QStringLiteral("%1x%2").arg(film.size.width()).arg(film.size.height()),
      QStringLiteral("--trust-paths"), QStringLiteral("--resume")};
  if (film.keys) {
    arguments.append(QStringLiteral("--keys"));
  } else {
    arguments.append(
        {QStringLiteral("--frames"), QStringLiteral("%1:%2:%3").arg(film.first).arg(film.last + 1).arg(film.step)});
  }
  if (film.motion.kind == CameraMotion::Kind::turntable) arguments.append(QStringLiteral("--turntable"));
  if (film.motion.kind == CameraMotion::Kind::rock)
    arguments.append({QStringLiteral("--rock"), QString::number(film.motion.angle)});
  if (film.motion.kind != CameraMotion::Kind::none) {
    if (film.motion.left) arguments.append({QStringLiteral("--direction"), QStringLiteral("left")});
    if (film.motion.seconds > 0 && !film.keys)
      arguments.append({QStringLiteral("--seconds"), QString::number(film.motion.seconds)});
  }
  try {
    check_export(path, window_.controller().scene());
    write_scene(session.toStdString(), window_.controller().scene());
    window_.console().show_command(arguments.join(QLatin1Char(' ')));
    run(arguments);
    film_ = path;
    task_ = tr("Exporting %1").arg(QFileInfo(path).fileName());
    window_.show_task(QStringLiteral("program"), task_, -1);
    connect(program_.data(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
      if (error == QProcess::FailedToStart)
        window_.say(tr("The movie was not saved: the program could not be started."), true);
    });
    connect(program_.data(), &QObject::destroyed, this, [scene] {});
    connect(program_.data(), &QProcess::finished, this, [this, path](int code, QProcess::ExitStatus status) {
      film_.clear();
      if (status == QProcess::NormalExit && code == 0) {
        window_.say(tr("Movie saved: %1").arg(path), false);
      } else if (stopped_) {
        window_.say(tr("Movie stopped. Saving it to the same file continues it."), false);
      } else {
        window_.say(tr("The movie was not saved; see the console."), true);
      }
    });
  } catch (const Error& error) {
    window_.say(to_qt(error.what()), true);
  }
}

}  // namespace isolume
