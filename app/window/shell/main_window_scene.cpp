// The window: the display of the scene and of running work.
#include <QFileInfo>
#include <QStackedWidget>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/models/labels.h"
#include "app/view/representation_colours.h"
#include "app/window/help/welcome_page.h"
#include "app/window/movie/movie_panel.h"
#include "app/window/over_time/average_panel.h"
#include "app/window/over_time/contact_map_panel.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/over_time/probe_tool.h"
#include "app/window/over_time/stream_panel.h"
#include "app/window/over_time/timeline_panel.h"
#include "app/window/panels/clip_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/presets/preset_actions.h"
#include "app/window/quantum/states_panel.h"
#include "app/window/quantum/vibrations_panel.h"
#include "app/window/select/class_bar.h"
#include "app/window/select/named_selections.h"
#include "app/window/select/select_actions.h"
#include "app/window/sequence/sequence_panel.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/view_actions.h"
#include "app/window/structures/interaction_panel.h"
#include "app/window/structures/ramachandran_panel.h"
#include "app/window/viewport/legend_overlays.h"
#include "molecule/base/error.h"

namespace isolume {

void MainWindow::connect_workers() {
  connect(&controller_, &SceneController::scene_changed, this, &MainWindow::show_scene);
  connect(&controller_, &SceneController::history_changed, this, &MainWindow::show_history);
  const auto fault = [this](const QString& text) { say(text, true); };
  const auto note = [this](const QString& text) { say(text, false); };

  connect(&loader_, &FileLoader::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("reading"), what, fraction); });
  connect(&loader_, &FileLoader::failed, this, fault);
  connect(&loader_, &FileLoader::note, this, note);
  connect(&loader_, &FileLoader::opened, this, [this] {
    // What was opened was fitted into the room before the panel was there.
    if (std::exchange(refits_, false)) QTimer::singleShot(0, this, [this] { view_actions_->fit(false); });
  });
  connect(&loader_, &FileLoader::session_opened, this, [this] { refits_ = false; });  // it has its own view
  connect(&loader_, &FileLoader::opened, this, [this] {
    if (controller_.can_undo()) return;  // further files: the panel that is used stays in front
    // The first ones: the panel for what will be done with them, as far as the user has not closed it.
    const auto has = [this](Field::Kind kind) {
      const auto& fields = controller_.scene().fields;
      return std::any_of(fields.begin(), fields.end(), [kind](const Field& field) { return field.kind == kind; });
    };
    const auto in_front = [this](const char* name) { return !panels_->dock(name).visibleRegion().isEmpty(); };
    const bool empty = in_front("orbitals") || (in_front("fields") && controller_.scene().fields.empty());
    const char* name = has(Field::Kind::orbital)  ? "orbitals"
                       : has(Field::Kind::volume) ? "fields"
                       : empty                    ? "representations"
                                                  : nullptr;
    if (name != nullptr && !panels_->dock(name).isHidden()) panels_->raise(name);
  });
  connect(&views_, &LiveView::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("view"), what, fraction); });
  molecules().set_aspect([this] {
    const QSizeF room = viewport_->tile_rect(0).size();
    return room.width() / std::max(1.0, room.height());
  });
  connect(&molecules(), &MoleculePanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("assembly"), what, fraction); });
  connect(&export_, &PictureExport::progress, this,
          [this](const QString& what) { show_task(QStringLiteral("picture"), what, -1); });
  connect(&export_, &PictureExport::failed, this, fault);
  connect(&export_, &PictureExport::finished, this, [this](const QString& path) {
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  });
  connect(status_, &StatusLine::cancel, this, &MainWindow::cancel);
  connect(&representations(), &RepresentationPanel::refused, this, fault);
  connect(&molecules(), &MoleculePanel::failed, this, fault);
  connect(&molecules(), &MoleculePanel::atoms_asked, this,
          [this](int molecule, const std::vector<std::uint32_t>& atoms) {
            std::vector<PickedAtom> picked;
            for (const std::uint32_t atom : atoms) picked.push_back({static_cast<std::uint32_t>(molecule), atom});
            controller_.set_picked(std::move(picked));
            view_actions_->centre_on_picked();
          });
}

void MainWindow::connect_fields() {
  connect(&fields_, &LiveFields::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("field"), what, fraction); });
  connect(&fields_, &LiveFields::field_finished, this, [this](int field, const QString& summary) {
    field_panel().show_summary(field, summary);
    messages_->dismiss(field_faults_.take(field));
    const double coarser = fields_.coarsening();
    status_->show_note(coarser > 1 ? tr("Grid %1 x coarser while moving").arg(coarser, 0, 'f', 1) : QString());
  });
  connect(&fields_, &LiveFields::results_changed, this, [this] {
    orbitals().show_results(fields_.results());
    show_results();
  });
  connect(&fields_, &LiveFields::device_failed, this, &MainWindow::leave_device);
  connect(&fields_, &LiveFields::field_failed, this, [this](int field, const QString& message) {
    field_panel().show_summary(field, message);
    say(message, true);
    field_faults_[field] = message;
  });
}

void MainWindow::connect_picture() {
  connect(picture_.get(), &LivePicture::failed, this, [this](const QString& text) { say(text, true); });
  connect(picture_.get(), &LivePicture::drawn_changed, this, [this] {
    show_legends();
    if (picture_->drawn() == picture_->built()) show_task(QStringLiteral("drawing"), {}, 0);
  });
  // A large picture takes seconds by the processor.
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    QTimer::singleShot(1000, this, [this, built = std::weak_ptr<const BuiltView>(picture_->built())] {
      const auto waiting = built.lock();
      if (waiting && waiting == picture_->built() && waiting != picture_->drawn() && !viewport_->drawn())
        show_task(QStringLiteral("drawing"), tr("Drawing the picture"), -1);
    });
  });
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    show_results();
    measure().show_values();
    const auto& frames = picture_->built()->frames;
    for (const auto& frame : frames) {
      if (frame) return trajectory().show_time(frame->has_time, frame->time);
    }
    trajectory().show_time(false, 0);
  });
}

void MainWindow::connect_viewport() {
  connect(viewport_, &Viewport::context_ready, this, [this] {
    try {
      fields_.start(viewport_->create_shared_context());
    } catch (const Error&) {
      fields_.start(nullptr);  // surfaces then come as meshes through host memory
    }
    picture_->refresh();
  });
  connect(viewport_, &Viewport::context_going, this, [this] {
    fields_.stop();
    picture_->drop();
    views_.stop();
  });
  connect(viewport_, &Viewport::failed, this, [this](const QString& text) { say(text, true); });
  connect(viewport_, &Viewport::recovered, this, [this](const QString& text) { say(text, false); });
  connect(viewport_, &Viewport::camera_changed, this,
          [this](const Camera& camera) { controller_.touch([&](Scene& scene) { scene.camera = camera; }); });
  connect(viewport_, &Viewport::frame_rate, status_, &StatusLine::show_frame_rate);
  connect(viewport_, &Viewport::refining, status_, &StatusLine::show_refining);
  connect(viewport_, &Viewport::frame_step, player_.get(), &Player::step);
  connect(viewport_, &Viewport::play_toggled, player_.get(), &Player::toggle);
}

void MainWindow::connect_tasks() {
  connect(&tasks(), &TaskPanel::cancel, this, &MainWindow::cancel);
  connect(&fields_, &LiveFields::field_finished, this, [this](int, const QString& summary) {
    if (!player_->playing()) tasks().log(TaskPanel::Kind::done, summary);
  });
  connect(&loader_, &FileLoader::opened, this, [this](const QStringList& paths) {
    tasks().log(TaskPanel::Kind::done,
                paths.size() == 1 ? tr("Read %1").arg(paths.first()) : tr("Read %1 files").arg(paths.size()));
  });
  connect(&watch_, &FileWatch::reloaded, this, [this](const QStringList& paths) {
    picture_->refresh();
    status_->showMessage(tr("Reloaded: %1").arg(QFileInfo(paths.first()).fileName()), 4000);
  });
  auto& streams = panels_->get<StreamPanel>();
  connect(&streams.stream(), &StreamFollow::failed, this, [this](const QString& text) { say(text, true); });
  connect(&streams.stream(), &StreamFollow::told, this, [this](const QString& text) { say(text, false); });
  connect(&streams.stream(), &StreamFollow::written, this, [this](const QString& path) {
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  });
  connect(&streams, &StreamPanel::asked, this, [this] { panels_->raise("stream"); });
  connect(&loader_, &FileLoader::opened, &streams, &StreamPanel::follow_awaited);
  connect(&loader_, &FileLoader::session_opened, &streams, &StreamPanel::follow_awaited);
  connect(&loader_, &FileLoader::failed, &streams, [&streams] { streams.await({}); });
  connect(&watch_, &FileWatch::failed, this,
          [this](const QString& message) { tasks().log(TaskPanel::Kind::fault, tr("Not reloaded: %1").arg(message)); });
}

void MainWindow::connect_plots() {
  connect(&plots(), &PlotsPanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("plot"), what, fraction); });
  connect(&plots(), &PlotsPanel::failed, this, [this](const QString& message) { say(message, true); });
  connect(&plots(), &PlotsPanel::written, this, [this](const QString& path) {
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  });
  // The player has the range of frames; plots and the trajectory panel show it.
  connect(&plots(), &PlotsPanel::range_chosen, player_.get(),
          [this](std::size_t first, std::size_t last) { player_->set_range(std::pair(first, last)); });
  connect(&plots(), &PlotsPanel::range_cleared, player_.get(), [this] { player_->set_range(std::nullopt); });
  connect(player_.get(), &Player::range_changed, &plots(), [this] { plots().set_range(player_->range()); });
  connect(&measure(), &MeasurePanel::plot_asked, this, [this](const QList<int>& measurements) {
    panels_->raise("plots");
    plots().add(measurements);
  });
}

void MainWindow::connect_selecting() {
  const auto tell = [this](const QString& text) { status_->showMessage(text, 4000); };
  connect(select_.get(), &SelectActions::failed, this, [this](const QString& text) { say(text, true); });
  connect(select_.get(), &SelectActions::told, this, tell);
  connect(presets_.get(), &PresetActions::failed, this, [this](const QString& text) { say(text, true); });
  connect(presets_.get(), &PresetActions::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("preset"), what, fraction); });
  connect(&sequence(), &SequencePanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&sequence(), &SequencePanel::told, this, tell);
  auto& named = panels_->get<NamedSelections>();
  connect(&named, &NamedSelections::failed, this, [this](const QString& text) { say(text, true); });
  connect(&named, &NamedSelections::told, this, tell);
  auto& interactions = panels_->get<InteractionPanel>();
  connect(&interactions, &InteractionPanel::centre_asked, this, [this] { view_actions_->centre_on_picked(); });
  auto& clip = panels_->get<ClipPanel>();
  connect(&clip, &ClipPanel::refused, this, [this](const QString& text) { say(text, true); });
  connect(&clip, &ClipPanel::added, this, [this] { panels_->raise("clip_planes"); });
  auto& movie = panels_->get<MoviePanel>();
  connect(&movie, &MoviePanel::added, this, [this] { panels_->raise("movie"); });
  connect(&movie, &MoviePanel::plays, player_.get(), &Player::pause);
  connect(&movie, &MoviePanel::export_asked, programs_.get(), &ProgramRunner::ask_film);
  connect(&interactions, &InteractionPanel::added, this, [this] { panels_->raise("interactions"); });
  auto& dihedrals = panels_->get<RamachandranPanel>();
  auto& vibrations = panels_->get<VibrationsPanel>();
  auto& states = panels_->get<StatesPanel>();
  const auto wrote = [this](const QString& path) {
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks().log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  };
  connect(&vibrations, &VibrationsPanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&vibrations, &VibrationsPanel::written, this, wrote);
  connect(&states, &StatesPanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&states, &StatesPanel::written, this, wrote);
  connect(&states, &StatesPanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("states"), what, fraction); });
  connect(&orbitals(), &OrbitalPanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&orbitals(), &OrbitalPanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("orbitals"), what, fraction); });
  auto& contacts = panels_->get<ContactMapPanel>();
  connect(&contacts, &ContactMapPanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&contacts, &ContactMapPanel::written, this, wrote);
  connect(&contacts, &ContactMapPanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("contacts"), what, fraction); });
  auto& averages = panels_->get<AveragePanel>();
  connect(&averages, &AveragePanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&averages, &AveragePanel::told, this, [this](const QString& text) { say(text, false); });
  auto& timeline = panels_->get<TimelinePanel>();
  connect(&timeline, &TimelinePanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&timeline, &TimelinePanel::written, this, wrote);
  connect(&timeline, &TimelinePanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("timeline"), what, fraction); });
  connect(&timeline, &TimelinePanel::centre_asked, this, [this] { view_actions_->centre_on_picked(); });
  auto& probes = panels_->get<ProbePanel>();
  connect(&probes, &ProbePanel::failed, this, [this](const QString& text) { say(text, true); });
  connect(&probes, &ProbePanel::written, this, wrote);
  connect(&probes, &ProbePanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("probes"), what, fraction); });
  connect(&probes, &ProbePanel::centre_asked, this, [this] { view_actions_->centre_on_picked(); });
  connect(probe_tool_, &ProbeTool::began, this, [this] { picking_->end_measuring(); });
  connect(probe_tool_, &ProbeTool::hint_changed, viewport_, &Viewport::set_hint);
  connect(probe_tool_, &ProbeTool::added, this, [this, &probes](int probe) {
    panels_->raise("probes");
    probes.choose(probe);
  });
  connect(picture_.get(), &LivePicture::shown, this, [this, &interactions, &dihedrals, &contacts] {
    classes_->show_picture(picture_->built());
    sequence().show_picture(picture_->built());
    interactions.show_picture(picture_->built());
    dihedrals.show_picture(picture_->built());
    contacts.show_picture(picture_->built());
  });
}

void MainWindow::show_task(const QString& key, const QString& what, double fraction) {
  status_->show_task(key, what, fraction);
  const bool begins = !what.isEmpty() && tasks().running() == 0;
  tasks().show_task(key, what, fraction);
  // What takes long is what a program may die of.
  if (begins) recovery_.save();
}

void MainWindow::say(const QString& text, bool fault) {
  messages_->show_message(fault ? MessageBar::Kind::fault : MessageBar::Kind::note, text);
  tasks().log(fault ? TaskPanel::Kind::fault : TaskPanel::Kind::note, text);
}

void MainWindow::show_results() {
  const std::vector<FieldResult> results = fields_.results();
  field_panel().show_results(results);
  QStringList notes;
  for (const FieldResult& result : results)
    if (!result.note.empty() && result.error.empty()) notes += tr("Not enough memory: %1").arg(to_qt(result.note));
  for (const QString& note : notes)
    if (!told_.contains(note)) say(note, false);
  told_ = notes;
  show_legends();
}

void MainWindow::show_legends() {
  // Of the picture that is seen, not of the one that is asked for.
  const auto& drawn = picture_->drawn();
  const glm::vec3 ground = controller_.scene().look.background_bottom;
  legends_->set_legends(
      drawn ? legends_by_tile(drawn->scene, drawn->results, drawn->view) : std::vector<std::vector<FieldLegend>>(1),
      0.3f * ground.r + 0.6f * ground.g + 0.1f * ground.b < 0.45f,
      static_cast<double>(controller_.scene().look.text_points));
}

void MainWindow::show_scene(const Scene& scene) {
  show_results();
  QWidget* page = scene.molecules.empty() ? static_cast<QWidget*>(welcome_) : viewport_;
  if (pages_->currentWidget() != page) {
    pages_->setCurrentWidget(page);
    page->setFocus();
  }
  if (panels_->show_frames(controller_.frame_count() > 1)) refits_ = !panels_->dock("trajectory").isHidden();
  // What failed is said as long as it is asked for.
  for (const int field : field_faults_.keys()) {
    const auto i = static_cast<std::size_t>(field);
    if (i >= scene.fields.size() || !scene.fields[i].visible) messages_->dismiss(field_faults_.take(field));
  }
  show_possible(scene);
  view_actions_->show(scene);
}

void MainWindow::show_possible(const Scene& scene) {
  const bool any = !scene.molecules.empty();
  for (QAction* action :
       {actions_->fit, actions_->reset, actions_->add_representation, actions_->export_picture, actions_->save_picture,
        actions_->export_data, actions_->copy_picture, actions_->save_session, actions_->save_session_as,
        actions_->save_packed, actions_->close_all, actions_->orthographic, actions_->copy_command}) {
    action->setEnabled(any);
  }
  const bool atoms = molecule_for(controller_, Field::Kind::gaussian) >= 0;
  for (QAction* action : {actions_->add_surface, actions_->add_excluded, actions_->add_accessible, actions_->add_bare,
                          actions_->add_cavities, actions_->add_contacts})
    action->setEnabled(atoms);
  const bool orbitals = molecule_for(controller_, Field::Kind::orbital) >= 0;
  for (QAction* action : {actions_->add_orbital, actions_->add_density, actions_->add_spin_density})
    action->setEnabled(orbitals);
  actions_->add_potential->setEnabled(any);  // without charges it says what to do
  actions_->add_volume->setEnabled(molecule_for(controller_, Field::Kind::volume) >= 0);
  actions_->centre->setEnabled(!controller_.picked().empty());
  actions_->fit_picked->setEnabled(!controller_.picked().empty());
  actions_->remove_measurements->setEnabled(!scene.measurements.empty());
  for (QAction* action : actions_->measures) action->setEnabled(any);
  actions_->add_labels->setEnabled(any);
  probe_tool_->action()->setEnabled(any);
  if (!any) picking_->end_measuring();
  if (!any) probe_tool_->end();
  actions_->play->setEnabled(controller_.frame_count() > 1);
  actions_->export_film->setEnabled(any);
  actions_->save_film->setEnabled(any);
  actions_->export_film->setToolTip(
      controller_.frame_count() > 1 ? tr("Export the trajectory, a turntable or a rock as a movie (MP4); Esc stops it")
                                    : tr("Export a turntable or a rock as a movie (MP4); Esc stops it"));
}

void MainWindow::cancel() {
  if (panels_->get<MoviePanel>().playing()) {
    panels_->get<MoviePanel>().stop();
  } else if (status_->has_task()) {
    fields_.cancel();
    views_.cancel();
    if (picture_->drawn() != picture_->built() && !viewport_->drawn()) {
      viewport_->cancel();
      show_task(QStringLiteral("drawing"), {}, 0);
      status_->showMessage(tr("Drawing was cancelled; the picture is the previous one"), 6000);
    }
    molecules().cancel();
    plots().cancel();
    panels_->get<StatesPanel>().cancel();
    orbitals().cancel();
    panels_->get<ContactMapPanel>().cancel();
    panels_->get<TimelinePanel>().cancel();
    panels_->get<AveragePanel>().stop();
    panels_->get<ProbePanel>().cancel();
    if (loader_.busy()) loader_.cancel();
    if (export_.busy()) export_.cancel();
    files_->data().cancel();
    programs_->stop();
    player_->pause();
  } else if (picking_->measuring()) {
    picking_->end_measuring();
  } else if (probe_tool_->active()) {
    probe_tool_->end();
  } else {
    controller_.set_picked({});
  }
}

}  // namespace isolume
