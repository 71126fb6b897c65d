// The window: what it shows of the scene and of the work on it.
#include <QProcess>
#include <QStackedWidget>
#include <QTimer>
#include <memory>
#include <utility>

#include "app/models/labels.h"
#include "app/view/representation_colours.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/look_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/shell/task_panel.h"
#include "app/window/shell/welcome_page.h"
#include "app/window/viewport/legend_overlays.h"

namespace isolume {

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
  connect(&loader_, &FileLoader::opened, this, [this] {
    // What was opened was fitted into the room before the panel was there.
    if (std::exchange(refits_, false)) QTimer::singleShot(0, this, [this] { fit_view(false); });
  });
  connect(&loader_, &FileLoader::session_opened, this, [this](const QString& path) {
    session_path_ = path;
    refits_ = false;  // a session has its own view
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
  connect(&views_, &LiveView::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("view"), what, fraction); });
  molecules_->set_aspect([this] {
    const QSizeF room = viewport_->tile_rect(0).size();
    return room.width() / std::max(1.0, room.height());
  });
  connect(molecules_, &MoleculePanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("assembly"), what, fraction); });
  connect(&fields_, &LiveFields::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("field"), what, fraction); });
  connect(&fields_, &LiveFields::field_finished, this, [this](int field, const QString& summary) {
    field_panel_->show_summary(field, summary);
    messages_->dismiss(field_faults_.take(field));
    const double coarser = fields_.coarsening();
    status_->show_note(coarser > 1 ? tr("Grid %1 x coarser while moving").arg(coarser, 0, 'f', 1) : QString());
  });
  connect(&fields_, &LiveFields::results_changed, this, [this] {
    orbitals_->show_results(fields_.results());
    show_results();
  });
  connect(&fields_, &LiveFields::field_failed, this, [this, fault](int field, const QString& message) {
    field_panel_->show_summary(field, message);
    fault(message);
    field_faults_[field] = message;
  });
  connect(picture_.get(), &LivePicture::failed, this, fault);
  connect(picture_.get(), &LivePicture::drawn_changed, this, [this] {
    show_legends();
    if (picture_->drawn() == picture_->built()) show_task(QStringLiteral("drawing"), {}, 0);
  });
  // A large picture takes seconds by the processor.
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    QTimer::singleShot(1000, this, [this, built = std::weak_ptr<const BuiltView>(picture_->built())] {
      const auto waiting = built.lock();
      if (waiting && waiting == picture_->built() && waiting != picture_->drawn())
        show_task(QStringLiteral("drawing"), tr("Drawing the picture"), -1);
    });
  });
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    show_results();
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
    status_->showMessage(tr("Saved %1").arg(path), 6000);
    tasks_->log(TaskPanel::Kind::done, tr("Saved %1").arg(path));
  });
  connect(status_, &StatusLine::cancel, this, &MainWindow::cancel);
  connect(representations_, &RepresentationPanel::refused, this, fault);
  connect(molecules_, &MoleculePanel::failed, this, fault);
  connect(molecules_, &MoleculePanel::open_asked, this, &MainWindow::ask_files);
  connect(welcome_, &WelcomePage::open_asked, this, &MainWindow::ask_files);
  connect(welcome_, &WelcomePage::files_asked, this, &MainWindow::open_files);
}

void MainWindow::show_results() {
  const std::vector<FieldResult> results = fields_.results();
  field_panel_->show_results(results);
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
      0.3f * ground.r + 0.6f * ground.g + 0.1f * ground.b < 0.45f);
}

void MainWindow::show_scene(const Scene& scene) {
  show_results();
  show_views(scene);
  QWidget* page = scene.molecules.empty() ? static_cast<QWidget*>(welcome_) : viewport_;
  if (stack_->currentWidget() != page) {
    stack_->setCurrentWidget(page);
    page->setFocus();
  }
  show_trajectory_panel();
  // What failed is said as long as it is asked for.
  for (const int field : field_faults_.keys()) {
    const auto i = static_cast<std::size_t>(field);
    if (i >= scene.fields.size() || !scene.fields[i].visible) messages_->dismiss(field_faults_.take(field));
  }
  const bool any = !scene.molecules.empty();
  for (QAction* action : {actions_->fit, actions_->reset, actions_->add_representation, actions_->export_picture,
                          actions_->copy_picture, actions_->save_session, actions_->save_session_as,
                          actions_->close_all, actions_->orthographic, actions_->copy_command}) {
    action->setEnabled(any);
  }
  const bool atoms = molecule_for(controller_, Field::Kind::gaussian) >= 0;
  for (QAction* action :
       {actions_->add_surface, actions_->add_excluded, actions_->add_accessible, actions_->add_cavities})
    action->setEnabled(atoms);
  actions_->add_orbital->setEnabled(molecule_for(controller_, Field::Kind::orbital) >= 0);
  actions_->add_potential->setEnabled(any);  // without charges it says what to do
  actions_->add_volume->setEnabled(molecule_for(controller_, Field::Kind::volume) >= 0);
  actions_->centre->setEnabled(!controller_.picked().empty());
  actions_->fit_picked->setEnabled(!controller_.picked().empty());
  actions_->remove_measurements->setEnabled(!scene.measurements.empty());
  for (QAction* action : actions_->measures) action->setEnabled(any);
  if (!any) end_measuring();
  actions_->play->setEnabled(controller_.frame_count() > 1);
  actions_->export_film->setEnabled(controller_.frame_count() > 1);
  actions_->export_film->setToolTip(controller_.frame_count() > 1
                                        ? tr("Export the trajectory as a movie (MP4); Esc stops it")
                                        : tr("A movie needs a trajectory: open a file with several frames"));
  actions_->orthographic->setChecked(scene.camera.projection == Camera::Projection::orthographic);
  actions_->box->setChecked(scene.show_box);
  show_tiling(scene);
  actions_->axes->setChecked(scene.look.axes);
  const bool effects[] = {scene.look.ambient_occlusion, scene.look.outlines, scene.look.shadows,
                          scene.look.depth_cue > 0};
  for (int i = 0; i < 4; ++i) actions_->effects[i]->setChecked(effects[i]);
}

void MainWindow::cancel() {
  if (status_->has_task()) {
    fields_.cancel();
    views_.cancel();
    molecules_->cancel();
    plots_->cancel();
    if (loader_.busy()) loader_.cancel();
    if (export_.busy()) export_.cancel();
    if (program_) program_->terminate();
    player_->pause();
  } else if (measuring_ > 0) {
    end_measuring();
  } else {
    controller_.set_picked({});
  }
}

}  // namespace isolume
