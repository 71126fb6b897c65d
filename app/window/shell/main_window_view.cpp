// The window: the viewport, and how things look.
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/widgets/theme.h"

namespace isolume {

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
  connect(viewport_, &Viewport::camera_changed, this,
          [this](const Camera& camera) { controller_.touch([&](Scene& scene) { scene.camera = camera; }); });
  connect(viewport_, &Viewport::frame_rate, status_, &StatusLine::show_frame_rate);
  connect(viewport_, &Viewport::frame_step, player_.get(), &Player::step);
  connect(viewport_, &Viewport::play_toggled, player_.get(), &Player::toggle);
}

void MainWindow::connect_view_actions() {
  connect(actions_->fit, &QAction::triggered, this, [this] { fit_view(false); });
  connect(actions_->fit_picked, &QAction::triggered, this, [this] { fit_view(true); });
  connect(actions_->reset, &QAction::triggered, this, &MainWindow::reset_view);
  connect(actions_->centre, &QAction::triggered, this, &MainWindow::centre_on_picked);
  connect(actions_->orthographic, &QAction::triggered, viewport_, &Viewport::toggle_projection);
  for (int i = 0; i < actions_->sides.size(); ++i) {
    connect(actions_->sides[i], &QAction::triggered, viewport_, [this, i] { viewport_->look_from(i + 1); });
  }
  for (QAction* action : actions_->backgrounds) {
    connect(action, &QAction::triggered, this, [this, action] {
      const auto colours = action->data().value<QList<QColor>>();
      const auto value = [](const QColor& c) { return glm::vec3(c.redF(), c.greenF(), c.blueF()); };
      controller_.edit(tr("Change background"), [&](Scene& scene) {
        scene.look.background = value(colours[0]);
        scene.look.background_bottom = value(colours[1]);
      });
    });
  }
  for (int i = 0; i < actions_->effects.size(); ++i) {
    connect(actions_->effects[i], &QAction::triggered, this, [this, i](bool on) {
      controller_.edit(tr("Change effects"), [&](Scene& scene) {
        if (i == 0) scene.look.ambient_occlusion = on;
        if (i == 1) scene.look.outlines = on;
        if (i == 2) scene.look.shadows = on;
        if (i == 3) scene.look.depth_cue = on ? Look{}.depth_cue : 0;
      });
    });
  }
  connect(actions_->box, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show box") : tr("Hide box"), [on](Scene& scene) { scene.show_box = on; });
  });
  connect(actions_->axes, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show axes") : tr("Hide axes"), [on](Scene& scene) { scene.look.axes = on; });
  });
  const QString theme = name(theme_from_name(QSettings().value(QStringLiteral("theme")).toString()));
  for (QAction* action : actions_->themes) {
    action->setChecked(action->data().toString() == theme);
    connect(action, &QAction::triggered, this, [this, action] {
      Preferences next = preferences_;
      next.theme = action->data().toString();
      next.write();
      apply_preferences(next);
    });
  }
  const Drag drags[] = {Drag::none, Drag::pan, Drag::zoom};
  for (int i = 0; i < actions_->left_drags.size(); ++i) {
    connect(actions_->left_drags[i], &QAction::triggered, this,
            [this, drag = drags[i]] { viewport_->set_left_drag(drag); });
  }
  connect(actions_->full_screen, &QAction::triggered, this,
          [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
  connect(actions_->reset_layout, &QAction::triggered, this, &MainWindow::lay_out);
}

}  // namespace isolume
