// The dialog that makes volume maps over the frames of a molecule.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"
#include "compute/over_time/map_peaks.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace isolume {

class SelectionEdit;

/// What `isolume compute volmap` does, of a molecule of the scene: the mean over its frames is written to a file, which
/// the scene then has with an isosurface, as one step of the history; where it is asked for, its standard error and the
/// mean faded where it is within that are written next to it, and the surface is pale there. Sites are listed. Computed
/// on a thread of the pool, with Cancel.
class VolumeMapDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the file is proposed to be.
  VolumeMapDialog(SceneController& controller, QString folder, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* kind_box() const { return kind_; }
  QComboBox* unit_box() const { return unit_; }
  QComboBox* values_box() const { return values_; }
  QCheckBox* error_box() const { return error_; }
  SelectionEdit* atoms() const { return atoms_; }
  SelectionEdit* align() const { return align_; }
  SelectionEdit* around() const { return around_; }
  QDoubleSpinBox* spacing_box() const { return spacing_; }
  QDoubleSpinBox* radius_box() const { return radius_; }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QLabel* message() const { return work_->message(); }
  QTreeWidget* sites() const { return sites_; }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The map was written and is in the scene.
  void made(const QString& path);
  /// A site was chosen; angstrom.
  void place_asked(glm::dvec3 place);

 private:
  struct Asked;
  struct Made;
  void build();
  void show_scene(const Scene& scene);
  void show_kind();
  void start();
  void take(const Asked& asked, const Made& made);
  void show_sites();

  SceneController& controller_;
  QString folder_;
  QGridLayout* form_;
  QComboBox *molecule_, *kind_, *unit_, *values_;
  QCheckBox* error_;
  SelectionEdit *atoms_, *align_, *around_;
  QDoubleSpinBox *spacing_, *radius_;
  QLineEdit* file_;
  QTreeWidget* sites_;
  DialogWork* work_;
  std::vector<MapPeak> peaks_;
};

}  // namespace isolume
