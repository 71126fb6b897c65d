// The panel that plays a trajectory.
#pragma once

#include <QWidget>

#include "app/window/live/player.h"
#include "app/window/live/scene_controller.h"

class QBoxLayout;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace isolume {

/// Frame slider with play, steps, speed, stride and loop; in two rows where the window is narrow.
class TrajectoryPanel : public QWidget {
  Q_OBJECT
 public:
  TrajectoryPanel(SceneController& controller, Player& player, QWidget* parent = nullptr);

  QSlider* slider() const { return slider_; }
  QToolButton* play_button() const { return play_; }
  /// Shown while a range of frames is played; a click plays all again.
  QToolButton* range_button() const { return range_; }
  /// Frames on each side that the picture averages.
  QSpinBox* smoothing_box() const { return smoothing_; }
  /// The time of the frame that is shown, ps.
  void show_time(bool has_time, double time);

  /// That of its two rows: one row may not widen the window.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();
  QToolButton* make(const QString& picture, const QString& tip);
  void show_scene(const Scene& scene);
  void show_label();
  void show_range(const Player& player);

  SceneController& controller_;
  QBoxLayout* parts_;
  QToolButton* first_;
  QToolButton* previous_;
  QToolButton* play_;
  QToolButton* next_;
  QToolButton* last_;
  QToolButton* range_;
  QSlider* slider_;
  QSpinBox* number_;
  QLabel* label_;
  QDoubleSpinBox* speed_;
  QSpinBox* stride_;
  QSpinBox* smoothing_;
  QComboBox* loop_;
  QString time_;
};

}  // namespace isolume
