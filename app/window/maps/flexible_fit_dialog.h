// The dialog that lets a density map pull a molecule of the scene into it.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/maps/flexible_fit_run.h"
#include "app/window/maps/model_and_map.h"
#include "app/window/widgets/dialog_work.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace isolume {

class Plot;
class SelectionEdit;

/// Which molecule, which of its atoms and by which map, how strong and how long. It runs on a thread of the pool: the
/// molecule moves in the picture, and its correlation with the map is plotted. Stop keeps the frames so far, Cancel
/// puts the molecule back. The frames are a step of the history and in memory alone.
class FlexibleFitDialog : public QDialog {
  Q_OBJECT
 public:
  /// `device` says what computes.
  FlexibleFitDialog(SceneController& controller, std::function<Device()> device, QWidget* parent = nullptr);
  ~FlexibleFitDialog() override;

  /// What another dialog has chosen.
  void propose(const MapPlace& map, int molecule, double resolution);

  QComboBox* molecule_box() const { return inputs_->molecule_box(); }
  QComboBox* map_box() const { return inputs_->map_box(); }
  SelectionEdit* atoms_edit() const { return inputs_->atoms_edit(); }
  QDoubleSpinBox* resolution_box() const { return inputs_->resolution_box(); }
  QDoubleSpinBox* strength_box() const { return strength_; }
  QDoubleSpinBox* threshold_box() const { return threshold_; }
  QDoubleSpinBox* length_box() const { return length_; }
  QComboBox* restraints_box() const { return restraints_; }
  QPushButton* fit_button() const { return work_->go(); }
  QPushButton* stop_button() const { return stop_; }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLabel* message() const { return work_->message(); }
  Plot* plot() const { return plot_; }
  bool running() const { return work_->running(); }

 private:
  void build();
  void show_scene(const Scene& scene);
  void start();
  void look();
  void publish();
  void show_frames(std::size_t count);
  void show_correlation();
  void end(const QString& how);
  void put_back();
  /// The molecule of the run in the scene; -1 where it is gone.
  int place() const;

  SceneController& controller_;
  std::function<Device()> device_;
  std::unique_ptr<ModelAndMap> inputs_;
  QDoubleSpinBox *strength_, *threshold_, *length_;
  QComboBox* restraints_;
  QPushButton* stop_;
  DialogWork* work_;
  Plot* plot_;

  std::shared_ptr<FlexibleFitRun> run_;        ///< the last one
  std::shared_ptr<const Molecule> structure_;  ///< what moves, as its file has it
  SceneMolecule before_, fitted_;              ///< its entry of the scene, without and with the frames
  QTimer timer_;
  QElapsedTimer since_;
  qint64 rest_ = 0;            ///< ms that the window has for itself between two frames
  std::size_t published_ = 0;  ///< samples whose frames are shown
  bool shown_ = false;         ///< the scene has the frames
  bool publishing_ = false;
  QString ended_;  ///< what is said when the last frames are shown; empty while it runs
};

}  // namespace isolume
