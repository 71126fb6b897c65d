// The window: its parts and how they are connected.
#include "app/window/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QProcess>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/documents/streams/stream_address.h"
#include "app/documents/thread_priority.h"
#include "app/models/labels.h"
#include "app/window/help/welcome_page.h"
#include "app/window/maps/map_actions.h"
#include "app/window/movie/movie_panel.h"
#include "app/window/over_time/average_panel.h"
#include "app/window/over_time/contact_map_panel.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/over_time/stream_panel.h"
#include "app/window/over_time/timeline_panel.h"
#include "app/window/panels/charge_set_list.h"
#include "app/window/panels/clip_panel.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/look_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/presets/preset_actions.h"
#include "app/window/quantum/states_panel.h"
#include "app/window/quantum/vibrations_panel.h"
#include "app/window/recovery/recovery_bar.h"
#include "app/window/recovery/safe_mode_bar.h"
#include "app/window/select/class_bar.h"
#include "app/window/select/named_selections.h"
#include "app/window/select/select_actions.h"
#include "app/window/sequence/sequence_panel.h"
#include "app/window/shell/command_runner.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/path_quality.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/shell/pick_menu.h"
#include "app/window/shell/plot_menus.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/six_axis_links.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/tree_links.h"
#include "app/window/shell/view_actions.h"
#include "app/window/shell/window_help.h"
#include "app/window/shell/window_layout.h"
#include "app/window/structures/interaction_panel.h"
#include "app/window/structures/ramachandran_panel.h"
#include "app/window/tree/scene_tree.h"
#include "app/window/viewport/legend_overlays.h"
#include "app/window/widgets/backgrounds.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_letters.h"
#include "app/window/widgets/theme.h"
#include "app/window/widgets/work_pool.h"

namespace isolume {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  lower_pool_priority();
  setObjectName(QStringLiteral("isolume"));
  setAccessibleName(QStringLiteral("Isolume"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::East);  // six titles next to each other would be cut
  build();
  build_panels();
  files_ = std::make_unique<FileActions>(*this);
  view_actions_ = std::make_unique<ViewActions>(*this);
  path_quality_ = std::make_unique<PathQuality>(*this);
  picking_ = std::make_unique<PickActions>(*this);
  programs_ = std::make_unique<ProgramRunner>(*this);
  runner_ = std::make_unique<CommandRunner>(*this);
  menu_ = std::make_unique<PickMenu>(*this, *picking_);
  new PlotMenus(*this);
  help_ = std::make_unique<WindowHelp>(*this);
  connect_workers();
  connect_fields();
  connect_picture();
  connect_viewport();
  six_axes_ = link_six_axis_mouse(*this);
  connect_actions();
  connect_tasks();
  connect_plots();
  connect_selecting();
  link_scene_tree(*this);
  show_ranges_in_tips();
  panels_->lay_out();
  restore_layout(*this);
  panels_->restore();
  show_scene(controller_.scene());
  show_history();
  for (const QAction* action : actions_->all()) usual_keys_[action->objectName()] = action->shortcuts();
  apply_preferences(preferences_);
}

MainWindow::~MainWindow() {
  // Panels that are hidden end their work, and ask the scene: while it is there.
  hide();
  // Workers end before what they write to; buffers go while the context is there.
  player_->pause();
  panels_->get<AveragePanel>().stop();
  panels_->get<ProbePanel>().cancel();
  programs_->end();
  viewport_->release();
  fields_.stop();
  picture_->drop();
  views_.stop();
  work_pool().waitForDone();
  recovery_.finish();
  disconnect(viewport_, nullptr, this, nullptr);
}

void MainWindow::build() {
  auto* middle = new QWidget(this);
  middle->setAccessibleName(tr("3D view"));
  messages_ = new MessageBar(middle);
  recovery_bar_ = new RecoveryBar(middle);
  pages_ = new QStackedWidget(middle);
  pages_->setAccessibleName(tr("3D view"));
  welcome_ = new WelcomePage(pages_);
  viewport_ = new Viewport(pages_);
  legends_ = new LegendOverlays(viewport_);
  pages_->addWidget(welcome_);
  pages_->addWidget(viewport_);
  auto* layout = new QVBoxLayout(middle);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  if (safe_mode() != SafeMode::off) {
    auto* bar = new SafeModeBar(safe_mode(), middle);
    layout->addWidget(bar);
    connect(bar, &SafeModeBar::start_asked, this, [this] {
      QProcess normal;
      normal.setProgram(qApp->property(program_property).toString());
      normal.setArguments({QStringLiteral("--no-safe-mode")});
      normal.setProcessEnvironment(normal_environment());
      if (normal.program().isEmpty() || !normal.startDetached()) say(tr("Isolume could not be started."), true);
    });
  }
  layout->addWidget(recovery_bar_);
  layout->addWidget(messages_);
  layout->addWidget(pages_, 1);
  setCentralWidget(middle);

  actions_ = std::make_unique<MainActions>(*this, *viewport_);
  status_ = new StatusLine(this);
  setStatusBar(status_);
  picture_ = std::make_unique<LivePicture>(controller_, fields_, views_, *viewport_);
  select_ = std::make_unique<SelectActions>(*actions_->select, *viewport_, controller_, *picture_);
  actions_->include(select_->all());
  presets_ = std::make_unique<PresetActions>(*actions_->presets, controller_, [this] {
    return double(viewport_->width()) / std::max(1, viewport_->height());
  });
  actions_->include(presets_->all());
  auto* maps = new MapActions(
      *qobject_cast<QMenu*>(actions_->devices->parent()), *actions_->cancel, controller_,
      [this] { return files_->save_folder(); }, [this] { return fields_.device(); }, this);
  actions_->include(maps->all());
  connect(maps, &MapActions::saved, this,
          [this](const QString& path) { tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path)); });
  connect(maps, &MapActions::selection_asked, select_.get(), &SelectActions::select_in);
  connect(maps, &MapActions::place_asked, this,
          [this](glm::dvec3 place) { controller_.touch([place](Scene& scene) { scene.camera.centre = place; }); });
  connect(maps, &MapActions::play_asked, this, [this] { player_->play(); });
  classes_ = new ClassBar(*select_, controller_, this);
  addToolBar(classes_);
  player_ = std::make_unique<Player>(controller_, [this] { return picture_->current() && viewport_->drawn(); });
}

void MainWindow::build_panels() {
  panels_ = new Panels(*this, *actions_->panels);
  using enum PanelPlace;
  panels_->add("representations", tr("Representations"), right, new RepresentationPanel(controller_, this));
  panels_->add("fields", tr("Surfaces and maps"), right, new FieldPanel(controller_, this));
  panels_->add("orbitals", tr("Orbitals"), right, new OrbitalPanel(controller_, this));
  panels_->add("trajectory", tr("Trajectory"), frames, new TrajectoryPanel(controller_, *player_, this));
  const auto position = [this](PickedAtom atom, glm::vec3& point) { return picture_->position(atom, point); };
  panels_->add("measure", tr("Measure"), right, new MeasurePanel(controller_, position, actions_->measures, this));
  panels_->add("plots", tr("Plots"), bottom, new PlotsPanel(controller_, this),
               tr("RMSD RMSF RDF radius of gyration contacts hydrogen bonds analysis over time"));
  panels_->add("console", tr("Console"), bottom, new ConsolePanel(this));
  panels_->add("log", tr("Log and tasks"), bottom, new TaskPanel(this));
  panels_->add("molecules", tr("Molecules"), right, new MoleculePanel(controller_, this));
  panels_->add("look", tr("Appearance"), right, new LookPanel(controller_, this));
  QAction* sequence = panels_->add("sequence", tr("Sequence"), bottom, new SequencePanel(controller_, this),
                                   tr("sequence residues chain FASTA alignment identity"));
  sequence->setObjectName(QStringLiteral("sequence"));
  sequence->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_U));
  actions_->include({sequence});
  auto* named = new NamedSelections(controller_, *select_, *actions_->select, this);
  panels_->add("selections", tr("Named selections"), bottom, named, tr("selections names save define groups"));
  actions_->include(named->all());
  auto* interactions = new InteractionPanel(controller_, this);
  panels_->add("interactions", tr("Interactions"), bottom, interactions,
               tr("hydrogen bonds salt bridges stacking clashes contacts"));
  actions_->compute->insertActions(actions_->cancel, {interactions->add_action(), interactions->remove_action()});
  actions_->include({interactions->add_action(), interactions->remove_action()});
  QAction* dihedrals =
      panels_->add("ramachandran", tr("Ramachandran plot"), bottom, new RamachandranPanel(controller_, this),
                   tr("phi psi dihedrals backbone outliers"));
  dihedrals->setObjectName(QStringLiteral("ramachandran"));
  actions_->compute->insertAction(actions_->cancel, dihedrals);
  actions_->include({dihedrals});
  panels_->add("scene", tr("Scene"), right, new SceneTree(controller_, *select_, this),
               tr("tree outline objects chains ligands visibility hide show list"));
  QAction* vibrations =
      panels_->add("vibrations", tr("Vibrations"), bottom, new VibrationsPanel(controller_, *player_, this),
                   tr("normal modes frequencies infrared IR Raman spectrum animate"));
  vibrations->setObjectName(QStringLiteral("vibrations"));
  QAction* states = panels_->add("states", tr("Excited states"), bottom, new StatesPanel(controller_, this),
                                 tr("excitations absorption UV spectrum oscillator natural transition orbitals NTO"));
  states->setObjectName(QStringLiteral("states"));
  actions_->compute->insertActions(actions_->cancel, {vibrations, states});
  actions_->include({vibrations, states});
  auto* clip = new ClipPanel(
      controller_, position, [this] { return viewport_->view() ? viewport_->view()->radius : 50.0; }, this);
  QAction* planes = panels_->add("clip_planes", tr("Clipping planes"), bottom, clip,
                                 tr("clip cut section slab slice open cross-section"));
  planes->setObjectName(QStringLiteral("clip_planes"));
  actions_->clipping->addActions(clip->actions());
  actions_->clipping->addSeparator();
  actions_->clipping->addAction(planes);
  actions_->include(clip->actions() + QList<QAction*>{planes});
  QAction* contacts = panels_->add("contact_map", tr("Contact map"), bottom, new ContactMapPanel(controller_, this),
                                   tr("contacts residues distances matrix CA pairs"));
  contacts->setObjectName(QStringLiteral("contact_map"));
  QAction* timeline =
      panels_->add("timeline", tr("Timeline"), bottom,
                   new TimelinePanel(
                       controller_, [this] { return fields_.device(); }, this),
                   tr("interactions hydrogen bonds occupancy secondary structure DSSP RMSD RMSF potential local "
                      "correlation with a density map over frames"));
  timeline->setObjectName(QStringLiteral("timeline"));
  actions_->compute->insertActions(actions_->cancel, {contacts, timeline});
  actions_->include({contacts, timeline});
  QAction* stream = panels_->add("stream", tr("Running simulation"), bottom, new StreamPanel(controller_, this),
                                 tr("IMD live stream follow connect GROMACS NAMD LAMMPS interactive record"));
  stream->setObjectName(QStringLiteral("stream"));
  qobject_cast<QMenu*>(actions_->recent->parent())->insertAction(actions_->watch, stream);
  actions_->include({stream});
  QAction* averages = panels_->add("averages", tr("Running averages"), bottom,
                                   new AveragePanel(
                                       controller_, [this] { return fields_.device(); }, this),
                                   tr("mean standard error convergence block average over frames significance"));
  averages->setObjectName(QStringLiteral("averages"));
  actions_->compute->insertAction(actions_->cancel, averages);
  actions_->include({averages});
  auto* movie = new MoviePanel(
      controller_, [this] { return picture_->current() && viewport_->drawn(); }, this);
  QAction* keys =
      panels_->add("movie", tr("Movie"), bottom, movie, tr("key frames keyframes animation timeline story video"));
  keys->setObjectName(QStringLiteral("movie"));
  actions_->keys->addActions(movie->actions());
  actions_->keys->addSeparator();
  actions_->keys->addAction(keys);
  actions_->include(movie->actions() + QList<QAction*>{keys});
  probe_tool_ = new ProbeTool(controller_, position, this);
  QAction* probes =
      panels_->add("probes", tr("Probes"), bottom, new ProbePanel(controller_, probe_tool_->action(), this),
                   tr("probe potential field contributions of residues electric field along bond Stark"));
  probes->setObjectName(QStringLiteral("probes"));
  viewport_->addAction(probe_tool_->action());
  actions_->measure->insertAction(actions_->add_labels, probe_tool_->action());
  actions_->compute->insertAction(actions_->cancel, probes);
  actions_->include({probe_tool_->action(), probes});
  auto* charges = new QMenu(tr("Char&ges"), actions_->compute);
  charges->setAccessibleName(tr("Charges"));
  charges->setToolTipsVisible(true);
  charges->addActions(molecules().charge_sets()->actions_for_menu());
  actions_->compute->insertMenu(actions_->cancel, charges);
  actions_->include(molecules().charge_sets()->actions_for_menu());
  auto* curves = new QMenu(tr("P&lot"), actions_->compute);
  curves->setAccessibleName(tr("Plot"));
  curves->setToolTipsVisible(true);
  curves->addActions(plots().plots());
  actions_->compute->insertMenu(actions_->cancel, curves);
  actions_->include(plots().plots());
  for (const QAction* action : plots().plots())
    connect(action, &QAction::triggered, this, [this] { panels_->raise("plots"); });
  actions_->select->addSeparator();
  actions_->select->addActions({sequence, actions_->pick_none});
  new PanelLetters(this);
}

RepresentationPanel& MainWindow::representations() {
  return panels_->get<RepresentationPanel>();
}

FieldPanel& MainWindow::field_panel() {
  return panels_->get<FieldPanel>();
}

OrbitalPanel& MainWindow::orbitals() {
  return panels_->get<OrbitalPanel>();
}

TrajectoryPanel& MainWindow::trajectory() {
  return panels_->get<TrajectoryPanel>();
}

MeasurePanel& MainWindow::measure() {
  return panels_->get<MeasurePanel>();
}

PlotsPanel& MainWindow::plots() {
  return panels_->get<PlotsPanel>();
}

MoleculePanel& MainWindow::molecules() {
  return panels_->get<MoleculePanel>();
}

LookPanel& MainWindow::look() {
  return panels_->get<LookPanel>();
}

ConsolePanel& MainWindow::console() {
  return panels_->get<ConsolePanel>();
}

SequencePanel& MainWindow::sequence() {
  return panels_->get<SequencePanel>();
}

TaskPanel& MainWindow::tasks() {
  return panels_->get<TaskPanel>();
}

void MainWindow::open_files(const QStringList& given) {
  auto& streams = panels_->get<StreamPanel>();
  streams.await({});
  QStringList paths;
  for (const QString& path : given) {
    if (is_stream_address(path.toStdString())) {
      streams.await(path);
    } else {
      paths += path;
    }
  }
  if (paths.isEmpty()) return streams.follow_awaited();
  loader_.set_dark(preferences_.background_follows_theme && dark_palette());
  // The viewport has no size yet while the welcome page is shown; both have the same place.
  loader_.open(paths, double(pages_->width()) / std::max(1, pages_->height()));
}

void MainWindow::save_session(const QString& path, bool with_data) {
  files_->begin_saving(path);
  loader_.save_session(path, with_data);
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

void MainWindow::offer_recovery() {
  recovery_bar_->offer(Recovery::find());
}

void MainWindow::run_command(const QString& command) {
  runner_->run(command);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!closing_ && preferences_.ask_unsaved && controller_.modified()) {
    event->ignore();
    files_->ask_unsaved([this] {
      closing_ = true;
      close();
    });
    return;
  }
  save_layout(*this);
  panels_->save();
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
  if (event->type() == QEvent::ChildPolished) {
    // The tabs of panels: in low windows some are scrolled to, rather than all cut to a letter.
    if (auto* bar = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) {
      bar->setElideMode(Qt::ElideNone);
      bar->setUsesScrollButtons(true);
    }
  }
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
