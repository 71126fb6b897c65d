// The actions of the File menu: open, save, export, recent files, and the question about unsaved changes.
#include "app/window/shell/file_actions.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <QTreeView>
#include <utility>

#include "app/export/picture_file.h"
#include "app/models/labels.h"
#include "app/scene/molviewspec.h"
#include "app/window/dialogs/data_export_dialog.h"
#include "app/window/help/recent_files.h"
#include "app/window/help/thumbnails.h"
#include "app/window/help/welcome_page.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/recovery/recovery_bar.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/path_quality.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/save_dialog.h"
#include "formats/read.h"

namespace isolume {
namespace {

/// "Structures (*.pdb *.ent ...)" from the table of formats.
QString name_filters() {
  QString all = QStringLiteral("*.isolume *.mvsj");
  for (const Format& format : formats()) {
    for (const QString& ending : QString::fromUtf8(format.extensions).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      all += QStringLiteral(" *.%1 *.%1.gz").arg(ending);
    }
  }
  return QObject::tr("All supported files (%1);;Sessions (*.isolume);;All files (*)").arg(all);
}

/// Those that this build writes.
QString picture_filter() {
  const QStringList known = to_qt(picture_extensions()).split(QLatin1Char(' '));
  QString filter = QObject::tr("Images (*.png);;SVG, texts and legends as vectors (*.svg);;PDF, the same (*.pdf)");
  if (known.contains(QLatin1String("tif")))
    filter += QObject::tr(";;TIFF, 16 bits, with depth and objects (*.tif *.tiff)");
  if (known.contains(QLatin1String("exr"))) filter += QObject::tr(";;OpenEXR, linear, with depth and objects (*.exr)");
  return filter;
}

/// A question about the files of a session, with the first of them.
QMessageBox* ask_about(QWidget* window, const char* name, QMessageBox::Icon icon, const QString& text,
                       const QStringList& paths, const QString& question) {
  auto* box =
      new QMessageBox(icon, FileActions::tr("Missing files"), text, QMessageBox::Open | QMessageBox::Cancel, window);
  box->setObjectName(QLatin1String(name));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  QString list = paths.mid(0, 8).join(QLatin1Char('\n'));
  if (paths.size() > 8) list += FileActions::tr("\nand %1 more").arg(paths.size() - 8);
  box->setInformativeText(QStringLiteral("%1\n\n%2").arg(list, question));
  return box;
}

void name_buttons(const QMessageBox& box) {
  for (QAbstractButton* button : box.buttons()) button->setAccessibleName(button->text().remove(QLatin1Char('&')));
}

}  // namespace

FileActions::FileActions(MainWindow& window)
    : window_(window), controller_(window.controller()), actions_(window.commands()), data_(window.controller()) {
  connect_data();
  connect(actions_.open, &QAction::triggered, this, &FileActions::ask_files);
  connect(actions_.save_session, &QAction::triggered, this, [this] {
    after_save_ = nullptr;
    save();
  });
  connect(actions_.save_session_as, &QAction::triggered, this, [this] {
    after_save_ = nullptr;
    ask_session();
  });
  connect(actions_.save_packed, &QAction::triggered, this, [this] {
    ask_where_to_save(&window_,
                      {tr("Save session with data"), tr("Sessions (*.isolume)"), QStringLiteral("isolume"),
                       stem_of(controller_.scene()), save_folder()},
                      [this](const QString& path) { window_.save_session(path, true); });
  });
  connect(actions_.export_picture, &QAction::triggered, this, &FileActions::ask_picture);
  connect(actions_.save_picture, &QAction::triggered, this, &FileActions::save_picture);
  connect(actions_.copy_picture, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setImage(window_.viewport().grab_picture()); });
  connect(actions_.close_all, &QAction::triggered, this, [this] {
    ask_unsaved([this] {
      session_path_.clear();
      controller_.reset({});
    });
  });
  connect(&window_.molecules(), &MoleculePanel::open_asked, this, &FileActions::ask_files);
  const WelcomePage& welcome = window_.welcome();
  connect(&welcome, &WelcomePage::open_asked, this, &FileActions::ask_files);
  connect(&welcome, &WelcomePage::files_asked, &window_, &MainWindow::open_files);
  connect(&welcome, &WelcomePage::pin_asked, this, [this](const QString& path, bool pinned) {
    pin_file(path, pinned);
    show_recent();
  });
  connect(&window_.picture(), &LivePicture::shown, this, &FileActions::keep_thumbnails);
  connect(&window_.viewport(), &Viewport::came_to_rest, this, &FileActions::keep_thumbnails);
  connect_loader();
  show_recent();
}

void FileActions::connect_loader() {
  FileLoader& loader = window_.loader();
  connect(&loader, &FileLoader::opened, this, &FileActions::add_recent);
  connect(&loader, &FileLoader::session_opened, this, [this](const QString& path) {
    // MolViewSpec does not hold all of a scene: saving asks for a session.
    session_path_ = is_molviewspec(path.toStdString()) ? QString() : path;
    add_recent({path});
    window_.show_history();
  });
  connect(&loader, &FileLoader::failed, this, [this] { after_save_ = nullptr; });
  connect(&controller_, &SceneController::scene_changed, this, [this](const Scene&, SceneParts change) {
    if (change == SceneParts::all) saving_.clear();  // another scene was begun with
  });
  connect(&loader, &FileLoader::session_saved, this, [this](const QString& path) {
    // Where the scene is another one by now, the next save would write it over this one.
    const bool session = !is_molviewspec(path.toStdString()), present = saving_.removeAll(path) > 0;
    if (session && present) session_path_ = path;
    add_recent({path});
    window_.show_history();
    window_.status().showMessage(tr("Saved %1").arg(path), 4000);
    window_.tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
    if (auto then = std::exchange(after_save_, nullptr); then && session) then();
  });
  connect(&window_.recovery_bar(), &RecoveryBar::recover, this, [this](const Recovery::Found& found) {
    window_.loader().recover(found.scene);
    recovering_ = found;
  });
  connect(&loader, &FileLoader::recovered, this, [this] {
    // Now it is kept by this window's own recovery, and unsaved.
    window_.recovery().save();
    Recovery::discard(recovering_);
    recovering_ = {};
    window_.show_history();
  });
  connect(&loader, &FileLoader::missing, this, &FileActions::ask_missing);
  connect(&loader, &FileLoader::foreign, this, &FileActions::ask_foreign);
  connect(&loader, &FileLoader::reading, this,
          [this](const QStringList& paths) { window_.recovery().set_reading(paths); });
}

void FileActions::save() {
  session_path_.isEmpty() ? ask_session() : window_.save_session(session_path_);
}

void FileActions::ask_files() {
  QSettings settings;
  auto* dialog =
      new QFileDialog(&window_, tr("Open"), settings.value(QStringLiteral("folder")).toString(), name_filters());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    if (paths.isEmpty()) return;
    QSettings().setValue(QStringLiteral("folder"), QFileInfo(paths.first()).absolutePath());
    window_.open_files(paths);
  });
  dialog->open();
}

QString FileActions::save_folder() const {
  if (!session_path_.isEmpty()) return QFileInfo(session_path_).absolutePath();
  const auto usable = [](const QString& folder) {
    const QFileInfo info(folder);
    return !folder.isEmpty() && info.isDir() && info.isWritable();
  };
  if (const QString last = last_save_folder(); usable(last)) return last;
  const Scene& scene = controller_.scene();
  if (!scene.molecules.empty() && !scene.molecules.front().paths.empty()) {
    const QString next_to = QFileInfo(to_qt(scene.molecules.front().paths.front())).absolutePath();
    if (usable(next_to)) return next_to;
  }
  return QDir::homePath();
}

QString FileActions::next_file(const QString& extension) {
  given_ += new_file(save_folder(), stem_of(controller_.scene()), extension, given_);
  return given_.last();
}

void FileActions::save_picture() {
  PictureDialog usual((QSizeF(window_.viewport().size()) * window_.viewport().devicePixelRatioF()).toSize());
  if (window_.path_quality().on()) usual.set_path_traced(window_.path_quality().samples());
  // As shown, letters in points too.
  const double dots = window_.viewport().logicalDpiY() * window_.viewport().devicePixelRatioF();
  window_.export_picture(next_file(QStringLiteral("png")), usual.options(), dots);
}

void FileActions::ask_session() {
  ask_where_to_save(&window_,
                    {tr("Save session"), tr("Sessions (*.isolume);;MolViewSpec, for other programs (*.mvsj)"),
                     QStringLiteral("isolume"), stem_of(controller_.scene()), save_folder()},
                    [this](const QString& path) { window_.save_session(path); });
}

void FileActions::ask_picture() {
  auto* dialog = new PictureDialog(
      (QSizeF(window_.viewport().size()) * window_.viewport().devicePixelRatioF()).toSize(), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (window_.path_quality().on()) dialog->set_path_traced(window_.path_quality().samples());
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    ask_where_to_save(
        &window_,
        {tr("Export image"), picture_filter(), QStringLiteral("png"), stem_of(controller_.scene()), save_folder()},
        [this, options = dialog->options(), dpi = dialog->dpi()](const QString& path) {
          window_.export_picture(path, options, dpi);
        });
  });
  dialog->open();
}

void FileActions::connect_data() {
  connect(actions_.export_data, &QAction::triggered, this, [this] { ask_data(); });
  connect(&window_.field_panel(), &FieldPanel::export_asked, this, &FileActions::ask_data);
  // In the menus of molecules and representations.
  const auto entry = [this](QTreeView* list, const QString& tip, auto propose) {
    auto* action = new QAction(tr("&Export..."), list);
    action->setToolTip(tip);
    list->addAction(action);
    connect(action, &QAction::triggered, this, [this, list, propose] {
      const QModelIndex row = list->currentIndex();
      if (row.isValid()) propose(*ask_data(), static_cast<std::size_t>(row.row()));
    });
  };
  entry(window_.molecules().list(), tr("Export the molecule's atoms and frames as a file for other programs"),
        [](DataExportDialog& dialog, std::size_t row) { dialog.propose_atoms(row, QStringLiteral("all")); });
  entry(window_.representations().list(),
        tr("Export the representation as a surface, or its atoms, for other programs"),
        [](DataExportDialog& dialog, std::size_t row) { dialog.propose_representation(row); });
  connect(&data_, &DataExporter::progress, this,
          [this](const QString& what, double fraction) { window_.show_task(QStringLiteral("data"), what, fraction); });
  connect(&data_, &DataExporter::failed, this, [this](const QString& message) { window_.say(message, true); });
  connect(&data_, &DataExporter::finished, this, [this](const QString& path, const QString& summary) {
    const QString text = tr("Saved %1: %2").arg(path, summary);
    window_.status().showMessage(text, 6000);
    window_.tasks().log(TaskPanel::Kind::done, text);
  });
}

DataExportDialog* FileActions::ask_data(int field) {
  auto* dialog = new DataExportDialog(controller_, field, &window_);
  dialog->setObjectName(QStringLiteral("export_data_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const QString extension = dialog->extension();
    ask_where_to_save(&window_,
                      {tr("Export data"), QStringLiteral("%1 (*.%2)").arg(extension.toUpper(), extension), extension,
                       stem_of(controller_.scene()), save_folder()},
                      [this, what = dialog->wanted()](const QString& path) mutable {
                        what.path = path.toStdString();
                        data_.start(what, window_.fields().device());
                      });
  });
  dialog->open();
  return dialog;
}

void FileActions::ask_unsaved(std::function<void()> then) {
  if (!window_.preferences().ask_unsaved || !controller_.modified()) {
    then();
    return;
  }
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"), tr("Save the changes to the scene?"),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box->setObjectName(QStringLiteral("unsaved"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("The session file stores the scene; molecule files are never changed."));
  box->setTextFormat(Qt::PlainText);
  box->setDefaultButton(QMessageBox::Save);
  name_buttons(*box);
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
    if (answer == QMessageBox::Discard) then();
    if (answer == QMessageBox::Save) {
      after_save_ = then;
      save();
    }
  });
  box->open();
}

void FileActions::ask_foreign(const QString& session, const QStringList& paths) {
  QMessageBox* box = ask_about(&window_, "foreign", QMessageBox::Question,
                               tr("%1 opens files outside its folder.").arg(QFileInfo(session).fileName()), paths,
                               tr("Open them if you trust this session."));
  box->setDefaultButton(QMessageBox::Cancel);
  name_buttons(*box);
  connect(box, &QMessageBox::finished, this, [this, session](int answer) {
    if (answer == QMessageBox::Open) window_.loader().open_session_with(session, {});
  });
  box->open();
}

void FileActions::ask_missing(const QString& session, const QStringList& paths) {
  QMessageBox* box = ask_about(&window_, "missing", QMessageBox::Warning,
                               tr("%1 needs files that were not found.").arg(QFileInfo(session).fileName()), paths,
                               tr("Where are they now?"));
  box->button(QMessageBox::Open)->setText(tr("&Choose the folder..."));
  name_buttons(*box);
  connect(box, &QMessageBox::finished, this, [this, session](int answer) {
    if (answer != QMessageBox::Open) return;
    auto* dialog = new QFileDialog(&window_, tr("Folder of the missing files"), QFileInfo(session).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, session](const QString& folder) { window_.loader().open_session_with(session, {folder}); });
    dialog->open();
  });
  box->open();
}

void FileActions::show_recent() {
  const QStringList paths = recent_files();
  actions_.recent->clear();
  for (const QString& path : paths) {
    const QString name = QFileInfo(path).fileName();
    QAction* action =
        actions_.recent->addAction(thumbnail(path), is_pinned(path) ? QStringLiteral("\u2605 %1").arg(name) : name);
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { window_.open_files({path}); });
  }
  actions_.recent->setEnabled(!paths.isEmpty());
  window_.welcome().set_recent(paths);
}

void FileActions::add_recent(const QStringList& paths) {
  // Of a long sequence the first file stands for all.
  for (const QString& path : paths.mid(0, paths.size() > 3 ? 1 : 3)) {
    const QString full = QFileInfo(path).absoluteFilePath();
    remember_file(full);
    without_thumbnail_ += full;
  }
  show_recent();
}

void FileActions::keep_thumbnails() {
  if (without_thumbnail_.isEmpty() || !window_.picture().settled() || !window_.viewport().at_rest() ||
      window_.player().playing())
    return;
  const QImage picture = window_.viewport().grab_picture();
  if (picture.isNull()) return;
  for (const QString& path : std::exchange(without_thumbnail_, {})) keep_thumbnail(path, picture);
  show_recent();
}

}  // namespace isolume
