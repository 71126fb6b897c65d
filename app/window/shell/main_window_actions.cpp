// The window: what its actions do.
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/scene_json.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/recent_files.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/thumbnails.h"
#include "app/window/shell/welcome_page.h"
#include "app/window/viewport/legend_overlays.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/theme.h"
#include "compute/base/device.h"
#include "formats/read.h"

namespace isolume {
namespace {

/// "Structures (*.pdb *.ent ...)" from the table of formats.
QString name_filters() {
  QString all = QStringLiteral("*.isolume");
  for (const Format& format : formats()) {
    for (const QString& ending : QString::fromUtf8(format.extensions).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      all += QStringLiteral(" *.%1 *.%1.gz").arg(ending);
    }
  }
  return QObject::tr("All supported files (%1);;Sessions (*.isolume);;All files (*)").arg(all);
}

}  // namespace

void MainWindow::connect_file_actions() {
  connect(actions_->open, &QAction::triggered, this, &MainWindow::ask_files);
  connect(actions_->save_session, &QAction::triggered, this,
          [this] { session_path_.isEmpty() ? ask_session() : save_session(session_path_); });
  connect(actions_->save_session_as, &QAction::triggered, this, &MainWindow::ask_session);
  connect(actions_->export_picture, &QAction::triggered, this, &MainWindow::ask_picture);
  connect(actions_->copy_picture, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setImage(viewport_->grab_picture()); });
  connect(actions_->close_all, &QAction::triggered, this, [this] {
    ask_unsaved([this] {
      session_path_.clear();
      controller_.reset({});
    });
  });
  connect(actions_->quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
  connect(actions_->undo, &QAction::triggered, this, [this] {
    log_changes();
    controller_.undo();
    log_command(QStringLiteral("undo"));
  });
  connect(actions_->redo, &QAction::triggered, this, [this] {
    log_changes();
    controller_.redo();
    log_command(QStringLiteral("redo"));
  });
  connect(actions_->add_representation, &QAction::triggered, this, [this] {
    raise_panel(panel_dock("representations"));
    representations_->add();
  });
  const auto add_field = [this](QAction* action, Field::Kind kind) {
    connect(action, &QAction::triggered, this, [this, kind] {
      raise_panel(panel_dock("fields"));
      field_panel_->add(kind);
    });
  };
  add_field(actions_->add_surface, Field::Kind::gaussian);
  add_field(actions_->add_excluded, Field::Kind::solvent_excluded);
  add_field(actions_->add_accessible, Field::Kind::solvent_accessible);
  add_field(actions_->add_cavities, Field::Kind::cavities);
  add_field(actions_->add_orbital, Field::Kind::orbital);
  add_field(actions_->add_potential, Field::Kind::potential);
  add_field(actions_->add_volume, Field::Kind::volume);
  connect(field_panel_, &FieldPanel::refused, this, [this](const QString& message) { say(message, true); });
  connect(field_panel_->potential(), &PotentialRows::compare_asked, this, [this] {
    const int row = field_panel_->current();
    if (row < 0) return;
    FieldRequest request;
    request.field = controller_.scene().fields[static_cast<std::size_t>(row)];
    request.molecule = controller_.molecule(request.field.molecule);
    if (!request.molecule) return;
    request.frame = std::min(controller_.scene().frame, std::max<std::size_t>(1, request.molecule->frame_count()) - 1);
    request.device = fields_.device();
    (new CompareDialog(
         std::move(request), [this] { return viewport_->create_shared_context(); }, this))
        ->show();
  });
  connect(actions_->play, &QAction::triggered, player_.get(), &Player::toggle);
  connect(actions_->cancel, &QAction::triggered, this, &MainWindow::cancel);
  connect(actions_->devices, &QMenu::aboutToShow, this, &MainWindow::fill_devices);
}

void MainWindow::show_history() {
  const auto text = [](const QString& verb, const QString& what) {
    return what.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, what.left(1).toLower() + what.mid(1));
  };
  actions_->undo->setEnabled(controller_.can_undo());
  actions_->undo->setText(text(tr("&Undo"), controller_.undo_text()));
  actions_->undo->setToolTip(text(tr("Undo"), controller_.undo_text()) + tr(" (Ctrl+Z)"));
  actions_->redo->setEnabled(controller_.can_redo());
  actions_->redo->setText(text(tr("&Redo"), controller_.redo_text()));
  actions_->redo->setToolTip(text(tr("Redo"), controller_.redo_text()) + tr(" (Ctrl+Shift+Z)"));
  QString title;
  if (!session_path_.isEmpty()) {
    title = QFileInfo(session_path_).fileName();
  } else if (!controller_.scene().molecules.empty() && !controller_.scene().molecules.front().paths.empty()) {
    title = QFileInfo(to_qt(controller_.scene().molecules.front().paths.front())).fileName();
  }
  setWindowTitle(title.isEmpty() ? QString() : title + QStringLiteral("[*]"));
  setWindowModified(controller_.modified());
}

void MainWindow::ask_files() {
  QSettings settings;
  auto* dialog = new QFileDialog(this, tr("Open"), settings.value(QStringLiteral("folder")).toString(), name_filters());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    if (paths.isEmpty()) return;
    QSettings().setValue(QStringLiteral("folder"), QFileInfo(paths.first()).absolutePath());
    open_files(paths);
  });
  dialog->open();
}

QString MainWindow::save_folder() const {
  if (!session_path_.isEmpty()) return QFileInfo(session_path_).absolutePath();
  const QSettings settings;
  const QString last = settings.value(QStringLiteral("save_folder")).toString();
  if (!last.isEmpty() && QFileInfo(last).isDir()) return last;
  return settings.value(QStringLiteral("folder")).toString();
}

void MainWindow::keep_save_folder(const QString& path) {
  QSettings().setValue(QStringLiteral("save_folder"), QFileInfo(path).absolutePath());
}

void MainWindow::ask_session() {
  auto* dialog = new QFileDialog(this, tr("Save session"), save_folder(), tr("Sessions (*.isolume)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("isolume"));
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::save_session);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::keep_save_folder);
  dialog->open();
}

void MainWindow::ask_picture() {
  auto* dialog = new PictureDialog((QSizeF(viewport_->size()) * viewport_->devicePixelRatioF()).toSize(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const PictureOptions options = dialog->options();
    const double dpi = dialog->dpi();
    auto* files = new QFileDialog(this, tr("Export image"), save_folder(), tr("Images (*.png)"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setDefaultSuffix(QStringLiteral("png"));
    connect(files, &QFileDialog::fileSelected, this,
            [this, options, dpi](const QString& path) { export_picture(path, options, dpi); });
    connect(files, &QFileDialog::fileSelected, this, &MainWindow::keep_save_folder);
    files->open();
  });
  dialog->open();
}

void MainWindow::export_picture(const QString& path, const PictureOptions& options, double dpi) {
  if (!viewport_->view()) return;
  auto view = std::make_shared<SceneView>(*viewport_->view());
  view->camera = controller_.scene().camera;
  view->look = controller_.scene().look;
  try {
    export_.start(viewport_->create_shared_context(), view, {controller_.scene(), options, {}, dpi}, path,
                  legends_->legends());
  } catch (const Error& error) {
    say(to_qt(error.what()), true);
  }
}

void MainWindow::show_recent() {
  const QStringList paths = recent_files();
  actions_->recent->clear();
  for (const QString& path : paths) {
    const QString name = QFileInfo(path).fileName();
    QAction* action =
        actions_->recent->addAction(thumbnail(path), is_pinned(path) ? QStringLiteral("\u2605 %1").arg(name) : name);
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { open_files({path}); });
  }
  actions_->recent->setEnabled(!paths.isEmpty());
  welcome_->set_recent(paths);
}

void MainWindow::add_recent(const QStringList& paths) {
  // Of a long sequence the first file stands for all.
  for (const QString& path : paths.mid(0, paths.size() > 3 ? 1 : 3)) {
    const QString full = QFileInfo(path).absoluteFilePath();
    remember_file(full);
    without_thumbnail_ += full;
  }
  show_recent();
}

void MainWindow::choose_device_by_name(const QString& wish) {
  status_->show_device(tr("Looking for devices"), {});
  struct Found {
    Device device;
    QString name, tip;
  };
  run_async(
      this,
      [wish = wish.toStdString()] {
        Found found;
        found.device = choose_device(wish);
        for (const DeviceInfo& info : list_devices()) {
          if (info.device == found.device) found.name = to_qt(info.name);
        }
        found.tip = to_qt(cuda_status());
        return found;
      },
      [this](const Found& found) {
        fields_.set_device(found.device);
        const QString kind = found.device.is_cuda() ? to_qt(to_string(found.device)) : tr("CPU");
        status_->show_device(kind, tr("Computes on %1. %2").arg(found.name, found.tip));
      },
      [this](const QString& message) {
        status_->show_device(tr("CPU"), tr("Computes on the CPU"));
        say(message, true);
      });
}

void MainWindow::fill_devices() {
  actions_->devices->clear();
  actions_->devices->addAction(tr("Looking for devices"))->setEnabled(false);
  run_async(
      this, [] { return list_devices(); },
      [this](const std::vector<DeviceInfo>& devices) {
        actions_->devices->clear();
        for (const DeviceInfo& info : devices) {
          const QString name = to_qt(to_string(info.device));
          QAction* action = actions_->devices->addAction(QStringLiteral("%1: %2").arg(name, to_qt(info.name)));
          action->setCheckable(true);
          action->setChecked(info.device == fields_.device());
          action->setEnabled(info.usable);
          action->setToolTip(to_qt(info.usable ? info.detail : info.why_not));
          connect(action, &QAction::triggered, this, [this, name] { choose_device_by_name(name); });
        }
      },
      [this](const QString& message) { say(message, true); });
}

}  // namespace isolume
