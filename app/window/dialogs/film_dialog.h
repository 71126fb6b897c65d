// The dialog that exports a film: which frames, how fast, how large; with a preview.
#pragma once

#include <QDialog>
#include <QTimer>

#include "app/view/camera_motion.h"
#include "app/window/live/scene_controller.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace isolume {

/// Which frames of the scene make a film.
struct FilmOptions {
  std::size_t first = 0, last = 0, step = 1;  ///< frames from 0, the last included
  double frames_per_second = 20;
  QSize size{1280, 720};                   ///< pixels, both even
  QString format = QStringLiteral("mp4");  ///< extension: mp4, webm, gif, apng
  CameraMotion motion;
  bool keys = false;       ///< by the key frames of the scene, which choose the frames,
  double key_seconds = 0;  ///< and last so long
  /// The frames of the scene, and the pictures of the film.
  std::vector<std::size_t> frames() const;
  std::vector<MoviePicture> pictures() const {
    return keys ? keyed_pictures(key_seconds, frames_per_second) : movie_pictures(frames(), motion, frames_per_second);
  }
};

/// Asks for the options of a film: frames of a trajectory or the key frames of the scene, a camera that turns or rocks.
/// The preview plays its pictures in the view as fast as the film will; those that take longer to compute are left out,
/// and the frame and the camera that were shown come back. What an earlier export of the same film has drawn before it
/// was stopped is used again.
class FilmDialog : public QDialog {
  Q_OBJECT
 public:
  /// @param size  proposed
  FilmDialog(SceneController& controller, QSize size, QWidget* parent = nullptr);

  FilmOptions options() const;
  QCheckBox* keys_box() const { return keys_; }
  QPushButton* preview_button() const { return preview_; }
  QPushButton* export_button() const { return export_; }
  QSpinBox* first_box() const { return first_; }
  QSpinBox* last_box() const { return last_; }
  QSpinBox* step_box() const { return step_; }
  QDoubleSpinBox* rate_box() const { return rate_; }
  QComboBox* format_box() const { return format_; }
  QComboBox* motion_box() const { return motion_; }
  QComboBox* direction_box() const { return direction_; }
  QDoubleSpinBox* angle_box() const { return angle_; }
  QDoubleSpinBox* seconds_box() const { return seconds_; }
  QLabel* summary() const { return summary_; }
  bool previewing() const { return timer_.isActive(); }

 Q_SIGNALS:
  void chosen(const isolume::FilmOptions& options);

 private:
  void show_summary();
  void show_shot(const MoviePicture& picture, const FilmOptions& film);
  void begin_preview();
  void end_preview();

  SceneController& controller_;
  QCheckBox* keys_;
  QSpinBox* first_;
  QSpinBox* last_;
  QSpinBox* step_;
  QDoubleSpinBox* rate_;
  QComboBox* format_;
  QComboBox* motion_;
  QComboBox* direction_;
  QDoubleSpinBox* angle_;
  QDoubleSpinBox* seconds_;
  QSpinBox* width_;
  QSpinBox* height_;
  QLabel* summary_;
  QPushButton* preview_;
  QPushButton* export_;
  QTimer timer_;
  std::size_t shown_ = 0;   ///< picture of the preview
  std::size_t before_ = 0;  ///< frame of the scene before it
  Camera camera_;           ///< and its camera,
  bool moves_ = false;      ///< which the preview has moved
  Scene keyed_;             ///< the scene before, where its key frames are shown
};

}  // namespace isolume
