// The window: what it is made of, and what belongs to what.
#include "app/window/main_window.h"

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
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/console_panel.h"
#include "app/window/field_panel.h"
#include "app/window/icons.h"
#include "app/window/legend_overlay.h"
#include "app/window/measure_panel.h"
#include "app/window/message_bar.h"
#include "app/window/orbital_panel.h"
#include "app/window/plots_panel.h"
#include "app/window/recovery_bar.h"
#include "app/window/representation_panel.h"
#include "app/window/status_line.h"
#include "app/window/task_panel.h"
#include "app/window/theme.h"
#include "app/window/trajectory_panel.h"
#include "app/window/welcome_page.h"

namespace isolume {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setObjectName(QStringLiteral("isolume"));
  setAccessibleName(QStringLiteral("Isolume"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
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
  lay_out();
  restore();
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
  middle->setAccessibleName(tr("Picture"));
  messages_ = new MessageBar(middle);
  recovery_bar_ = new RecoveryBar(middle);
  stack_ = new QStackedWidget(middle);
  stack_->setAccessibleName(tr("Picture"));
  welcome_ = new WelcomePage(stack_);
  viewport_ = new Viewport(stack_);
  legends_ = new LegendOverlay(viewport_);
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
  trajectory_->setMaximumHeight(trajectory_->sizeHint().height() + 8);  // room goes to what is below it
  measure_ = new MeasurePanel(
      controller_, [this](PickedAtom atom, glm::vec3& point) { return picture_->position(atom, point); },
      actions_->measures, this);
  plots_ = new PlotsPanel(controller_, this);
  console_ = new ConsolePanel(this);
  tasks_ = new TaskPanel(this);
  add_dock(tr("Representations"), QStringLiteral("representations"), representations_, Qt::RightDockWidgetArea);
  add_dock(tr("Fields"), QStringLiteral("fields"), field_panel_, Qt::RightDockWidgetArea);
  add_dock(tr("Orbitals"), QStringLiteral("orbitals"), orbitals_, Qt::RightDockWidgetArea);
  add_dock(tr("Trajectory"), QStringLiteral("trajectory"), trajectory_, Qt::BottomDockWidgetArea);
  add_dock(tr("Measure"), QStringLiteral("measure"), measure_, Qt::RightDockWidgetArea);
  add_dock(tr("Plots"), QStringLiteral("plots"), plots_, Qt::BottomDockWidgetArea);
  add_dock(tr("Console"), QStringLiteral("console"), console_, Qt::BottomDockWidgetArea);
  add_dock(tr("Log and tasks"), QStringLiteral("log"), tasks_, Qt::BottomDockWidgetArea);
}

QDockWidget* MainWindow::add_dock(const QString& title, const QString& name, QWidget* panel, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setAccessibleName(tr("%1, panel").arg(title));
  dock->setWidget(panel);
  addDockWidget(area, dock);
  docks_ += dock;
  QAction* action = dock->toggleViewAction();
  action->setToolTip(tr("Show or hide the panel %1").arg(title));
  action->setShortcut(QKeySequence(Qt::ALT | (Qt::Key_1 + static_cast<int>(docks_.size()) - 1)));
  actions_->panels->addAction(action);
  return dock;
}

void MainWindow::lay_out() {
  for (QDockWidget* dock : docks_) {
    dock->setFloating(false);
    dock->show();
  }
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QDockWidget* last = docks_[0];
  addDockWidget(Qt::RightDockWidgetArea, last);
  for (QDockWidget* dock : {docks_[1], docks_[2], docks_[4]}) {
    addDockWidget(Qt::RightDockWidgetArea, dock);
    tabifyDockWidget(last, dock);
    last = dock;
  }
  addDockWidget(Qt::BottomDockWidgetArea, docks_[3]);
  splitDockWidget(docks_[3], docks_[5], Qt::Vertical);
  tabifyDockWidget(docks_[5], docks_[6]);
  tabifyDockWidget(docks_[6], docks_[7]);
  for (int i = 5; i < 8; ++i) docks_[i]->hide();  // shown when they are asked for
  docks_[0]->raise();
  const int width = fontMetrics().averageCharWidth() * 60;
  resizeDocks({docks_[0]}, {width}, Qt::Horizontal);
  resizeDocks({docks_[3]}, {docks_[3]->sizeHint().height()}, Qt::Vertical);
}

void MainWindow::restore() {
  QSettings settings;
  resize(1280, 820);
  if (const QScreen* here = screen()) resize(size().boundedTo(here->availableSize()));
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  restoreState(settings.value(QStringLiteral("layout")).toByteArray(), 2);
}

void MainWindow::open_files(const QStringList& paths) {
  loader_.set_dark(preferences_.background_follows_theme && dark_palette());
  // The viewport has no size yet while the welcome page is shown; both have the same place.
  loader_.open(paths, double(stack_->width()) / std::max(1, stack_->height()));
}

void MainWindow::save_session(const QString& path) {
  loader_.save_session(path);
}

void MainWindow::connect_workers() {
  connect(&controller_, &SceneController::scene_changed, this, &MainWindow::show_scene);
  connect(&controller_, &SceneController::history_changed, this, &MainWindow::show_history);
  const auto fault = [this](const QString& text) { say(text, true); };
  const auto note = [this](const QString& text) { say(text, false); };

  connect(&loader_, &FileLoader::progress, this,
          [this](const QString& what) { show_task(QStringLiteral("reading"), what, -1); });
  connect(&loader_, &FileLoader::failed, this, fault);
  connect(&loader_, &FileLoader::note, this, note);
  connect(&loader_, &FileLoader::opened, this, &MainWindow::add_recent);
  connect(&loader_, &FileLoader::session_opened, this, [this](const QString& path) {
    session_path_ = path;
    add_recent({path});
    show_history();
  });
  connect(&loader_, &FileLoader::session_saved, this, [this](const QString& path) {
    session_path_ = path;
    add_recent({path});
    show_history();
    status_->showMessage(tr("Saved %1").arg(path), 4000);
    tasks_->log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
    if (auto then = std::exchange(after_save_, nullptr)) then();
  });
  connect(&fields_, &LiveFields::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("field"), what, fraction); });
  connect(&fields_, &LiveFields::field_finished, this, [this](int field, const QString& summary, const QString& path) {
    field_panel_->show_summary(field, summary);
    const double coarser = fields_.coarsening();
    status_->show_path(coarser > 1 ? tr("Grid %1 x coarser while it moves").arg(coarser, 0, 'f', 1) : path);
  });
  connect(&fields_, &LiveFields::results_changed, this, [this] {
    orbitals_->show_results(fields_.results());
    show_results();
  });
  connect(&fields_, &LiveFields::field_failed, this, [this, fault](int field, const QString& message) {
    field_panel_->show_summary(field, message);
    fault(message);
  });
  connect(picture_.get(), &LivePicture::failed, this, fault);
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    measure_->show_values();
    const auto& frames = picture_->built()->frames;
    for (const auto& frame : frames) {
      if (frame) return trajectory_->show_time(frame->has_time, frame->time);
    }
    trajectory_->show_time(false, 0);
  });
  connect(&export_, &PictureExport::progress, this,
          [this](const QString& what) { show_task(QStringLiteral("picture"), what, -1); });
  connect(&export_, &PictureExport::failed, this, fault);
  connect(&export_, &PictureExport::finished, this, [this](const QString& path) {
    status_->showMessage(tr("Wrote %1").arg(path), 6000);
    tasks_->log(TaskPanel::Kind::done, tr("Wrote %1").arg(path));
  });
  connect(status_, &StatusLine::cancel, this, &MainWindow::cancel);
  connect(welcome_, &WelcomePage::open_asked, this, &MainWindow::ask_files);
  connect(welcome_, &WelcomePage::files_asked, this, &MainWindow::open_files);
}

void MainWindow::show_results() {
  const std::vector<FieldResult> results = fields_.results();
  field_panel_->show_results(results);
  const Scene& scene = controller_.scene();
  std::vector<FieldLegend> legends;
  for (std::size_t i = 0; i < results.size() && i < scene.fields.size(); ++i) {
    const Field& field = scene.fields[i];
    if (!field.visible || field.molecule >= scene.molecules.size() || !scene.molecules[field.molecule].visible)
      continue;
    if (const auto legend = legend_of(field, results[i])) legends.push_back(*legend);
  }
  const glm::vec3 ground = scene.look.background_bottom;
  legends_->set_legends(std::move(legends), 0.3f * ground.r + 0.6f * ground.g + 0.1f * ground.b < 0.45f);
}

void MainWindow::show_scene(const Scene& scene) {
  show_results();
  QWidget* page = scene.molecules.empty() ? static_cast<QWidget*>(welcome_) : viewport_;
  if (stack_->currentWidget() != page) {
    stack_->setCurrentWidget(page);
    page->setFocus();
  }
  const bool any = !scene.molecules.empty();
  for (QAction* action : {actions_->fit, actions_->reset, actions_->add_representation, actions_->export_picture,
                          actions_->copy_picture, actions_->save_session, actions_->save_session_as,
                          actions_->close_all, actions_->orthographic, actions_->copy_command}) {
    action->setEnabled(any);
  }
  actions_->add_surface->setEnabled(molecule_for(controller_, Field::Kind::gaussian) >= 0);
  actions_->add_orbital->setEnabled(molecule_for(controller_, Field::Kind::orbital) >= 0);
  actions_->add_potential->setEnabled(molecule_for(controller_, Field::Kind::potential) >= 0);
  actions_->add_volume->setEnabled(molecule_for(controller_, Field::Kind::volume) >= 0);
  actions_->centre->setEnabled(!controller_.picked().empty());
  actions_->fit_picked->setEnabled(!controller_.picked().empty());
  actions_->remove_measurements->setEnabled(!scene.measurements.empty());
  for (QAction* action : actions_->measures) action->setEnabled(any);
  if (!any) end_measuring();
  actions_->play->setEnabled(controller_.frame_count() > 1);
  actions_->export_film->setEnabled(controller_.frame_count() > 1);
  actions_->orthographic->setChecked(scene.camera.projection == Camera::Projection::orthographic);
  actions_->box->setChecked(scene.show_box);
  actions_->axes->setChecked(scene.look.axes);
  const bool effects[] = {scene.look.ambient_occlusion, scene.look.outlines, scene.look.shadows,
                          scene.look.depth_cue > 0};
  for (int i = 0; i < 4; ++i) actions_->effects[i]->setChecked(effects[i]);
}

void MainWindow::cancel() {
  if (status_->has_task()) {
    fields_.cancel();
    if (loader_.busy()) loader_.cancel();
    if (program_) program_->terminate();
    player_->pause();
  } else if (measuring_ > 0) {
    end_measuring();
  } else {
    controller_.set_picked({});
  }
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
  QSettings settings;
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("layout"), saveState(2));
  player_->pause();
  fields_.cancel();
  recovery_.finish();
  QMainWindow::closeEvent(event);
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
    messages_->show_message(MessageBar::Kind::note, tr("Only files of this machine can be opened."));
    return;
  }
  event->acceptProposedAction();
  open_files(paths);
}

}  // namespace isolume
