// The commands of the console: those of the window, of the scene and of the command line.
#pragma once

#include <QObject>
#include <QStringList>
#include <vector>

#include "app/window/shell/command_log.h"

namespace isolume {

class ConsolePanel;
class MainWindow;
class SceneController;

class CommandRunner : public QObject {
  Q_OBJECT
 public:
  explicit CommandRunner(MainWindow& window);

  /// Carries a command out and shows it in the console, with what went wrong.
  void run(const QString& command);
  CommandLog& log() { return log_; }
  /// What the last word of a line may become.
  QStringList completions(const QString& line) const;

 private:
  struct Call {
    QString line;  ///< the whole command
    QString verb;
    QStringList words;  ///< behind the verb
    QString rest;       ///< the same as it was typed
  };
  /// A command of the window: one line of the table.
  struct Verb {
    const char* name;
    const char* use;                                    ///< as help prints it
    void (CommandRunner::*run)(const Call&) = nullptr;  ///< null for those of the scene, which read the line themselves
    int fewest = 0, most = 1000;                        ///< words behind the verb
    const char* other = nullptr;                        ///< another name
  };
  static const std::vector<Verb>& verbs();
  static const Verb* find(const QString& name);
  void dispatch(const Call& call);

  void change_scene(const Call& call);
  void open(const Call& call);
  void save(const Call& call);
  void image(const Call& call);
  void export_data(const Call& call);
  void undo(const Call& call);
  void redo(const Call& call);
  void frame(const Call& call);
  void play(const Call& call);
  void quality(const Call& call);
  void fit(const Call& call);
  void reset(const Call& call);
  void select(const Call& call);
  void clip(const Call& call);
  void key(const Call& call);
  void ruler(const Call& call);
  void smooth(const Call& call);
  void device(const Call& call);
  void view(const Call& call);
  void close(const Call& call);
  void action(const Call& call);
  void help(const Call& call);

  MainWindow& window_;
  SceneController& controller_;
  ConsolePanel& console_;
  CommandLog log_;
};

}  // namespace isolume
