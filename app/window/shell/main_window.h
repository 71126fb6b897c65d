// The window: what it is made of, and what belongs to what.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QVariantAnimation>
#include <functional>
#include <memory>

#include "app/window/dialogs/picture_export.h"
#include "app/window/live/file_loader.h"
#include "app/window/live/file_watch.h"
#include "app/window/live/live_fields.h"
#include "app/window/live/live_picture.h"
#include "app/window/live/live_view.h"
#include "app/window/live/player.h"
#include "app/window/live/scene_controller.h"
#include "app/window/settings/preferences.h"
#include "app/window/shell/main_actions.h"
#include "app/window/shell/recovery.h"

class QProcess;
class QStackedWidget;

namespace isolume {

class ConsolePanel;
class FieldPanel;
class LookPanel;
class MoleculePanel;
class LegendOverlays;
class MeasurePanel;
class MessageBar;
class OrbitalPanel;
class PlotsPanel;
class RecoveryBar;
class RepresentationPanel;
class StatusLine;
class TaskPanel;
class TrajectoryPanel;
class WelcomePage;
enum class Overlap : std::uint8_t;
struct FilmOptions;

/// Owns the controller, the workers and the panels, and connects them; does no work of its own.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  void open_files(const QStringList& paths);
  void save_session(const QString& path);
  void export_picture(const QString& path, const PictureOptions& options, double dpi);
  /// "auto", "cpu", "cuda:0"; looked for on a thread of the pool.
  void choose_device_by_name(const QString& wish);
  /// Another window in this program, with these files.
  MainWindow* open_another(const QStringList& paths);
  /// Carries a command of the console out and shows it there.
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
  RepresentationPanel& representations() { return *representations_; }
  FieldPanel& field_panel() { return *field_panel_; }
  OrbitalPanel& orbitals() { return *orbitals_; }
  TrajectoryPanel& trajectory() { return *trajectory_; }
  MeasurePanel& measure() { return *measure_; }
  PlotsPanel& plots() { return *plots_; }
  MoleculePanel& molecules() { return *molecules_; }
  LookPanel& look() { return *look_; }
  ConsolePanel& console() { return *console_; }
  TaskPanel& tasks() { return *tasks_; }
  Recovery& recovery() { return recovery_; }
  RecoveryBar& recovery_bar() { return *recovery_bar_; }
  const Preferences& preferences() const { return preferences_; }

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  QDockWidget* add_dock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area);
  QDockWidget* panel_dock(const char* name) const;
  static bool in_front(const QDockWidget* dock);
  /// Shows a panel in front of its neighbours; with `focus`, the keys go to it.
  void raise_panel(QDockWidget* dock, bool focus = false);
  /// The panel is there where there are frames, unless the user has hidden it.
  void show_trajectory_panel();
  void lay_out();
  void connect_workers();
  void connect_viewport();
  void connect_file_actions();
  void connect_view_actions();
  void connect_picking();
  void connect_console();
  void connect_tasks();
  void connect_documents();
  void connect_help();
  void connect_views();
  /// Keeps camera and frame as the view of that number (from 0), the next free one for -1.
  void save_view(int index);
  void show_view(int index);
  void show_views(const Scene& scene);
  void connect_tiles();
  void show_tiling(const Scene& scene);
  void show_superpose(int molecule);
  void show_scene(const Scene& scene);
  void show_history();
  void show_recent();
  void add_recent(const QStringList& paths);
  /// "A/ALA 12/CA (x y z)" of what was picked, empty for nothing.
  QString describe(PickId id) const;
  void show_hover(PickId id);
  void show_menu(PickId id, QPoint global);
  void pick(PickId id, Qt::KeyboardModifiers modifiers);
  void centre_on_picked();
  void pick_box(QRectF box, bool adds);
  /// A point of a molecule where the camera sees it: of Layout::tiles, moved to where the first tile's camera is.
  glm::dvec3 as_seen(std::uint32_t molecule, glm::dvec3 point) const;
  /// Shows everything, or what is picked.
  void fit_view(bool picked_only);
  Scene shown_scene() const;
  void reset_view();
  /// A measurement of so many atoms begins, or is made of those that are picked; again, it ends.
  void measure_atoms(int count);
  void add_measurement();
  void show_measuring();
  void end_measuring();
  void turn_isovalue(double steps);
  void show_palette();
  void ask_files();
  /// Where files are saved: the session's folder, else where something was saved last, else where files are opened.
  QString save_folder() const;
  static void keep_save_folder(const QString& path);
  void ask_session();
  void ask_picture();
  /// Carries `then` out at once where nothing is unsaved, else when the user has saved or does not want to.
  void ask_unsaved(std::function<void()> then);
  /// A session's files are not where they were: the user may say where they are.
  void ask_foreign(const QString& session, const QStringList& paths);
  void ask_missing(const QString& session, const QStringList& paths);
  void show_task(const QString& key, const QString& what, double fraction);
  void say(const QString& text, bool fault);
  /// Prints what changed in the scene since the last time as commands.
  void log_changes();
  void log_command(const QString& command);
  void run_program(const QStringList& arguments);
  void ask_film();
  /// Draws all frames by the command line into a film.
  void export_film(const QString& path, const FilmOptions& film);
  QStringList completions(const QString& line) const;
  void show_preferences();
  void show_manual();
  void show_tour();
  void show_report();
  void keep_thumbnails();
  void add_selection_menu(QMenu& menu, std::uint32_t molecule, std::uint32_t atom);
  void add_picked_menu(QMenu& menu);
  /// Entries for the surface of the scene's field of that number.
  void add_surface_entries(QMenu& menu, std::size_t index);
  void add_representation_of(std::uint32_t molecule, const QString& selection, Style style);
  void add_surface_of(std::uint32_t molecule, const QString& selection, bool painted);
  /// Asks for a file for these atoms, as they are in the frame that is shown.
  void ask_atoms(std::uint32_t molecule, const QString& selection);
  void pick_words(std::uint32_t molecule, const QString& selection);
  /// Changes the representations by how their atoms lie to those that words select, which a thread of the pool finds.
  void change_words(std::uint32_t molecule, const QString& what, const QString& selection,
                    std::function<void(std::vector<Representation>&, const std::vector<Overlap>&)> change);
  /// Shows atoms as they are shown, in another colour.
  void colour_words(std::uint32_t molecule, const QString& selection, glm::u8vec4 colour);
  /// Takes atoms out of the representations that show them.
  void hide_words(std::uint32_t molecule, const QString& selection);
  /// The picked atoms of a molecule as a selection.
  QString picked_words(std::uint32_t molecule) const;
  void show_shortcuts();
  void show_about();
  void fill_devices();
  /// Shows what the computed fields say of themselves: charge and error in the panel, legends over the picture.
  void show_results();
  void show_legends();
  void cancel();

  SceneController controller_;
  Preferences preferences_ = Preferences::read();
  Recovery recovery_{controller_};
  LiveFields fields_{controller_};
  LiveView views_{controller_};
  FileLoader loader_{controller_};
  PictureExport export_;
  FileWatch watch_{controller_};

  QStackedWidget* stack_;
  WelcomePage* welcome_;
  Viewport* viewport_;
  LegendOverlays* legends_;
  MessageBar* messages_;
  RecoveryBar* recovery_bar_;
  StatusLine* status_;
  std::unique_ptr<MainActions> actions_;
  std::unique_ptr<LivePicture> picture_;
  std::unique_ptr<Player> player_;
  RepresentationPanel* representations_;
  FieldPanel* field_panel_;
  OrbitalPanel* orbitals_;
  TrajectoryPanel* trajectory_;
  MeasurePanel* measure_;
  PlotsPanel* plots_;
  MoleculePanel* molecules_;
  LookPanel* look_;
  ConsolePanel* console_;
  TaskPanel* tasks_;
  QMap<QString, QList<QKeySequence>> usual_keys_;
  std::function<void()> after_save_;
  bool closing_ = false;
  bool painted_ = false;
  bool has_frames_ = false;
  bool refits_ = false;                 ///< the trajectory panel took room from what is being opened
  bool wants_trajectory_ = true;        ///< where there are frames
  bool waiting_for_molecules_ = false;  ///< some are not loaded yet
  Recovery::Found recovering_;          ///< that is being opened again
  Scene logged_;                        ///< as the console knows it
  QTimer log_timer_;
  QPointer<QProcess> program_;  ///< of the command line, that runs
  QStringList without_thumbnail_;
  QMap<int, QString> field_faults_;  ///< by field: what is said of the failure of its computation
  QStringList told_;                 ///< notes of the fields that are shown, each said once
  int measuring_ = 0;                ///< atoms that the measurement under way has, 0 for none
  QList<QDockWidget*> docks_;
  QVariantAnimation flight_;  ///< of the camera to a saved view
  QString session_path_;
  QString atom_text_;  ///< of the picked atom, shown while nothing is under the pointer
};

}  // namespace isolume
