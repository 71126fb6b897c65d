// The actions of the File menu: open, save, export, recent files, and the question about unsaved changes.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

#include "app/window/dialogs/data_exporter.h"
#include "app/window/recovery/recovery.h"

namespace isolume {

class DataExportDialog;
struct MainActions;
class MainWindow;
class SceneController;

class FileActions : public QObject {
  Q_OBJECT
 public:
  explicit FileActions(MainWindow& window);

  /// The session that is open, empty for none.
  const QString& session_path() const { return session_path_; }
  /// The scene is being written into that session.
  void begin_saving(const QString& path) { saving_ += path; }
  /// Where files are saved: the session's folder, else where something was saved last, else where files are opened,
  /// else next to the first file of the scene, else at home.
  QString save_folder() const;
  /// A new file of the scene's name there, for what is saved without a question. Each call gives another one.
  QString next_file(const QString& extension);
  /// Saves the image as shown, as the dialog proposes it.
  void save_picture();
  /// Carries `then` out at once where nothing is unsaved, else when the user has saved or does not want to.
  void ask_unsaved(std::function<void()> then);
  void show_recent();
  /// Writes molecules, maps and surfaces; one at a time.
  DataExporter& data() { return data_; }
  /// Asks for the data to export; `field` is proposed, -1 for none.
  DataExportDialog* ask_data(int field = -1);

 private:
  void connect_loader();
  void save();
  void ask_files();
  void ask_session();
  void ask_picture();
  void connect_data();
  /// A session's files are not where they were: the user may say where they are.
  void ask_foreign(const QString& session, const QStringList& paths);
  void ask_missing(const QString& session, const QStringList& paths);
  void add_recent(const QStringList& paths);
  void keep_thumbnails();

  MainWindow& window_;
  SceneController& controller_;
  MainActions& actions_;
  DataExporter data_;
  QString session_path_;
  QStringList saving_;  ///< sessions of the scene that are being written
  std::function<void()> after_save_;
  Recovery::Found recovering_;  ///< that is being opened again
  QStringList without_thumbnail_;
  QStringList given_;  ///< by next_file(); they may be written still
};

}  // namespace isolume
