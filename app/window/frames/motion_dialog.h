// The dialog that makes a molecule of a trajectory's frames: their mean, or one of their principal components.
#pragma once

#include <QDialog>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace isolume {

class SelectionEdit;

/// What `isolume compute mean-structure` and `isolume compute pca --trajectory` do, with a molecule that is open. It is
/// written to a file, which the scene then has, with the usual look of its atoms, as one step of the history. Computed
/// on a thread of the pool, with Cancel.
class MotionDialog : public QDialog {
  Q_OBJECT
 public:
  enum class Task { mean, component };
  /// `folder`: where the file is proposed to be.
  MotionDialog(SceneController& controller, Task task, QString folder, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  SelectionEdit* fit_edit() const { return fit_; }
  QSpinBox* first_box() const { return first_; }
  QSpinBox* last_box() const { return last_; }
  QSpinBox* step_box() const { return step_; }
  QSpinBox* component_box() const { return component_; }
  QDoubleSpinBox* amplitude_box() const { return amplitude_; }
  QSpinBox* frames_box() const { return frames_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QLabel* message() const { return work_->message(); }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The file was written and is in the scene; `plays`: it has frames.
  void made(const QString& path, bool plays);

 private:
  struct Asked;
  struct Made;
  void build();
  void show_scene(const Scene& scene);
  void propose_file();
  void start();
  static Made make(const Asked& asked, Documents& documents, Job& job);
  void take(const Asked& asked, const Made& made);

  SceneController& controller_;
  Task task_;
  QString folder_;
  std::shared_ptr<const Molecule> ranged_;  ///< whose frames the boxes have
  QGridLayout* form_;
  QComboBox* molecule_;
  SelectionEdit *atoms_, *fit_;
  QSpinBox *first_, *last_, *step_, *component_, *frames_;
  QDoubleSpinBox* amplitude_;
  QLineEdit* file_;
  DialogWork* work_;
};

}  // namespace isolume
