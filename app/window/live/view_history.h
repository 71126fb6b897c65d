// Where camera and frame were: steps of their own, next to those of the scene.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// A step is a place at which camera and frame came to rest. Another scene begins without steps; previews are none.
class ViewHistory : public QObject {
  Q_OBJECT
 public:
  struct View {
    Camera camera;
    std::size_t frame = 0;
    bool operator==(const View&) const = default;
  };

  /// `moving`: whether frames follow each other by themselves, which is one step at its end.
  ViewHistory(SceneController& controller, std::function<bool()> moving, QObject* parent = nullptr);

  bool can_go_back() const { return !back_.empty(); }
  bool can_go_forward() const { return !forward_.empty(); }
  /// The view before, or after this one was left; nothing where there is none. Who asks shows it.
  std::optional<View> back();
  std::optional<View> forward();

 Q_SIGNALS:
  void changed();

 private:
  void look(const Scene& scene, SceneParts change);
  void settle();
  std::optional<View> go(std::vector<View>& from, std::vector<View>& to);

  SceneController& controller_;
  std::function<bool()> moving_;
  std::vector<View> back_, forward_;
  View at_;                ///< where it came to rest last
  bool anything_ = false;  ///< was there to be seen then
  QTimer rest_;
};

}  // namespace isolume
