// The presets for tasks as actions: each is one step of the history.
#include "app/window/presets/preset_actions.h"

#include <utility>

#include "app/view/task_presets.h"
#include "app/window/widgets/async.h"

namespace isolume {

PresetActions::PresetActions(QMenu& menu, SceneController& controller, std::function<double()> aspect)
    : controller_(controller), aspect_(std::move(aspect)) {
  for (const TaskPreset& preset : task_presets()) {
    const QString name = QString::fromUtf8(preset.name), title = tr(preset.title);
    auto* action = new QAction(title, this);
    action->setObjectName(QStringLiteral("preset_%1").arg(QString(name).replace(QLatin1Char('-'), QLatin1Char('_'))));
    action->setToolTip(tr(preset.tip));
    action->setProperty("words", tr("preset task scene view"));
    connect(action, &QAction::triggered, this, [this, name, title] { apply(name, title); });
    menu.addAction(action);
    all_ += action;
  }
  const auto enable = [this] {
    for (QAction* action : all_) action->setEnabled(!controller_.scene().molecules.empty());
  };
  connect(&controller_, &SceneController::scene_changed, this, enable);
  enable();
}

void PresetActions::apply(const QString& name, const QString& title) {
  Q_EMIT progress(tr("Preset %1").arg(title), -1);
  run_async(
      this,
      [documents = &controller_.documents(), scene = controller_.scene(), preset = name.toStdString(),
       aspect = aspect_()] {
        Scene next = scene;
        apply_task_preset(next, *documents, preset, aspect);
        return std::pair(scene, next);
      },
      [this, name, title, number = ++asked_](const std::pair<Scene, Scene>& made) {
        if (number != asked_) return;
        Scene now = controller_.scene();
        now.camera = made.first.camera;
        now.frame = made.first.frame;
        now.playback = made.first.playback;
        if (now != made.first) return apply(name, title);  // it was changed meanwhile
        Q_EMIT progress({}, 0);
        const Scene& next = made.second;
        if (next.molecules != now.molecules) controller_.set_picked({});
        controller_.edit(tr("Preset %1").arg(title), [&](Scene& scene) {
          scene.molecules = next.molecules;
          scene.representations = next.representations;
          scene.fields = next.fields;
          scene.measurements = next.measurements;
          scene.probes = next.probes;
          scene.look = next.look;
        });
        controller_.touch([&](Scene& scene) { scene.camera = next.camera; });
      },
      [this](const QString& message) {
        Q_EMIT progress({}, 0);
        Q_EMIT failed(message);
      });
}

}  // namespace isolume
