// The window: what it is made of, and what belongs to what.
#pragma once

#include <QMainWindow>
#include <memory>

#include "app/window/file_loader.h"
#include "app/window/live_fields.h"
#include "app/window/live_picture.h"
#include "app/window/live_view.h"
#include "app/window/main_actions.h"
#include "app/window/picture_export.h"
#include "app/window/player.h"
#include "app/window/scene_controller.h"

class QStackedWidget;

namespace isolume {

class FieldPanel;
class MessageBar;
class OrbitalPanel;
class RepresentationPanel;
class StatusLine;
class TrajectoryPanel;
class WelcomePage;

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

  SceneController& controller() { return controller_; }
  Viewport& viewport() { return *viewport_; }
  LiveFields& fields() { return fields_; }
  LivePicture& picture() { return *picture_; }
  FileLoader& loader() { return loader_; }
  Player& player() { return *player_; }
  PictureExport& exporter() { return export_; }
  MainActions& commands() { return *actions_; }
  MessageBar& messages() { return *messages_; }
  StatusLine& status() { return *status_; }
  RepresentationPanel& representations() { return *representations_; }
  FieldPanel& field_panel() { return *field_panel_; }
  OrbitalPanel& orbitals() { return *orbitals_; }
  TrajectoryPanel& trajectory() { return *trajectory_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  QDockWidget* add_dock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area);
  void lay_out();
  void restore();
  void connect_workers();
  void connect_viewport();
  void connect_file_actions();
  void connect_view_actions();
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
  void ask_files();
  void ask_session();
  void ask_picture();
  void show_shortcuts();
  void show_about();
  void fill_devices();
  void cancel();

  SceneController controller_;
  LiveFields fields_{controller_};
  LiveView views_{controller_};
  FileLoader loader_{controller_};
  PictureExport export_;

  QStackedWidget* stack_;
  WelcomePage* welcome_;
  Viewport* viewport_;
  MessageBar* messages_;
  StatusLine* status_;
  std::unique_ptr<MainActions> actions_;
  std::unique_ptr<LivePicture> picture_;
  std::unique_ptr<Player> player_;
  RepresentationPanel* representations_;
  FieldPanel* field_panel_;
  OrbitalPanel* orbitals_;
  TrajectoryPanel* trajectory_;
  QList<QDockWidget*> docks_;
  QString session_path_;
  QString atom_text_;  ///< of the picked atom, shown while nothing is under the pointer
};

}  // namespace isolume
