// The dialog that places ions around a molecule.
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
class QTreeWidget;

namespace isolume {

/// What `isolume compute ionize` does, of a molecule of the scene with charges: the structure with its ions is written
/// to a file, which takes the place of the molecule in the picture, as one step of the history. The ions are listed
/// with their energies. Computed on a thread of the pool, with Cancel.
class IonDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the file is proposed to be; `device` says what computes.
  IonDialog(SceneController& controller, QString folder, std::function<Device()> device, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* salt_box() const { return salt_; }
  QComboBox* amount_box() const { return amount_; }
  QDoubleSpinBox* concentration_box() const { return concentration_; }
  QLineEdit* numbers_edit() const { return numbers_; }
  QCheckBox* neutral_box() const { return neutral_; }
  QComboBox* sites_box() const { return sites_; }
  QDoubleSpinBox* spacing_box() const { return spacing_; }
  QDoubleSpinBox* distance_box() const { return distance_; }
  QDoubleSpinBox* ion_distance_box() const { return ion_distance_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLabel* message() const { return work_->message(); }
  QTreeWidget* ions() const { return ions_; }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The structure was written and is in the scene.
  void made(const QString& path);
  /// An ion was chosen; angstrom.
  void place_asked(glm::dvec3 place);

 private:
  struct Asked;
  struct Made;
  void build();
  void show_scene(const Scene& scene);
  void show_amount();
  void start();
  static Made make(const Asked& asked, Documents& documents, Job& job);
  void take(const Asked& asked, const Made& made);

  SceneController& controller_;
  QString folder_;
  std::function<Device()> device_;
  QGridLayout* form_;
  QComboBox *molecule_, *salt_, *amount_, *order_, *sites_;
  QDoubleSpinBox *concentration_, *distance_, *ion_distance_, *spacing_, *dielectric_;
  QLineEdit *numbers_, *file_;
  QCheckBox* neutral_;
  QTreeWidget* ions_;
  DialogWork* work_;
  std::vector<glm::dvec3> places_;  ///< of the ions
};

}  // namespace isolume
