// The window: what is unsaved, what can be recovered, other windows, tasks and messages.
#include <QAbstractButton>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "app/models/labels.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/recovery_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/thumbnails.h"

namespace isolume {

void MainWindow::connect_documents() {
  connect(actions_->new_window, &QAction::triggered, this, [this] { open_another({}); });
  connect(recovery_bar_, &RecoveryBar::recover, this, [this](const Recovery::Found& found) {
    loader_.recover(found.scene);
    recovering_ = found;
  });
  connect(&loader_, &FileLoader::recovered, this, [this] {
    // Now it is kept by this window's own recovery, and unsaved.
    recovery_.save();
    Recovery::discard(recovering_);
    recovering_ = {};
    show_history();
  });
  connect(actions_->watch, &QAction::toggled, &watch_, &FileWatch::set_enabled);
  connect(&watch_, &FileWatch::reloaded, this, [this](const QStringList& paths) {
    picture_->refresh();
    status_->showMessage(tr("Reloaded: %1").arg(QFileInfo(paths.first()).fileName()), 4000);
  });
  connect(&watch_, &FileWatch::failed, this,
          [this](const QString& message) { tasks_->log(TaskPanel::Kind::fault, tr("Not reloaded: %1").arg(message)); });
  connect(&loader_, &FileLoader::missing, this, &MainWindow::ask_missing);
  connect(&loader_, &FileLoader::foreign, this, &MainWindow::ask_foreign);
  connect(&loader_, &FileLoader::reading, this, [this](const QStringList& paths) { recovery_.set_reading(paths); });
}

void MainWindow::offer_recovery() {
  recovery_bar_->offer(Recovery::find());
}

MainWindow* MainWindow::open_another(const QStringList& paths) {
  auto* window = new MainWindow;
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->move(pos() + QPoint(32, 32));
  window->choose_device_by_name(preferences_.device);
  window->show();
  if (!paths.isEmpty()) window->open_files(paths);
  return window;
}

void MainWindow::ask_unsaved(std::function<void()> then) {
  if (!preferences_.ask_unsaved || !controller_.modified()) {
    then();
    return;
  }
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"), tr("Save the changes to the scene?"),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("unsaved"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("The session file stores what is shown; molecule files are never changed."));
  box->setTextFormat(Qt::PlainText);
  box->setDefaultButton(QMessageBox::Save);
  for (QAbstractButton* button : box->buttons()) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  }
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
    if (answer == QMessageBox::Discard) then();
    if (answer == QMessageBox::Save) {
      after_save_ = then;
      session_path_.isEmpty() ? ask_session() : save_session(session_path_);
    }
  });
  box->open();
}

void MainWindow::ask_foreign(const QString& session, const QStringList& paths) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Missing files"),
                              tr("%1 opens files outside its folder.").arg(QFileInfo(session).fileName()),
                              QMessageBox::Open | QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("foreign"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  QString list = paths.mid(0, 8).join(QLatin1Char('\n'));
  if (paths.size() > 8) list += tr("\nand %1 more").arg(paths.size() - 8);
  box->setInformativeText(tr("%1\n\nOpen them if you trust this session.").arg(list));
  box->setDefaultButton(QMessageBox::Cancel);
  for (QAbstractButton* button : box->buttons()) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  }
  connect(box, &QMessageBox::finished, this, [this, session](int answer) {
    if (answer == QMessageBox::Open) loader_.open_session_with(session, {});
  });
  box->open();
}

void MainWindow::ask_missing(const QString& session, const QStringList& paths) {
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Missing files"),
                              tr("%1 needs files that were not found.").arg(QFileInfo(session).fileName()),
                              QMessageBox::Open | QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("missing"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  QString list = paths.mid(0, 8).join(QLatin1Char('\n'));
  if (paths.size() > 8) list += tr("\nand %1 more").arg(paths.size() - 8);
  box->setInformativeText(tr("%1\n\nWhere are they now?").arg(list));
  box->button(QMessageBox::Open)->setText(tr("&Choose the folder..."));
  for (QAbstractButton* button : box->buttons()) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  }
  connect(box, &QMessageBox::finished, this, [this, session](int answer) {
    if (answer != QMessageBox::Open) return;
    auto* dialog = new QFileDialog(this, tr("Folder of the missing files"), QFileInfo(session).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, session](const QString& folder) { loader_.open_session_with(session, {folder}); });
    dialog->open();
  });
  box->open();
}

void MainWindow::connect_tasks() {
  const auto task = [this](const char* key) {
    return [this, key = QString::fromLatin1(key)](const QString& what, double fraction) {
      show_task(key, what, fraction);
    };
  };
  connect(tasks_, &TaskPanel::cancel, this, &MainWindow::cancel);
  connect(plots_, &PlotsPanel::progress, this, task("plot"));
  connect(plots_, &PlotsPanel::failed, this, [this](const QString& message) { say(message, true); });
  connect(plots_, &PlotsPanel::written, this, [this](const QString& path) {
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks_->log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  });
  // The player has the range of frames; plots and the trajectory panel show it.
  connect(plots_, &PlotsPanel::range_chosen, player_.get(),
          [this](std::size_t first, std::size_t last) { player_->set_range(std::pair(first, last)); });
  connect(plots_, &PlotsPanel::range_cleared, player_.get(), [this] { player_->set_range(std::nullopt); });
  connect(player_.get(), &Player::range_changed, plots_, [this] { plots_->set_range(player_->range()); });
  connect(measure_, &MeasurePanel::plot_asked, this, [this](const QList<int>& measurements) {
    raise_panel(panel_dock("plots"));
    plots_->add(measurements);
  });
  connect(&fields_, &LiveFields::field_finished, this, [this](int, const QString& summary) {
    if (!player_->playing()) tasks_->log(TaskPanel::Kind::done, summary);
  });
  connect(&loader_, &FileLoader::opened, this, [this](const QStringList& paths) {
    tasks_->log(TaskPanel::Kind::done,
                paths.size() == 1 ? tr("Read %1").arg(paths.first()) : tr("Read %1 files").arg(paths.size()));
  });
  connect(picture_.get(), &LivePicture::shown, this, &MainWindow::keep_thumbnails);
  connect(viewport_, &Viewport::came_to_rest, this, &MainWindow::keep_thumbnails);
}

void MainWindow::show_task(const QString& key, const QString& what, double fraction) {
  status_->show_task(key, what, fraction);
  const bool begins = !what.isEmpty() && tasks_->running() == 0;
  tasks_->show_task(key, what, fraction);
  // What takes long is what a program may die of.
  if (begins) recovery_.save();
}

void MainWindow::say(const QString& text, bool fault) {
  messages_->show_message(fault ? MessageBar::Kind::fault : MessageBar::Kind::note, text);
  tasks_->log(fault ? TaskPanel::Kind::fault : TaskPanel::Kind::note, text);
}

void MainWindow::keep_thumbnails() {
  if (without_thumbnail_.isEmpty() || !picture_->settled() || !viewport_->at_rest() || player_->playing()) return;
  const QImage picture = viewport_->grab_picture();
  if (picture.isNull()) return;
  for (const QString& path : std::exchange(without_thumbnail_, {})) keep_thumbnail(path, picture);
  show_recent();
}

}  // namespace isolume
