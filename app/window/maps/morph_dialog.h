// The dialog that makes frames between two conformations and plays them.
#pragma once

#include <QDialog>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace isolume {

class SelectionEdit;

/// What `isolume compute morph` does, between frames of molecules that are open. The frames are written to a file,
/// which the scene then has, with the usual look of its atoms, as one step of the history. Computed on a thread of the
/// pool, with Cancel.
class MorphDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the file is proposed to be.
  MorphDialog(SceneController& controller, QString folder, QWidget* parent = nullptr);

  QComboBox* from_box() const { return from_; }
  QComboBox* to_box() const { return to_; }
  QSpinBox* from_frame_box() const { return from_frame_; }
  QSpinBox* to_frame_box() const { return to_frame_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  QComboBox* path_box() const { return path_; }
  QSpinBox* frames_box() const { return frames_; }
  QCheckBox* hide_box() const { return hide_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLabel* message() const { return work_->message(); }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The frames were written and are in the scene.
  void made(const QString& path);

 private:
  struct Asked;
  struct Made;
  void build();
  void propose();
  void show_scene(const Scene& scene);
  void start();
  void take(const Asked& asked, const Made& made);

  SceneController& controller_;
  QString folder_;
  QGridLayout* form_;
  QComboBox *from_, *to_, *path_;
  QSpinBox *from_frame_, *to_frame_, *frames_;
  SelectionEdit* atoms_;
  QCheckBox* hide_;
  QLineEdit* file_;
  DialogWork* work_;
};

}  // namespace isolume
