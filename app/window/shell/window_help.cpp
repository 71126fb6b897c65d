// The actions of the Help menu: manual, tour, keys, about, system report; and the command palette.
#include "app/window/shell/window_help.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHeaderView>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QScreen>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/help/manual.h"
#include "app/window/help/recent_files.h"
#include "app/window/help/system_report.h"
#include "app/window/help/tour.h"
#include "app/window/help/welcome_page.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panel_controls.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/async.h"

namespace isolume {

WindowHelp::WindowHelp(MainWindow& window) : window_(window) {
  const MainActions& actions = window.commands();
  connect(actions.shortcuts, &QAction::triggered, this, &WindowHelp::show_shortcuts);
  connect(actions.manual, &QAction::triggered, this, &WindowHelp::show_manual);
  connect(actions.news, &QAction::triggered, this, [this] {
    auto* manual = new Manual(&window_);
    manual->show_page(QStringLiteral("changes"));
    manual->show();
  });
  connect(actions.about, &QAction::triggered, this, &WindowHelp::show_about);
  connect(actions.tour, &QAction::triggered, this, &WindowHelp::show_tour);
  connect(actions.report, &QAction::triggered, this, &WindowHelp::show_report);
  connect(&window.welcome(), &WelcomePage::tour_asked, this, &WindowHelp::show_tour);
  connect(actions.palette, &QAction::triggered, this, &WindowHelp::show_palette);
}

void WindowHelp::show_palette() {
  auto* named = new QObject(this);  // owns the entries of the panels' controls
  auto* palette =
      new CommandPalette(entries_of(window_.menuBar()) + entries_of_controls(window_.panels(), named), &window_);
  connect(palette, &QObject::destroyed, named, &QObject::deleteLater);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->show();
}

void WindowHelp::show_manual() {
  // At the panel that has the focus; its name is in bold at the beginning of what is said of it.
  QString topic = tr("Mouse and keys");
  if (const QDockWidget* dock = window_.panels().dock_of(window_.focusWidget()))
    topic = dock->windowTitle() + QLatin1Char(':');
  auto* manual = new Manual(&window_);
  manual->show();
  manual->show_page(QStringLiteral("window"), topic);
}

void WindowHelp::show_tour() {
  const auto panel = [this](const char* name) {
    return [this, name]() -> QWidget* {
      window_.panels().raise(name);
      return &window_.panels().dock(name);
    };
  };
  std::vector<Tour::Step> steps{
      {[this]() -> QWidget* { return &window_.pages(); }, tr("Open, rotate, click"),
       tr("Drop files here, or open an example. Drag with the left button to rotate, with the right button to move; "
          "scroll to zoom. Click an atom to select it, right-click for a menu.")},
      {panel("representations"), tr("Show atoms"),
       tr("Each row shows some atoms in a style. Type a selection: protein, chain A, within 5 of resname LIG. The "
          "number of matching atoms is shown as you type.")},
      {panel("fields"), tr("Compute surfaces and maps"),
       tr("Surfaces, orbitals and potentials are computed live, in every frame. Ctrl+scroll in the 3D view changes the "
          "isovalue. Esc cancels.")},
      {nullptr, tr("Find any action"),
       tr("Ctrl+K finds any action as you type, F1 explains the focused panel. Ctrl+Z undoes every step. F12 exports "
          "an image for print.")}};
  new Tour(std::move(steps), &window_);
}

void WindowHelp::show_report() {
  auto* dialog = new QDialog(&window_);
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
        window_.say(tr("%1 could not be written: %2").arg(path, file.errorString()), true);
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
  for (const SceneMolecule& molecule : window_.controller().scene().molecules)
    for (const std::string& path : molecule.paths) paths += to_qt(path);
  if (!window_.files().session_path().isEmpty()) paths += window_.files().session_path();
  const QString log = without_names(window_.tasks().log_text(), paths);
  const QSize pixels = window_.screen()->size() * window_.screen()->devicePixelRatio();
  const QString display =
      QStringLiteral("%1 x %2, ratio %3").arg(pixels.width()).arg(pixels.height()).arg(window_.devicePixelRatioF());
  QString path;
  for (const FieldResult& result : window_.fields().results())
    if (!result.path.empty()) path = tr("; surfaces: %1").arg(to_qt(result.path));
  const QString drawing =
      QStringLiteral("%1; the window system offers %2%3")
          .arg(window_.viewport().path() == DrawingPath::window ? tr("by the window's OpenGL") : tr("as images"),
               window_opengl(), path);
  run_async(
      dialog,
      [gl = window_.viewport().gl(), drawing, device = window_.fields().device(), display] {
        return system_report(gl, drawing, device, display);
      },
      [text, with_log, log](const QString& report) {
        const auto show = [=](bool both) { text->setPlainText(both ? report + QLatin1Char('\n') + log : report); };
        QObject::connect(with_log, &QCheckBox::toggled, text, show);
        show(with_log->isChecked());
      },
      [text](const QString& message) { text->setPlainText(message); });
}

void WindowHelp::show_about() {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Isolume"),
                              tr("Isolume: molecules and their fields, computed live."), QMessageBox::Close, &window_);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  const GlInfo& gl = window_.viewport().gl();
  box->setInformativeText(tr("Version %1, MIT licence\nOpenGL: %2, %3\nComputes on: %4\nQt %5")
                              .arg(QStringLiteral(ISOLUME_VERSION),
                                   gl.renderer.empty() ? tr("not started") : to_qt(gl.renderer), to_qt(gl.version),
                                   to_qt(to_string(window_.fields().device())), QString::fromUtf8(qVersion())));
  box->open();
}

void WindowHelp::show_shortcuts() {
  auto* dialog = new QDialog(&window_);
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
  for (const auto& [input, what] : isolume::describe(window_.viewport().input())) add(input, what);
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
  QList<QAction*> actions = window_.viewport().actions();
  actions += window_.actions();
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    add(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
        QString(action->text()).remove(QLatin1Char('&')));
  }
  for (const int column : {0, 1}) list->resizeColumnToContents(column);
  const int needed = list->columnWidth(0) + list->columnWidth(1) + 4 * list->fontMetrics().height();
  dialog->resize(std::max(dialog->width(), std::min(needed, window_.width())), dialog->height());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->setAccessibleName(tr("Close"));
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(list);
  layout->addWidget(buttons);
  dialog->open();
}

}  // namespace isolume
