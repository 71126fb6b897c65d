// The window: help, preferences and what it says of itself.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHeaderView>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QScreen>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/manual.h"
#include "app/window/shell/recent_files.h"
#include "app/window/shell/system_report.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/tour.h"
#include "app/window/shell/welcome_page.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/theme.h"
#include "compute/base/memory.h"

namespace isolume {

void MainWindow::connect_help() {
  connect(actions_->shortcuts, &QAction::triggered, this, &MainWindow::show_shortcuts);
  connect(actions_->manual, &QAction::triggered, this, &MainWindow::show_manual);
  connect(actions_->news, &QAction::triggered, this, [this] {
    auto* manual = new Manual(this);
    manual->show_page(QStringLiteral("changes"));
    manual->show();
  });
  connect(actions_->about, &QAction::triggered, this, &MainWindow::show_about);
  connect(actions_->tour, &QAction::triggered, this, &MainWindow::show_tour);
  connect(actions_->report, &QAction::triggered, this, &MainWindow::show_report);
  connect(actions_->preferences, &QAction::triggered, this, &MainWindow::show_preferences);
  connect(welcome_, &WelcomePage::tour_asked, this, &MainWindow::show_tour);
}

void MainWindow::apply_preferences(Preferences preferences) {
  const Preferences before = std::exchange(preferences_, preferences);
  if (before.theme != preferences.theme) apply_theme(theme_from_name(preferences.theme));
  for (QAction* action : actions_->themes) action->setChecked(action->data().toString() == preferences.theme);
  if (before.device != preferences.device) choose_device_by_name(preferences.device);
  if (preferences.memory_limit > 0 || before.memory_limit > 0) {
    set_memory_limit(static_cast<std::size_t>(preferences.memory_limit * std::pow(2.0, 30)));
  }
  viewport_->set_input(input_map(preferences.input));
  recovery_.set_interval(preferences.autosave);
  apply_keys(actions_->all(), usual_keys_, preferences);
}

void MainWindow::show_preferences() {
  run_async(
      this, [] { return list_devices(); },
      [this](const std::vector<DeviceInfo>& infos) {
        QList<QPair<QString, QString>> devices;
        for (const DeviceInfo& info : infos) {
          const QString name = to_qt(to_string(info.device));
          if (info.usable) devices.append({name, QStringLiteral("%1: %2").arg(name, to_qt(info.name))});
        }
        auto* dialog = new PreferencesDialog(preferences_, devices, actions_->all(), usual_keys_, this);
        dialog->setObjectName(QStringLiteral("preferences"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &PreferencesDialog::changed, this, [](const Preferences& changed) {
          for (QWidget* window : QApplication::topLevelWidgets()) {
            if (auto* main = qobject_cast<MainWindow*>(window)) main->apply_preferences(changed);
          }
        });
        dialog->open();
      },
      [this](const QString& message) { say(message, true); });
}

void MainWindow::show_manual() {
  // At the panel that has the focus; its name stands in bold at the beginning of what is said of it.
  QString topic = tr("Mouse and keys");
  for (QDockWidget* dock : docks_)
    if (focusWidget() && dock->isAncestorOf(focusWidget())) topic = dock->windowTitle() + QLatin1Char(':');
  auto* manual = new Manual(this);
  manual->show();
  manual->show_page(QStringLiteral("window"), topic);
}

void MainWindow::show_tour() {
  const auto dock = [this](int index) {
    return [this, index]() -> QWidget* {
      raise_panel(docks_[index]);
      return docks_[index];
    };
  };
  std::vector<Tour::Step> steps{
      {[this]() -> QWidget* { return stack_; }, tr("Open, rotate, click"),
       tr("Drop files here, or open an example. Drag with the left button to rotate, with the right button to move; "
          "scroll to zoom. Click an atom to select it, right-click for a menu.")},
      {dock(0), tr("Show atoms"),
       tr("Each row shows some atoms in a style. Type a selection: protein, chain A, within 5 of resname LIG. The "
          "number of matching atoms is shown as you type.")},
      {dock(1), tr("Compute surfaces and maps"),
       tr("Surfaces, orbitals and potentials are computed live, in every frame. Ctrl+scroll in the 3D view changes the "
          "isovalue. Esc cancels.")},
      {nullptr, tr("Find any action"),
       tr("Ctrl+K finds any action as you type, F1 explains the focused panel. Ctrl+Z undoes every step. F12 exports "
          "an image for print.")}};
  new Tour(std::move(steps), this);
}

void MainWindow::show_report() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("report"));
  dialog->setWindowTitle(tr("System report"));
  dialog->setAccessibleName(dialog->windowTitle());
  dialog->resize(680, 420);
  auto* text = new QPlainTextEdit(dialog);
  text->setAccessibleName(dialog->windowTitle());
  text->setReadOnly(true);
  text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text->setPlainText(tr("Collecting information..."));
  text->setToolTip(tr("System information and the log, without names of files, user or host"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->setAccessibleName(tr("Copy or close"));
  QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copy->setToolTip(tr("Copy the report to paste it into a bug report"));
  QPushButton* save = buttons->addButton(tr("&Save..."), QDialogButtonBox::ActionRole);
  save->setToolTip(tr("Write the report to a text file"));
  for (QAbstractButton* button : buttons->buttons()) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
    if (button->toolTip().isEmpty()) button->setToolTip(button->accessibleName());
  }
  connect(copy, &QPushButton::clicked, text, [text] { QApplication::clipboard()->setText(text->toPlainText()); });
  connect(save, &QPushButton::clicked, dialog, [this, dialog, text] {
    auto* where = new QFileDialog(dialog, tr("Save the system report"), {}, tr("Text (*.txt)"));
    where->setAttribute(Qt::WA_DeleteOnClose);
    where->setAcceptMode(QFileDialog::AcceptSave);
    where->setDefaultSuffix(QStringLiteral("txt"));
    where->selectFile(QStringLiteral("isolume-report.txt"));
    connect(where, &QFileDialog::fileSelected, this, [this, text](const QString& path) {
      QSaveFile file(path);
      const QByteArray bytes = text->toPlainText().toUtf8();
      if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        say(tr("%1 could not be written: %2").arg(path, file.errorString()), true);
    });
    where->open();
  });
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* with_log = new QCheckBox(tr("Include the &log"), dialog);
  with_log->setAccessibleName(tr("Include the log"));
  with_log->setToolTip(tr("Actions and errors since the start; names of files, user and host are replaced"));
  with_log->setChecked(true);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(text);
  layout->addWidget(with_log);
  layout->addWidget(buttons);
  dialog->open();
  QStringList paths = recent_files();
  for (const SceneMolecule& molecule : controller_.scene().molecules)
    for (const std::string& path : molecule.paths) paths += to_qt(path);
  if (!session_path_.isEmpty()) paths += session_path_;
  const QString log = without_names(tasks_->log_text(), paths);
  const QSize pixels = screen()->size() * screen()->devicePixelRatio();
  const QString display =
      QStringLiteral("%1 x %2, ratio %3").arg(pixels.width()).arg(pixels.height()).arg(devicePixelRatioF());
  QString path;
  for (const FieldResult& result : fields_.results())
    if (!result.path.empty()) path = tr("; surfaces: %1").arg(to_qt(result.path));
  const QString drawing =
      QStringLiteral("%1; the window system offers %2%3")
          .arg(viewport_->path() == DrawingPath::window ? tr("by the window's OpenGL") : tr("as images"),
               window_opengl(), path);
  run_async(
      dialog,
      [gl = viewport_->gl(), drawing, device = fields_.device(), display] {
        return system_report(gl, drawing, device, display);
      },
      [text, with_log, log](const QString& report) {
        const auto show = [=](bool both) { text->setPlainText(both ? report + QLatin1Char('\n') + log : report); };
        QObject::connect(with_log, &QCheckBox::toggled, text, show);
        show(with_log->isChecked());
      },
      [text](const QString& message) { text->setPlainText(message); });
}

void MainWindow::show_about() {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Isolume"),
                              tr("Isolume: molecules and their fields, computed live."), QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  const GlInfo& gl = viewport_->gl();
  box->setInformativeText(tr("Version %1, MIT licence\nOpenGL: %2, %3\nComputes on: %4\nQt %5")
                              .arg(QStringLiteral(ISOLUME_VERSION),
                                   gl.renderer.empty() ? tr("not started") : to_qt(gl.renderer), to_qt(gl.version),
                                   to_qt(to_string(fields_.device())), QString::fromUtf8(qVersion())));
  box->open();
}

void MainWindow::show_shortcuts() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Mouse and keys"));
  dialog->setAccessibleName(dialog->windowTitle());
  dialog->resize(520, 620);
  auto* list = new QTreeWidget(dialog);
  list->setAccessibleName(dialog->windowTitle());
  list->setHeaderLabels({tr("Input"), tr("Action")});
  list->header()->setAccessibleName(tr("Column headers"));
  list->setRootIsDecorated(false);
  list->setAlternatingRowColors(true);
  const auto add = [list](const QString& input, const QString& what) { new QTreeWidgetItem(list, {input, what}); };
  for (const auto& [input, what] : isolume::describe(viewport_->input())) add(input, what);
  add(tr("Click"), tr("Select an atom; with Ctrl or Shift, add it"));
  add(tr("Right click"), tr("Context menu"));
  add(tr("Double click"), tr("Centre on the atom; on empty space, reset the view"));
  add(tr("Left, Right"), tr("Previous, next frame; with Ctrl, ten"));
  add(tr("Home, End"), tr("First, last frame"));
  add(tr("Space"), tr("Play or pause"));
  add(tr("Shift+arrows"), tr("Rotate"));
  add(tr("Shift+Page Up, Page Down"), tr("Roll"));
  add(tr("Alt+arrows"), tr("Move"));
  add(tr("+, -"), tr("Zoom"));
  QList<QAction*> actions = viewport_->actions();
  actions += this->actions();
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    add(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
        QString(action->text()).remove(QLatin1Char('&')));
  }
  list->resizeColumnToContents(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->setAccessibleName(tr("Close"));
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(list);
  layout->addWidget(buttons);
  dialog->open();
}

}  // namespace isolume
