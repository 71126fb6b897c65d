// Undo and redo: a list of scenes and the place of the present one in it.
#include "app/scene/history.h"

#include <utility>

namespace isolume {
namespace {

constexpr std::size_t longest = 500;  // steps; the oldest are forgotten

// What moves without being a step of its own.
void copy_view(const Scene& from, Scene& to) {
  to.camera = from.camera;
  to.frame = from.frame;
  to.playback = from.playback;
}

}  // namespace

History::History(Scene initial) {
  steps_.push_back({std::move(initial), {}});
}

const Scene& History::scene() const {
  return steps_[present_].scene;
}

void History::apply(Scene scene, std::string what, bool merge) {
  Scene still = scene;
  copy_view(this->scene(), still);
  if (still == this->scene()) {
    touch(scene);
    return;
  }
  steps_.resize(present_ + 1);
  if (merge && present_ > 0 && steps_[present_].what == what) {
    steps_[present_].scene = std::move(scene);
    return;
  }
  steps_.push_back({std::move(scene), std::move(what)});
  if (steps_.size() > longest) steps_.erase(steps_.begin());
  present_ = steps_.size() - 1;
}

void History::touch(const Scene& scene) {
  copy_view(scene, steps_[present_].scene);
}

void History::change_all(const std::function<void(Scene&)>& change) {
  for (Step& step : steps_) change(step.scene);
}

void History::undo() {
  if (!can_undo()) return;
  const Scene& before = scene();
  copy_view(before, steps_[present_ - 1].scene);
  --present_;
}

void History::redo() {
  if (!can_redo()) return;
  const Scene& before = scene();
  copy_view(before, steps_[present_ + 1].scene);
  ++present_;
}

std::string History::undo_text() const {
  return can_undo() ? steps_[present_].what : std::string();
}

std::string History::redo_text() const {
  return can_redo() ? steps_[present_ + 1].what : std::string();
}

}  // namespace isolume
