// The window: views that are kept to come back to.
#include <QMenu>

#include "app/models/labels.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/status_line.h"

namespace isolume {

void MainWindow::connect_views() {
  connect(actions_->save_view, &QAction::triggered, this, [this] { save_view(-1); });
  for (int i = 0; i < actions_->goto_views.size(); ++i) {
    connect(actions_->goto_views[i], &QAction::triggered, this, [this, i] { show_view(i); });
    connect(actions_->keep_views[i], &QAction::triggered, this, [this, i] { save_view(i); });
  }
  connect(actions_->remove_views, &QAction::triggered, this,
          [this] { controller_.edit(tr("Remove views"), [](Scene& scene) { scene.views.clear(); }); });
}

void MainWindow::save_view(int index) {
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
  status_->showMessage(tr("Saved view %1; press %2 to return")
                           .arg(index + 1)
                           .arg(index < actions_->goto_views.size() ? actions_->goto_views[index]->shortcut().toString()
                                                                    : tr("the View menu")),
                       4000);
}

void MainWindow::show_view(int index) {
  const auto& views = controller_.scene().views;
  if (index < 0 || index >= static_cast<int>(views.size())) return;
  const SavedView view = views[static_cast<std::size_t>(index)];
  player_->pause();
  flight_.stop();
  const Camera from = controller_.scene().camera;
  const std::size_t frames = controller_.frame_count();
  controller_.touch([&](Scene& scene) { scene.frame = std::min(view.frame, frames > 0 ? frames - 1 : 0); });
  flight_.setDuration(preferences_.reduced_motion ? 0 : 350);
  flight_.setStartValue(0.0);
  flight_.setEndValue(1.0);
  flight_.setEasingCurve(QEasingCurve::InOutCubic);
  disconnect(&flight_, &QVariantAnimation::valueChanged, this, nullptr);
  connect(&flight_, &QVariantAnimation::valueChanged, this, [this, from, to = view.camera](const QVariant& value) {
    const double t = value.toDouble();
    viewport_->fly_to(t >= 1 ? to : between(from, to, t));
  });
  flight_.start();
}

void MainWindow::show_views(const Scene& scene) {
  for (int i = 0; i < actions_->goto_views.size(); ++i) {
    const bool there = i < static_cast<int>(scene.views.size());
    actions_->goto_views[i]->setVisible(there);
    actions_->goto_views[i]->setEnabled(there);
    if (there) {
      QString name = to_qt(scene.views[static_cast<std::size_t>(i)].name);
      actions_->goto_views[i]->setText(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
    }
    actions_->keep_views[i]->setEnabled(!scene.molecules.empty());
  }
  actions_->save_view->setEnabled(!scene.molecules.empty());
  actions_->remove_views->setEnabled(!scene.views.empty());
}

}  // namespace isolume
