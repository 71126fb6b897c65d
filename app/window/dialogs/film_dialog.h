// The dialog that exports a film: which frames, how fast, how large; with a preview.
#pragma once

#include <QDialog>
#include <QTimer>

#include "app/window/live/scene_controller.h"

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace isolume {

/// Which frames of the scene make a film.
struct FilmOptions {
  std::size_t first = 0, last = 0, step = 1;  ///< frames from 0, the last included
  double frames_per_second = 20;
  QSize size{1280, 720};  ///< pixels, both even
  /// Pictures of the film.
  std::size_t count() const { return last < first ? 0 : (last - first) / step + 1; }
};

/// Asks for the options of a film. The preview plays its frames in the picture as fast as the film will; frames that
/// take longer to compute are left out, and the frame that was shown comes back. What an earlier export of the same
/// film has drawn before it was stopped is used again.
class FilmDialog : public QDialog {
  Q_OBJECT
 public:
  /// @param size  proposed
  FilmDialog(SceneController& controller, QSize size, QWidget* parent = nullptr);

  FilmOptions options() const;
  QPushButton* preview_button() const { return preview_; }
  QPushButton* export_button() const { return export_; }
  QSpinBox* first_box() const { return first_; }
  QSpinBox* last_box() const { return last_; }
  QSpinBox* step_box() const { return step_; }
  QDoubleSpinBox* rate_box() const { return rate_; }
  QLabel* summary() const { return summary_; }
  bool previewing() const { return timer_.isActive(); }

 Q_SIGNALS:
  void chosen(const isolume::FilmOptions& options);

 private:
  void show_summary();
  void begin_preview();
  void end_preview();

  SceneController& controller_;
  QSpinBox* first_;
  QSpinBox* last_;
  QSpinBox* step_;
  QDoubleSpinBox* rate_;
  QSpinBox* width_;
  QSpinBox* height_;
  QLabel* summary_;
  QPushButton* preview_;
  QPushButton* export_;
  QTimer timer_;
  std::size_t shown_ = 0;   ///< picture of the preview
  std::size_t before_ = 0;  ///< frame of the scene before it
};

}  // namespace isolume
