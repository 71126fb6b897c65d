// The window: what it is made of, and what belongs to what.
#include "app/window/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QThreadPool>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/field_panel.h"
#include "app/window/icons.h"
#include "app/window/message_bar.h"
#include "app/window/orbital_panel.h"
#include "app/window/representation_panel.h"
#include "app/window/status_line.h"
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
  lay_out();
  restore();
  show_recent();
  show_scene(controller_.scene());
  show_history();
}

MainWindow::~MainWindow() {
  // Workers end before what they write to; buffers go while the context is there.
  player_->pause();
  viewport_->release();
  fields_.stop();
  picture_->drop();
  views_.stop();
  QThreadPool::globalInstance()->waitForDone();
  disconnect(viewport_, nullptr, this, nullptr);
}

void MainWindow::build() {
  auto* middle = new QWidget(this);
  middle->setAccessibleName(tr("Picture"));
  messages_ = new MessageBar(middle);
  stack_ = new QStackedWidget(middle);
  stack_->setAccessibleName(tr("Picture"));
  welcome_ = new WelcomePage(stack_);
  viewport_ = new Viewport(stack_);
  stack_->addWidget(welcome_);
  stack_->addWidget(viewport_);
  auto* layout = new QVBoxLayout(middle);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
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
  add_dock(tr("Representations"), QStringLiteral("representations"), representations_, Qt::RightDockWidgetArea);
  add_dock(tr("Fields"), QStringLiteral("fields"), field_panel_, Qt::RightDockWidgetArea);
  add_dock(tr("Orbitals"), QStringLiteral("orbitals"), orbitals_, Qt::RightDockWidgetArea);
  add_dock(tr("Trajectory"), QStringLiteral("trajectory"), trajectory_, Qt::BottomDockWidgetArea);
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
  for (int i = 0; i < 3; ++i) addDockWidget(Qt::RightDockWidgetArea, docks_[i]);
  addDockWidget(Qt::BottomDockWidgetArea, docks_[3]);
  tabifyDockWidget(docks_[0], docks_[1]);
  tabifyDockWidget(docks_[1], docks_[2]);
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
  restoreState(settings.value(QStringLiteral("layout")).toByteArray(), 1);
}

void MainWindow::open_files(const QStringList& paths) {
  loader_.set_dark(dark_palette());
  // The viewport has no size yet while the welcome page is shown; both have the same place.
  loader_.open(paths, double(stack_->width()) / std::max(1, stack_->height()));
}

void MainWindow::save_session(const QString& path) {
  loader_.save_session(path);
}

void MainWindow::connect_workers() {
  connect(&controller_, &SceneController::scene_changed, this, &MainWindow::show_scene);
  connect(&controller_, &SceneController::history_changed, this, &MainWindow::show_history);
  const auto fault = [this](const QString& text) { messages_->show_message(MessageBar::Kind::fault, text); };
  const auto note = [this](const QString& text) { messages_->show_message(MessageBar::Kind::note, text); };

  connect(&loader_, &FileLoader::progress, this,
          [this](const QString& what) { status_->show_task(QStringLiteral("reading"), what, -1); });
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
  });
  connect(&fields_, &LiveFields::progress, this, [this](const QString& what, double fraction) {
    status_->show_task(QStringLiteral("field"), what, fraction);
  });
  connect(&fields_, &LiveFields::field_finished, this, [this](int field, const QString& summary, const QString& path) {
    field_panel_->show_summary(field, summary);
    const double coarser = fields_.coarsening();
    status_->show_path(coarser > 1 ? tr("Grid %1 x coarser while it moves").arg(coarser, 0, 'f', 1) : path);
  });
  connect(&fields_, &LiveFields::results_changed, this, [this] { orbitals_->show_results(fields_.results()); });
  connect(&fields_, &LiveFields::field_failed, this, [this, fault](int field, const QString& message) {
    field_panel_->show_summary(field, message);
    fault(message);
  });
  connect(picture_.get(), &LivePicture::failed, this, fault);
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    const auto& frames = picture_->built()->frames;
    for (const auto& frame : frames) {
      if (frame) return trajectory_->show_time(frame->has_time, frame->time);
    }
    trajectory_->show_time(false, 0);
  });
  connect(&export_, &PictureExport::progress, this,
          [this](const QString& what) { status_->show_task(QStringLiteral("picture"), what, -1); });
  connect(&export_, &PictureExport::failed, this, fault);
  connect(&export_, &PictureExport::finished, this,
          [this](const QString& path) { status_->showMessage(tr("Wrote %1").arg(path), 6000); });
  connect(status_, &StatusLine::cancel, this, &MainWindow::cancel);
  connect(welcome_, &WelcomePage::open_asked, this, &MainWindow::ask_files);
  connect(welcome_, &WelcomePage::files_asked, this, &MainWindow::open_files);
}

void MainWindow::show_scene(const Scene& scene) {
  QWidget* page = scene.molecules.empty() ? static_cast<QWidget*>(welcome_) : viewport_;
  if (stack_->currentWidget() != page) {
    stack_->setCurrentWidget(page);
    page->setFocus();
  }
  const bool any = !scene.molecules.empty();
  for (QAction* action :
       {actions_->fit, actions_->reset, actions_->add_representation, actions_->export_picture, actions_->copy_picture,
        actions_->save_session, actions_->save_session_as, actions_->close_all, actions_->orthographic}) {
    action->setEnabled(any);
  }
  actions_->add_surface->setEnabled(molecule_for(controller_, Field::Kind::gaussian) >= 0);
  actions_->add_orbital->setEnabled(molecule_for(controller_, Field::Kind::orbital) >= 0);
  actions_->add_potential->setEnabled(molecule_for(controller_, Field::Kind::potential) >= 0);
  actions_->add_volume->setEnabled(molecule_for(controller_, Field::Kind::volume) >= 0);
  actions_->centre->setEnabled(!controller_.picked().empty());
  actions_->play->setEnabled(controller_.frame_count() > 1);
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
    player_->pause();
  } else {
    controller_.set_picked({});
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QSettings settings;
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("layout"), saveState(1));
  player_->pause();
  fields_.cancel();
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
