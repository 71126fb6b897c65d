// The dialog that makes a map of others and adds it to the scene.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/maps/map_box.h"
#include "app/window/widgets/dialog_work.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace isolume {

/// What `isolume compute map` and `density-map` do, of maps and models that are open: the result is written to a file,
/// which the scene then has, as one step of the history. Computed on a thread of the pool, with Cancel.
class CalculateMapDialog : public QDialog {
  Q_OBJECT
 public:
  /// In the order of the box.
  enum class Task {
    difference,
    sum,
    model_difference,
    local_correlation,
    model_correlation,
    same_grid,
    step,
    near,
    dust,
    sigma,
    model
  };
  /// `folder`: where the file is proposed to be.
  CalculateMapDialog(SceneController& controller, QString folder, QWidget* parent = nullptr);

  /// Proposes a task with a map and, where it has one, a model and a resolution.
  void propose(Task task, const MapPlace& map, int molecule, double resolution);
  /// Proposes the difference of the first two of the maps that are shown; of one, that with the model.
  void propose_difference(const std::vector<MapPlace>& shown);
  QComboBox* task_box() const { return task_; }
  QComboBox* map_box() const { return map_; }
  QComboBox* other_box() const { return other_; }
  QComboBox* model_box() const { return model_; }
  QDoubleSpinBox* number_box() const { return number_; }
  QCheckBox* scaled_box() const { return scaled_; }
  QCheckBox* resample_box() const { return resample_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QLabel* message() const { return work_->message(); }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The map was written and is in the scene.
  void made(const QString& path);

 private:
  struct Asked;
  struct Made;
  void build();
  void show_scene(const Scene& scene);
  void show_task();
  void show_possible();
  void start();
  static Made make(const Asked& asked, Documents& documents, Job& job);
  void take(const Asked& asked, const Made& made);
  Task task() const;
  /// Chooses the first molecule with atoms; false where there is none.
  bool choose_model();

  SceneController& controller_;
  QString folder_;
  QGridLayout* form_;
  QComboBox *task_, *map_, *other_, *model_;
  QDoubleSpinBox *number_, *resolution_;
  QCheckBox *scaled_, *resample_;
  QLineEdit* file_;
  DialogWork* work_;
};

}  // namespace isolume
