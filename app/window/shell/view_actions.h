// The actions of the View menu: where the camera is, saved views, tiles, and how the scene is drawn.
#pragma once

#include <QObject>
#include <QVariantAnimation>
#include <cstdint>

#include "app/scene/scene.h"
#include "app/window/live/view_history.h"

namespace isolume {

class LivePicture;
struct MainActions;
class MainWindow;
class SceneController;
class Viewport;

class ViewActions : public QObject {
  Q_OBJECT
 public:
  explicit ViewActions(MainWindow& window);

  /// Shows everything, or the selection.
  void fit(bool picked_only);
  /// True while it is computed where the camera has to be for that.
  bool fitting() const { return fits_ != fitted_; }
  /// Shows everything from the front.
  void reset();
  void centre_on_picked();
  /// Asks which molecule is superposed on which; `molecule` moves, -1 for a choice.
  void superpose(int molecule);
  /// Brings the actions in line with the scene.
  void show(const Scene& scene);

 private:
  void connect_camera();
  void connect_drawing();
  void connect_views();
  void connect_tiles();
  void show_views(const Scene& scene);
  void show_tiles(const Scene& scene);
  /// Keeps camera and frame as the view of that number (from 0), the next free one for -1.
  void save_view(int index);
  void show_view(int index);
  /// Stops the player and moves the camera there, and the frame at once.
  void fly(const Camera& camera, std::size_t frame);
  /// The scene that is seen: while other molecules are built, the one before.
  Scene shown_scene() const;
  /// A point of a molecule where the camera sees it: of Layout::tiles, moved to where the first tile's camera is.
  glm::dvec3 as_seen(std::uint32_t molecule, glm::dvec3 point) const;

  MainWindow& window_;
  SceneController& controller_;
  Viewport& viewport_;
  LivePicture& picture_;
  MainActions& actions_;
  ViewHistory trail_;
  QVariantAnimation flight_;             ///< of the camera to a saved view
  std::uint64_t fits_ = 0, fitted_ = 0;  ///< numbers of the newest fit, and of the last that was answered
};

}  // namespace isolume
