// The window: what it is made of, and what belongs to what.
#include "app/window/shell/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QProcess>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/documents/thread_priority.h"
#include "app/models/labels.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/look_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/recent_files.h"
#include "app/window/shell/recovery_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/welcome_page.h"
#include "app/window/shell/window_layout.h"
#include "app/window/viewport/legend_overlays.h"
#include "app/window/widgets/backgrounds.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/theme.h"

namespace isolume {
namespace {

const char* const trajectory_key = "window/trajectory_panel";

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  lower_pool_priority();
  setObjectName(QStringLiteral("isolume"));
  setAccessibleName(QStringLiteral("Isolume"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::East);  // six titles beside each other would be cut
  build();
  connect_workers();
  connect_viewport();
  connect_file_actions();
  connect_view_actions();
  connect_picking();
  connect_documents();
  connect_tasks();
  connect_console();
  connect_help();
  connect_views();
  connect_tiles();
  show_ranges_in_tips();
  lay_out();
  restore_layout(*this);
  // Hidden where there are no frames, or by the user while there were some.
  wants_trajectory_ = QSettings().value(QLatin1String(trajectory_key), true).toBool();
  panel_dock("trajectory")->hide();
  connect(welcome_, &WelcomePage::pin_asked, this, [this](const QString& path, bool pinned) {
    pin_file(path, pinned);
    show_recent();
  });
  show_recent();
  show_scene(controller_.scene());
  show_history();
  for (const QAction* action : actions_->all()) usual_keys_[action->objectName()] = action->shortcuts();
  apply_preferences(preferences_);
}

MainWindow::~MainWindow() {
  // Workers end before what they write to; buffers go while the context is there.
  player_->pause();
  if (program_) {
    program_->disconnect(this);
    program_->kill();
    program_->waitForFinished(1000);
  }
  viewport_->release();
  fields_.stop();
  picture_->drop();
  views_.stop();
  QThreadPool::globalInstance()->waitForDone();
  recovery_.finish();
  disconnect(viewport_, nullptr, this, nullptr);
}

void MainWindow::build() {
  auto* middle = new QWidget(this);
  middle->setAccessibleName(tr("3D view"));
  messages_ = new MessageBar(middle);
  recovery_bar_ = new RecoveryBar(middle);
  stack_ = new QStackedWidget(middle);
  stack_->setAccessibleName(tr("3D view"));
  welcome_ = new WelcomePage(stack_);
  viewport_ = new Viewport(stack_);
  legends_ = new LegendOverlays(viewport_);
  stack_->addWidget(welcome_);
  stack_->addWidget(viewport_);
  auto* layout = new QVBoxLayout(middle);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(recovery_bar_);
  layout->addWidget(messages_);
  layout->addWidget(stack_, 1);
  setCentralWidget(middle);

  actions_ = std::make_unique<MainActions>(*this, *viewport_);
  status_ = new StatusLine(this);
  setStatusBar(status_);
  picture_ = std::make_unique<LivePicture>(controller_, fields_, views_, *viewport_);
  player_ = std::make_unique<Player>(controller_, [this] { return picture_->current() && viewport_->drawn(); });
  representations_ = new RepresentationPanel(controller_, this);
  field_panel_ = new FieldPanel(controller_, this);
  orbitals_ = new OrbitalPanel(controller_, this);
  trajectory_ = new TrajectoryPanel(controller_, *player_, this);
  measure_ = new MeasurePanel(
      controller_, [this](PickedAtom atom, glm::vec3& point) { return picture_->position(atom, point); },
      actions_->measures, this);
  plots_ = new PlotsPanel(controller_, this);
  molecules_ = new MoleculePanel(controller_, this);
  look_ = new LookPanel(controller_, this);
  console_ = new ConsolePanel(this);
  tasks_ = new TaskPanel(this);
  add_dock(tr("Representations"), QStringLiteral("representations"), representations_, Qt::RightDockWidgetArea);
  add_dock(tr("Surfaces and maps"), QStringLiteral("fields"), field_panel_, Qt::RightDockWidgetArea);
  add_dock(tr("Orbitals"), QStringLiteral("orbitals"), orbitals_, Qt::RightDockWidgetArea);
  add_dock(tr("Trajectory"), QStringLiteral("trajectory"), trajectory_, Qt::BottomDockWidgetArea);
  add_dock(tr("Measure"), QStringLiteral("measure"), measure_, Qt::RightDockWidgetArea);
  add_dock(tr("Plots"), QStringLiteral("plots"), plots_, Qt::BottomDockWidgetArea);
  add_dock(tr("Console"), QStringLiteral("console"), console_, Qt::BottomDockWidgetArea);
  add_dock(tr("Log and tasks"), QStringLiteral("log"), tasks_, Qt::BottomDockWidgetArea);
  add_dock(tr("Molecules"), QStringLiteral("molecules"), molecules_, Qt::RightDockWidgetArea);
  add_dock(tr("Appearance"), QStringLiteral("look"), look_, Qt::RightDockWidgetArea);
}

QDockWidget* MainWindow::add_dock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setAccessibleName(tr("%1, panel").arg(title));
  dock->setWidget(panel == trajectory_ ? panel : scroll_panel(panel));
  addDockWidget(area, dock);
  docks_ += dock;
  auto* action = new QAction(title, this);
  action->setCheckable(true);
  action->setToolTip(tr("Bring the panel %1 to the front; hide it if it is there").arg(title));
  action->setShortcut(QKeySequence(Qt::ALT | (Qt::Key_0 + static_cast<int>(docks_.size()) % 10)));
  connect(action, &QAction::triggered, this, [this, dock, action] {
    in_front(dock) ? dock->hide() : raise_panel(dock, true);
    action->setChecked(!dock->isHidden());
  });
  connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
  connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool shown) {
    // Opened again at the bottom it has the height it is used at, not the little that was left for it.
    if (!shown || !isVisible() || dockWidgetArea(dock) != Qt::BottomDockWidgetArea || dock == panel_dock("trajectory"))
      return;
    QTimer::singleShot(0, dock, [this, dock] {
      const int wanted = std::min(16 * fontMetrics().height(), 2 * height() / 5);
      if (dock->height() < wanted) resizeDocks({dock}, {wanted}, Qt::Vertical);
    });
  });
  actions_->panels->addAction(action);
  return dock;
}

QDockWidget* MainWindow::panel_dock(const char* name) const {
  for (QDockWidget* dock : docks_)
    if (dock->objectName() == QLatin1String(name)) return dock;
  return nullptr;
}

bool MainWindow::in_front(const QDockWidget* dock) {
  // One that is a tab behind another counts as visible to Qt, which has moved it out of the window.
  return !dock->isHidden() && !dock->visibleRegion().isEmpty();
}

void MainWindow::raise_panel(QDockWidget* dock, bool focus) {
  dock->show();
  dock->raise();
  if (!focus) return;
  QWidget* widget = dock->widget();
  do {
    widget = widget->nextInFocusChain();
    const bool takes = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() && widget->isEnabled();
    if (!takes || !dock->widget()->isAncestorOf(widget)) continue;
    widget->setFocus(Qt::ShortcutFocusReason);
    return;
  } while (widget != dock->widget());
}

void MainWindow::show_trajectory_panel() {
  QDockWidget* dock = panel_dock("trajectory");
  const bool frames = controller_.frame_count() > 1;
  if (frames == has_frames_) return;
  has_frames_ = frames;
  if (!frames) wants_trajectory_ = !dock->isHidden();
  dock->setVisible(frames && wants_trajectory_);
  refits_ = frames && wants_trajectory_;
}

void MainWindow::lay_out() {
  for (QDockWidget* dock : docks_) {
    dock->setFloating(false);
    dock->show();
  }
  wants_trajectory_ = true;
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QDockWidget* last = docks_[0];
  addDockWidget(Qt::RightDockWidgetArea, last);
  for (QDockWidget* dock : {docks_[1], docks_[2], docks_[4], docks_[8], docks_[9]}) {
    addDockWidget(Qt::RightDockWidgetArea, dock);
    tabifyDockWidget(last, dock);
    last = dock;
  }
  addDockWidget(Qt::BottomDockWidgetArea, docks_[3]);
  splitDockWidget(docks_[3], docks_[5], Qt::Vertical);
  tabifyDockWidget(docks_[5], docks_[6]);
  tabifyDockWidget(docks_[6], docks_[7]);
  for (int i = 5; i < 8; ++i) docks_[i]->hide();  // shown when they are asked for
  docks_[3]->setVisible(has_frames_);
  docks_[0]->raise();
  // With the tabs at its side; the 3D view keeps the larger part.
  const int whole = isVisible() ? this->width() : std::min(1280, screen()->availableSize().width());
  const int width = std::min(fontMetrics().averageCharWidth() * 60 + 40, 45 * whole / 100);
  resizeDocks({docks_[0]}, {width}, Qt::Horizontal);
  resizeDocks({docks_[3]}, {docks_[3]->sizeHint().height()}, Qt::Vertical);
}

void MainWindow::open_files(const QStringList& paths) {
  loader_.set_dark(preferences_.background_follows_theme && dark_palette());
  // The viewport has no size yet while the welcome page is shown; both have the same place.
  loader_.open(paths, double(stack_->width()) / std::max(1, stack_->height()));
}

void MainWindow::save_session(const QString& path) {
  loader_.save_session(path);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!closing_ && preferences_.ask_unsaved && controller_.modified()) {
    event->ignore();
    ask_unsaved([this] {
      closing_ = true;
      close();
    });
    return;
  }
  save_layout(*this);
  QSettings().setValue(QLatin1String(trajectory_key),
                       has_frames_ ? !panel_dock("trajectory")->isHidden() : wants_trajectory_);
  player_->pause();
  fields_.cancel();
  recovery_.finish();
  QMainWindow::closeEvent(event);
}

void MainWindow::end_as_asked() {
  if (controller_.modified()) recovery_.keep();
  closing_ = true;
  close();
}

bool MainWindow::event(QEvent* event) {
  // Painted, and back in the event loop: this start has succeeded.
  if (event->type() == QEvent::Paint && !std::exchange(painted_, true)) QTimer::singleShot(0, this, &end_start);
  return QMainWindow::event(event);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || !preferences_.background_follows_theme) return;
  // A background that nobody chose goes with the window.
  const bool dark = dark_palette();
  if (controller_.scene().molecules.empty() || !has_usual_background(controller_.scene().look, !dark)) return;
  controller_.follow([dark](Scene& scene) {
    if (has_usual_background(scene.look, !dark)) set_usual_background(scene.look, dark);
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths += url.toLocalFile();
  }
  if (paths.isEmpty()) {
    messages_->show_message(MessageBar::Kind::note, tr("Only local files can be opened."));
    return;
  }
  event->acceptProposedAction();
  open_files(paths);
}

}  // namespace isolume
