// Undo and redo: the scenes before and after.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// Scenes in order with what made each. Changes of camera and frame alone do not make a step of their own.
class History {
 public:
  explicit History(Scene initial = {});

  const Scene& scene() const;
  /// Makes `scene` the present one. Where `what` equals the last step's and `merge`, it replaces that step (a slider
  /// drag).
  void apply(Scene scene, std::string what, bool merge = false);
  /// Changes camera, frame or playback without a step.
  void touch(const Scene& scene);

  /// Changes the scenes of all steps, without a step.
  void change_all(const std::function<void(Scene&)>& change);

  bool can_undo() const { return present_ > 0; }
  bool can_redo() const { return present_ + 1 < steps_.size(); }
  void undo();  ///< keeps the camera and frame as they are
  void redo();
  std::string undo_text() const;  ///< "Add surface"
  std::string redo_text() const;

 private:
  struct Step {
    Scene scene;
    std::string what;
  };
  std::vector<Step> steps_;
  std::size_t present_ = 0;
};

}  // namespace isolume
