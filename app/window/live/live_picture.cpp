// Brings scene, computed fields and built views together in the viewport.
#include "app/window/live/live_picture.h"

#include <algorithm>
#include <utility>

#include "app/models/labels.h"

namespace isolume {
namespace {

/// What decides the items of a view.
Scene content(Scene scene) {
  scene.camera = {};
  scene.look = {};
  scene.playback = {};
  scene.views.clear();
  return scene;
}

}  // namespace

LivePicture::LivePicture(SceneController& controller, LiveFields& fields, LiveView& views, Viewport& viewport,
                         QObject* parent)
    : QObject(parent), controller_(controller), fields_(fields), views_(views), viewport_(viewport) {
  patience_.setSingleShot(true);
  patience_.setInterval(200);
  connect(&patience_, &QTimer::timeout, this, &LivePicture::request);
  connect(&controller_, &SceneController::scene_changed, this, &LivePicture::scene_changed);
  connect(&controller_, &SceneController::picked_changed, this, &LivePicture::request);
  connect(&fields_, &LiveFields::results_changed, this, [this] {
    if (!wanted_ || fields_.current() || !patience_.isActive()) request();
  });
  connect(&views_, &LiveView::built, this, [this](const std::shared_ptr<const BuiltView>& built) {
    const bool arrived = camera_ && built->scene.molecules == controller_.scene().molecules;
    const std::optional<Camera> camera = arrived ? std::exchange(camera_, std::nullopt) : std::nullopt;
    if (!built->error.empty()) {
      if (camera) viewport_.set_camera(*camera);
      Q_EMIT failed(to_qt(built->error));
      return;
    }
    built_ = built;
    coming_.push_back(built);
    viewport_.set_view(std::shared_ptr<const SceneView>(built, &built->view), camera ? &*camera : nullptr,
                       !fields_.current());
    Q_EMIT shown();
  });
  connect(&viewport_, &Viewport::view_drawn, this, &LivePicture::take_drawn);
}

bool LivePicture::settled() const {
  return !wanted_ && !views_.busy() && fields_.settled();
}

bool LivePicture::current() const {
  return !wanted_ && !views_.busy() && fields_.current();
}

namespace {

bool find(const std::vector<std::shared_ptr<const Frame>>& frames, PickedAtom atom, glm::vec3& position) {
  if (atom.molecule >= frames.size() || !frames[atom.molecule]) return false;
  const Frame& frame = *frames[atom.molecule];
  if (atom.atom >= frame.positions.size()) return false;
  position = frame.positions[atom.atom];
  return true;
}

}  // namespace

bool LivePicture::position(PickedAtom atom, glm::vec3& position) const {
  return built_ && find(built_->frames, atom, position);
}

bool LivePicture::drawn_position(PickedAtom atom, glm::vec3& position) const {
  return built_ && find(built_->drawn, atom, position);
}

void LivePicture::take_drawn(const std::shared_ptr<const SceneView>& view) {
  const auto found = std::find_if(coming_.begin(), coming_.end(),
                                  [&](const std::shared_ptr<const BuiltView>& b) { return &b->view == view.get(); });
  if (found == coming_.end()) return;
  drawn_ = *found;
  coming_.erase(coming_.begin(), found + 1);
  Q_EMIT drawn_changed();
}

void LivePicture::drop() {
  wanted_ = false;
  patience_.stop();
  camera_.reset();
  built_.reset();
  drawn_.reset();
  coming_.clear();
  asked_ = {};
  viewport_.set_view(nullptr);
}

void LivePicture::scene_changed(const Scene& scene) {
  const Scene next = content(scene);
  // The old molecules are not seen by the camera that suits the new ones.
  if (built_ && next.molecules != asked_.molecules) camera_ = scene.camera;
  if (camera_ != scene.camera) {
    camera_.reset();
    viewport_.set_camera(scene.camera);
  }
  viewport_.set_look(scene.look);
  if (next == asked_) return;
  const bool only_frame = [&] {
    Scene other = next;
    other.frame = asked_.frame;
    return other == asked_;
  }();
  if (only_frame && !fields_.current()) {
    wanted_ = true;
    if (!patience_.isActive()) patience_.start();
    return;
  }
  request();
}

void LivePicture::request() {
  wanted_ = false;
  patience_.stop();
  asked_ = content(controller_.scene());
  views_.request(controller_.scene(), fields_.results(), controller_.picked());
}

}  // namespace isolume
