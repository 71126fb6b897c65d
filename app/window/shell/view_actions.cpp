// The actions of the View menu: where the camera is, saved views, tiles, and how the scene is drawn.
#include "app/window/shell/view_actions.h"

#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/view/scene_extent.h"
#include "app/view/tiling.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/status_line.h"
#include "app/window/widgets/async.h"
#include "render/tiles.h"

namespace isolume {

ViewActions::ViewActions(MainWindow& window)
    : window_(window),
      controller_(window.controller()),
      viewport_(window.viewport()),
      picture_(window.picture()),
      actions_(window.commands()),
      trail_(window.controller(), [&window] { return window.player().playing(); }) {
  connect_camera();
  connect_drawing();
  connect_views();
  connect_tiles();
}

void ViewActions::connect_camera() {
  connect(actions_.fit, &QAction::triggered, this, [this] { fit(false); });
  // What the user moves meanwhile stays where it was moved to.
  connect(&viewport_, &Viewport::navigated, this, [this] { fitted_ = ++fits_; });
  connect(actions_.fit_picked, &QAction::triggered, this, [this] { fit(true); });
  connect(actions_.reset, &QAction::triggered, this, &ViewActions::reset);
  connect(actions_.centre, &QAction::triggered, this, &ViewActions::centre_on_picked);
  connect(actions_.orthographic, &QAction::triggered, &viewport_, &Viewport::toggle_projection);
  for (int i = 0; i < actions_.sides.size(); ++i) {
    connect(actions_.sides[i], &QAction::triggered, &viewport_, [this, i] { viewport_.look_from(i + 1); });
  }
  const Drag drags[] = {Drag::none, Drag::pan, Drag::zoom};
  for (int i = 0; i < actions_.left_drags.size(); ++i) {
    connect(actions_.left_drags[i], &QAction::triggered, this,
            [this, drag = drags[i]] { viewport_.set_left_drag(drag); });
  }
}

void ViewActions::connect_drawing() {
  for (QAction* action : actions_.backgrounds) {
    connect(action, &QAction::triggered, this, [this, action] {
      const auto colours = action->data().value<QList<QColor>>();
      const auto value = [](const QColor& c) { return glm::vec3(c.redF(), c.greenF(), c.blueF()); };
      controller_.edit(tr("Change background"), [&](Scene& scene) {
        scene.look.background = value(colours[0]);
        scene.look.background_bottom = value(colours[1]);
      });
    });
  }
  for (int i = 0; i < actions_.effects.size(); ++i) {
    connect(actions_.effects[i], &QAction::triggered, this, [this, i](bool on) {
      controller_.edit(tr("Change effects"), [&](Scene& scene) {
        if (i == 0) scene.look.ambient_occlusion = on;
        if (i == 1) scene.look.outlines = on;
        if (i == 2) scene.look.shadows = on;
        if (i == 3) scene.look.depth_cue = on ? Look{}.depth_cue : 0;
      });
    });
  }
  connect(actions_.box, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show box") : tr("Hide box"), [on](Scene& scene) { scene.show_box = on; });
  });
  connect(actions_.axes, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show axes") : tr("Hide axes"), [on](Scene& scene) { scene.look.axes = on; });
  });
  connect(actions_.scale_bar, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show scale bar") : tr("Hide scale bar"),
                     [on](Scene& scene) { scene.look.scale_bar = on ? ScaleBar::angstrom : ScaleBar::none; });
  });
}

void ViewActions::connect_views() {
  connect(actions_.save_view, &QAction::triggered, this, [this] { save_view(-1); });
  for (int i = 0; i < actions_.goto_views.size(); ++i) {
    connect(actions_.goto_views[i], &QAction::triggered, this, [this, i] { show_view(i); });
    connect(actions_.keep_views[i], &QAction::triggered, this, [this, i] { save_view(i); });
  }
  connect(actions_.previous_view, &QAction::triggered, this, [this] {
    if (const auto view = trail_.back()) fly(view->camera, view->frame);
  });
  connect(actions_.next_view, &QAction::triggered, this, [this] {
    if (const auto view = trail_.forward()) fly(view->camera, view->frame);
  });
  const auto enable = [this] {
    actions_.previous_view->setEnabled(trail_.can_go_back());
    actions_.next_view->setEnabled(trail_.can_go_forward());
  };
  connect(&trail_, &ViewHistory::changed, this, enable);
  enable();
  connect(actions_.remove_views, &QAction::triggered, this,
          [this] { controller_.edit(tr("Remove views"), [](Scene& scene) { scene.views.clear(); }); });
}

void ViewActions::connect_tiles() {
  connect(actions_.tiles, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show in tiles") : tr("Show together"),
                     [on](Scene& scene) { scene.layout = on ? Layout::tiles : Layout::together; });
    fit(false);
  });
  for (QAction* action : actions_.columns) {
    connect(action, &QAction::triggered, this, [this, columns = action->data().toUInt()] {
      controller_.edit(tr("Change columns of tiles"), [columns](Scene& scene) { scene.tile_columns = columns; });
      fit(false);
    });
  }
  for (int i = 0; i < actions_.visions.size(); ++i) {
    connect(actions_.visions[i], &QAction::triggered, this, [this, i] {
      viewport_.set_vision(static_cast<ColourVision>(i));
      window_.show_results();
      if (i > 0)
        window_.status().showMessage(tr("A preview: %1").arg(actions_.visions[i]->text().remove(QLatin1Char('&'))));
      if (i == 0) window_.status().clearMessage();
    });
  }
  connect(actions_.superpose, &QAction::triggered, this, [this] { superpose(-1); });
  connect(&window_.molecules(), &MoleculePanel::superpose_asked, this, &ViewActions::superpose);
  connect(&picture_, &LivePicture::shown, &controller_, &SceneController::look_for_missing);
  connect(&picture_, &LivePicture::failed, &controller_, &SceneController::look_for_missing);
}

void ViewActions::fit(bool picked_only) {
  if (controller_.scene().molecules.empty()) return;
  flight_.stop();
  if (picked_only) {
    fitted_ = ++fits_;
    glm::dvec3 lower(1e300), upper(-1e300);
    for (const PickedAtom& atom : controller_.picked()) {
      glm::vec3 position;
      if (!picture_.drawn_position(atom, position)) continue;
      const glm::dvec3 point = as_seen(atom.molecule, position);
      lower = glm::min(lower, point);
      upper = glm::max(upper, point);
    }
    if (lower.x <= upper.x)
      viewport_.fit(0.5 * (lower + upper), 0.5 * glm::length(upper - lower) + 4, viewport_.tile_rect(0).size());
    return;
  }
  struct Fit {
    Extent extent;
    int tiles;
  };
  const std::uint64_t number = ++fits_;
  run_async(
      this,
      [scene = shown_scene(), documents = &controller_.documents()] {
        return Fit{scene_extent(scene, *documents), static_cast<int>(tiles_of(scene, *documents).size())};
      },
      [this, number, columns = static_cast<int>(controller_.scene().tile_columns)](const Fit& fit) {
        if (number != fits_) return;  // another view was asked for since
        fitted_ = number;
        // In the tiles of this scene: the view that is shown may still be that of another.
        const QSizeF all = viewport_.size();
        const double ratio = viewport_.devicePixelRatioF();
        const TileGrid grid =
            TileGrid::of(fit.tiles, columns, qRound(all.width() * ratio), qRound(all.height() * ratio), ratio);
        viewport_.fit(fit.extent.balls, QSizeF(grid.width, grid.height));
      },
      [this, number](const QString& message) {
        if (number == fits_) fitted_ = number;
        window_.say(message, true);
      });
}

void ViewActions::reset() {
  viewport_.reset();
  fit(false);
}

void ViewActions::centre_on_picked() {
  if (controller_.picked().empty()) return;
  fitted_ = ++fits_;
  glm::vec3 position;
  const PickedAtom atom = controller_.picked().back();
  if (picture_.drawn_position(atom, position)) viewport_.centre_on(as_seen(atom.molecule, position));
}

glm::dvec3 ViewActions::as_seen(std::uint32_t molecule, glm::dvec3 point) const {
  if (!viewport_.view()) return point;
  for (const SceneView& tile : viewport_.view()->tiles)
    if (tile.object == molecule + 1) return point - tile.camera_shift;
  return point;
}

Scene ViewActions::shown_scene() const {
  // While other molecules are built, those that are still seen.
  const auto& built = picture_.built();
  return built && built->scene.molecules != controller_.scene().molecules ? built->scene : controller_.scene();
}

void ViewActions::superpose(int molecule) {
  auto* dialog = new SuperposeDialog(controller_, molecule, &window_);
  connect(dialog, &SuperposeDialog::superposed, this, [this] { fit(false); });
  connect(dialog, &SuperposeDialog::frames_superposed, this,
          [this](const QString& message) { window_.say(message, false); });
  dialog->show();
}

void ViewActions::show(const Scene& scene) {
  show_views(scene);
  show_tiles(scene);
  actions_.orthographic->setChecked(scene.camera.projection == Camera::Projection::orthographic);
  actions_.box->setChecked(scene.show_box);
  actions_.axes->setChecked(scene.look.axes);
  actions_.scale_bar->setChecked(scene.look.scale_bar != ScaleBar::none);
  const bool effects[] = {scene.look.ambient_occlusion, scene.look.outlines, scene.look.shadows,
                          scene.look.depth_cue > 0};
  for (int i = 0; i < 4; ++i) actions_.effects[i]->setChecked(effects[i]);
}

void ViewActions::save_view(int index) {
  const Scene& now = controller_.scene();
  if (now.molecules.empty()) return;
  const int count = static_cast<int>(now.views.size());
  if (index < 0) index = count;
  if (index > count) index = count;  // the next free one
  SavedView view{tr("View %1").arg(index + 1).toStdString(), now.camera, now.frame};
  controller_.edit(tr("Save view %1").arg(index + 1), [&](Scene& scene) {
    if (index < static_cast<int>(scene.views.size())) {
      view.name = scene.views[static_cast<std::size_t>(index)].name;
      scene.views[static_cast<std::size_t>(index)] = view;
    } else {
      scene.views.push_back(view);
    }
  });
  window_.status().showMessage(
      tr("Saved view %1; press %2 to return")
          .arg(index + 1)
          .arg(index < actions_.goto_views.size() ? actions_.goto_views[index]->shortcut().toString()
                                                  : tr("the View menu")),
      4000);
}

void ViewActions::show_view(int index) {
  const auto& views = controller_.scene().views;
  if (index < 0 || index >= static_cast<int>(views.size())) return;
  const SavedView view = views[static_cast<std::size_t>(index)];
  fly(view.camera, view.frame);
}

void ViewActions::fly(const Camera& camera, std::size_t frame) {
  window_.player().pause();
  flight_.stop();
  fitted_ = ++fits_;
  const Camera from = controller_.scene().camera;
  const std::size_t frames = controller_.frame_count();
  controller_.touch([&](Scene& scene) { scene.frame = std::min(frame, frames > 0 ? frames - 1 : 0); });
  flight_.setDuration(window_.preferences().reduced_motion ? 0 : 350);
  flight_.setStartValue(0.0);
  flight_.setEndValue(1.0);
  flight_.setEasingCurve(QEasingCurve::InOutCubic);
  disconnect(&flight_, &QVariantAnimation::valueChanged, this, nullptr);
  connect(&flight_, &QVariantAnimation::valueChanged, this, [this, from, to = camera](const QVariant& value) {
    const double t = value.toDouble();
    viewport_.fly_to(t >= 1 ? to : between(from, to, t));
  });
  flight_.start();
}

void ViewActions::show_views(const Scene& scene) {
  for (int i = 0; i < actions_.goto_views.size(); ++i) {
    const bool there = i < static_cast<int>(scene.views.size());
    actions_.goto_views[i]->setVisible(there);
    actions_.goto_views[i]->setEnabled(there);
    if (there) {
      QString name = to_qt(scene.views[static_cast<std::size_t>(i)].name);
      actions_.goto_views[i]->setText(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
    }
    actions_.keep_views[i]->setEnabled(!scene.molecules.empty());
  }
  actions_.save_view->setEnabled(!scene.molecules.empty());
  actions_.remove_views->setEnabled(!scene.views.empty());
}

void ViewActions::show_tiles(const Scene& scene) {
  actions_.tiles->setChecked(scene.layout == Layout::tiles);
  actions_.tiles->setEnabled(scene.molecules.size() > 1 || scene.layout == Layout::tiles);
  for (QAction* action : actions_.columns) {
    action->setEnabled(scene.layout == Layout::tiles);
    action->setChecked(action->data().toUInt() == scene.tile_columns);
  }
  bool positions = false;
  for (std::size_t i = 0; i < scene.molecules.size(); ++i) {
    const auto molecule = controller_.molecule(i);
    positions = positions || (molecule && molecule->topology && molecule->frame_count() > 0);
  }
  actions_.superpose->setEnabled(positions);
}

}  // namespace isolume
