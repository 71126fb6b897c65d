// The window: its parts and how they are connected.
#pragma once

#include <QMainWindow>
#include <memory>

#include "app/window/dialogs/picture_export.h"
#include "app/window/live/file_loader.h"
#include "app/window/live/file_watch.h"
#include "app/window/live/live_fields.h"
#include "app/window/live/live_picture.h"
#include "app/window/live/live_view.h"
#include "app/window/live/player.h"
#include "app/window/live/scene_controller.h"
#include "app/window/recovery/recovery.h"
#include "app/window/settings/preferences.h"
#include "app/window/shell/main_actions.h"

class QStackedWidget;

namespace isolume {

class ClassBar;
class CommandRunner;
class ConsolePanel;
class FieldPanel;
class FileActions;
class LegendOverlays;
class LookPanel;
class MeasurePanel;
class MessageBar;
class MoleculePanel;
class OrbitalPanel;
class Panels;
class PathQuality;
class PickActions;
class PickMenu;
class PlotsPanel;
class PresetActions;
class ProbeTool;
class ProgramRunner;
class RecoveryBar;
class RepresentationPanel;
class SelectActions;
class SequencePanel;
class SixAxisMouse;
class StatusLine;
class TaskPanel;
class TrajectoryPanel;
class ViewActions;
class WelcomePage;
class WindowHelp;

/// Owns the controller, the workers and the panels, and connects them. What its actions do is in classes of their own:
/// FileActions, ViewActions, PickActions, CommandRunner, ProgramRunner, WindowHelp.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  void open_files(const QStringList& paths);
  void save_session(const QString& path, bool with_data = false);
  void export_picture(const QString& path, const PictureOptions& options, double dpi);
  /// "auto", "cpu", "cuda:0"; looked for on a thread of the pool.
  void choose_device_by_name(const QString& wish);
  /// CUDA devices are tested in a program of their own before they are first used; those that were tested before again
  /// where the last session ended unexpectedly.
  void test_devices(bool after_crash) {
    tests_devices_ = true;
    after_crash_ = after_crash;
  }
  /// Another window in this program, with these files.
  MainWindow* open_another(const QStringList& paths);
  /// Carries a command out and shows it in the console.
  void run_command(const QString& command);
  /// Offers what programs that ended unexpectedly have left.
  void offer_recovery();
  /// Closes without a question, as a signal asks; unsaved changes are offered at the next start.
  void end_as_asked();
  /// By value: the window's own may be given.
  void apply_preferences(Preferences preferences);

  SceneController& controller() { return controller_; }
  Viewport& viewport() { return *viewport_; }
  LiveFields& fields() { return fields_; }
  LivePicture& picture() { return *picture_; }
  FileLoader& loader() { return loader_; }
  FileWatch& watch() { return watch_; }
  Player& player() { return *player_; }
  PictureExport& exporter() { return export_; }
  MainActions& commands() { return *actions_; }
  MessageBar& messages() { return *messages_; }
  StatusLine& status() { return *status_; }
  Panels& panels() { return *panels_; }
  FileActions& files() { return *files_; }
  ViewActions& view_actions() { return *view_actions_; }
  PathQuality& path_quality() { return *path_quality_; }
  PickActions& picking() { return *picking_; }
  ProbeTool& probe_tool() { return *probe_tool_; }
  PickMenu& pick_menu() { return *menu_; }
  ProgramRunner& programs() { return *programs_; }
  WelcomePage& welcome() { return *welcome_; }
  RepresentationPanel& representations();
  FieldPanel& field_panel();
  OrbitalPanel& orbitals();
  TrajectoryPanel& trajectory();
  MeasurePanel& measure();
  PlotsPanel& plots();
  MoleculePanel& molecules();
  LookPanel& look();
  ConsolePanel& console();
  TaskPanel& tasks();
  SequencePanel& sequence();
  SelectActions& selecting() { return *select_; }
  ClassBar& classes() { return *classes_; }
  SixAxisMouse& six_axis_mouse() { return *six_axes_; }
  Recovery& recovery() { return recovery_; }
  RecoveryBar& recovery_bar() { return *recovery_bar_; }
  const Preferences& preferences() const { return preferences_; }
  /// Where the welcome page and the viewport take turns.
  QStackedWidget& pages() { return *pages_; }

  /// A message over the 3D view, which is kept in the log.
  void say(const QString& text, bool fault);
  /// Progress of what has that key, 0 to 1, negative where it is not known; ended with an empty text.
  void show_task(const QString& key, const QString& what, double fraction);
  /// Undo, redo and the title, as the history has them.
  void show_history();
  /// Shows what the computed fields say of themselves: charge and error in the panel, legends over the picture.
  void show_results();

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  void build_panels();
  void connect_workers();
  void connect_fields();
  void connect_picture();
  void connect_viewport();
  void connect_actions();
  void connect_tasks();
  void connect_plots();
  void connect_selecting();
  void show_scene(const Scene& scene);
  /// Enables the actions that have something to act on.
  void show_possible(const Scene& scene);
  void show_legends();
  void show_preferences();
  void compare_potentials();
  void fill_devices();
  /// Says that a device failed. One that is lost is left for another, and that is said once.
  void leave_device(const QString& message, bool lost);
  void cancel();

  SceneController controller_;
  Preferences preferences_ = Preferences::read();
  Recovery recovery_{controller_};
  LiveFields fields_{controller_};
  LiveView views_{controller_};
  FileLoader loader_{controller_};
  PictureExport export_;
  FileWatch watch_{controller_};

  QStackedWidget* pages_;
  WelcomePage* welcome_;
  Viewport* viewport_;
  LegendOverlays* legends_;
  MessageBar* messages_;
  RecoveryBar* recovery_bar_;
  ProbeTool* probe_tool_ = nullptr;
  StatusLine* status_;
  ClassBar* classes_;
  SixAxisMouse* six_axes_;
  std::unique_ptr<MainActions> actions_;
  std::unique_ptr<LivePicture> picture_;
  std::unique_ptr<Player> player_;
  Panels* panels_;
  // They go before what they act on.
  std::unique_ptr<FileActions> files_;
  std::unique_ptr<ViewActions> view_actions_;
  std::unique_ptr<PathQuality> path_quality_;
  std::unique_ptr<PickActions> picking_;
  std::unique_ptr<SelectActions> select_;
  std::unique_ptr<PresetActions> presets_;
  std::unique_ptr<PickMenu> menu_;
  std::unique_ptr<ProgramRunner> programs_;
  std::unique_ptr<CommandRunner> runner_;
  std::unique_ptr<WindowHelp> help_;
  QMap<QString, QList<QKeySequence>> usual_keys_;
  bool closing_ = false;
  bool painted_ = false;
  bool refits_ = false;              ///< the trajectory panel took room from the files being opened
  QMap<int, QString> field_faults_;  ///< by field: the message of its failed computation
  bool tests_devices_ = false, after_crash_ = false;
  QString lost_device_;             ///< what was said of the device that was lost
  std::uint64_t device_asked_ = 0;  ///< number of the newest device that was asked for
  QStringList told_;                ///< notes of the fields that are shown, each said once
};

}  // namespace isolume
