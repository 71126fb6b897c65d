// Brings scene, computed fields and built views together in the viewport.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "app/window/live/live_fields.h"
#include "app/window/live/live_view.h"
#include "app/window/live/scene_controller.h"
#include "app/window/viewport/viewport.h"

namespace isolume {

/// On every change of the scene asks for a new view, and gives it to the viewport when it is built. When the frame
/// changes, it waits a moment for the fields of that frame, so that atoms and surfaces move together.
class LivePicture : public QObject {
  Q_OBJECT
 public:
  LivePicture(SceneController& controller, LiveFields& fields, LiveView& views, Viewport& viewport,
              QObject* parent = nullptr);

  /// True where the picture is the scene's, with all its fields.
  bool settled() const;
  /// The same, but fields may still be on a coarser grid than their own (LiveFields::coarsening).
  bool current() const;
  /// The newest view and its frames; null before the first.
  const std::shared_ptr<const BuiltView>& built() const { return built_; }
  /// The view of the picture that is on the screen, which may still be an older one; null before the first.
  const std::shared_ptr<const BuiltView>& drawn() const { return drawn_; }
  /// Position of an atom in the frame that is shown; false where it is not known.
  bool position(PickedAtom atom, glm::vec3& position) const;
  /// The same where it is drawn, in a smoothed motion too.
  bool drawn_position(PickedAtom atom, glm::vec3& position) const;
  /// Forgets everything that is shown.
  void drop();
  /// Asks for the view of the scene as it is.
  void refresh() { request(); }

 Q_SIGNALS:
  void shown();
  /// drawn() is another one.
  void drawn_changed();
  void failed(const QString& message);

 private:
  void scene_changed(const Scene& scene);
  void request();
  void take_drawn(const std::shared_ptr<const SceneView>& view);

  SceneController& controller_;
  LiveFields& fields_;
  LiveView& views_;
  Viewport& viewport_;
  std::shared_ptr<const BuiltView> built_, drawn_;
  std::vector<std::shared_ptr<const BuiltView>> coming_;  ///< given to the viewport, and not drawn yet
  std::optional<Camera> camera_;                          ///< of molecules that are not built yet: theirs when they are
  Scene asked_;                                           ///< of the newest request, without camera, look and playback
  bool wanted_ = false;                                   ///< a request waits for fields
  QTimer patience_;                                       ///< how long
};

}  // namespace isolume
