// The command line as a program of its own next to the window: verbs of the console, and movies.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

class QProcess;

namespace isolume {

class MainWindow;
struct FilmOptions;

/// The property of the application that names the program's file; absent where the window is part of another program.
constexpr const char* program_property = "program_file";

/// One program at a time; what it prints goes to the console.
class ProgramRunner : public QObject {
  Q_OBJECT
 public:
  explicit ProgramRunner(MainWindow& window);

  /// Starts the program with these arguments. Throws Error (usage) while another one runs.
  void run(const QStringList& arguments);
  /// Asks the program to end, as Esc does.
  void stop();
  /// Ends it without a word: the window closes. Of a movie that is not finished nothing is left.
  void end();
  /// Asks for the options of a movie and its file, and draws all frames into it.
  void ask_film();
  /// Draws what the dialog proposes into a new file at once: all frames, or a turntable of one structure.
  void save_film();
  void export_film(const QString& path, const FilmOptions& film);

 private:
  /// A line that the program has written: its progress, or what the console shows.
  void take_line(const QString& line);

  MainWindow& window_;
  QPointer<QProcess> program_;
  QString task_;          ///< what the task is called
  QString film_;          ///< that is being exported; empty for none
  bool stopped_ = false;  ///< by stop(), so that its end is no fault
};

}  // namespace isolume
