// Where camera and frame were.
#include "app/window/live/view_history.h"

#include <utility>

namespace isolume {
namespace {

constexpr int rest = 500;  // ms without a change
constexpr std::size_t most = 200;

ViewHistory::View view_of(const Scene& scene) {
  return {scene.camera, scene.frame};
}

}  // namespace

ViewHistory::ViewHistory(SceneController& controller, std::function<bool()> moving, QObject* parent)
    : QObject(parent), controller_(controller), moving_(std::move(moving)), at_(view_of(controller.scene())) {
  rest_.setSingleShot(true);
  rest_.setInterval(rest);
  connect(&rest_, &QTimer::timeout, this, &ViewHistory::settle);
  connect(&controller_, &SceneController::scene_changed, this, &ViewHistory::look);
}

void ViewHistory::look(const Scene& scene, SceneParts change) {
  if (controller_.previewing()) return;
  if (change == SceneParts::all) {
    rest_.stop();
    back_.clear();
    forward_.clear();
    at_ = view_of(scene);
    anything_ = !scene.molecules.empty();
    Q_EMIT changed();
  } else if (!(view_of(scene) == at_)) {
    rest_.start();
  }
}

void ViewHistory::settle() {
  rest_.stop();
  const Scene& scene = controller_.scene();
  const View now = view_of(scene);
  if (controller_.previewing() || now == at_) return;
  if (moving_()) return rest_.start();
  if (anything_) {
    if (back_.size() == most) back_.erase(back_.begin());
    back_.push_back(at_);
    forward_.clear();
  }
  at_ = now;
  anything_ = !scene.molecules.empty();
  Q_EMIT changed();
}

std::optional<ViewHistory::View> ViewHistory::go(std::vector<View>& from, std::vector<View>& to) {
  if (from.empty()) return std::nullopt;
  to.push_back(std::exchange(at_, from.back()));
  from.pop_back();
  Q_EMIT changed();
  return at_;
}

std::optional<ViewHistory::View> ViewHistory::back() {
  settle();  // what is on its way counts as there
  return go(back_, forward_);
}

std::optional<ViewHistory::View> ViewHistory::forward() {
  settle();
  return go(forward_, back_);
}

}  // namespace isolume
