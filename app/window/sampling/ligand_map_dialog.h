// The dialog that maps the free energy of placing a small molecule.
#pragma once

#include <QDialog>
#include <functional>
#include <memory>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"
#include "compute/base/device.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace isolume {

class SelectionEdit;

/// What `isolume compute ligand-map` and `lj-map` do, of a molecule of the scene: the map is written to a file, which
/// the scene then has with an isosurface, as one step of the history. Of several frames the maps of its error and of
/// the effective number of frames are written next to it, and the surface is pale where few frames carry the average.
/// Minima are listed. Computed on a thread of the pool, with Cancel.
class LigandMapDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the file is proposed to be; `device` says what computes.
  LigandMapDialog(SceneController& controller, QString folder, std::function<Device()> device,
                  QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* probe_box() const { return probe_; }
  QDoubleSpinBox* sigma_box() const { return sigma_; }
  QDoubleSpinBox* epsilon_box() const { return epsilon_; }
  SelectionEdit* atoms() const { return atoms_; }
  SelectionEdit* around() const { return around_; }
  SelectionEdit* align() const { return align_; }
  QComboBox* frames_box() const { return frames_; }
  QSpinBox* step_box() const { return step_; }
  QSpinBox* rotations_box() const { return rotations_; }
  QDoubleSpinBox* spacing_box() const { return spacing_; }
  QDoubleSpinBox* padding_box() const { return padding_; }
  QCheckBox* charges_box() const { return charges_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLabel* message() const { return work_->message(); }
  QTreeWidget* minima() const { return minima_; }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The map was written and is in the scene.
  void made(const QString& path);
  /// A minimum was chosen; angstrom.
  void place_asked(glm::dvec3 place);

 private:
  struct Asked;
  struct Made;
  void build();
  void show_scene(const Scene& scene);
  void show_probe();
  /// One site of the user's own, with its sigma and epsilon.
  bool own_site() const;
  void start();
  static Made make(const Asked& asked, Documents& documents, Job& job);
  void take(const Asked& asked, const Made& made);
  void show_minima(const Made& made);

  SceneController& controller_;
  QString folder_;
  std::function<Device()> device_;
  QGridLayout* form_;
  QComboBox *molecule_, *probe_, *mixing_, *frames_;
  QDoubleSpinBox *sigma_, *epsilon_, *temperature_, *spacing_, *padding_;
  SelectionEdit *atoms_, *around_, *align_;
  QSpinBox *step_, *rotations_;
  QCheckBox* charges_;
  QLineEdit* file_;
  QTreeWidget* minima_;
  DialogWork* work_;
  std::vector<glm::dvec3> places_;  ///< of the minima
};

}  // namespace isolume
