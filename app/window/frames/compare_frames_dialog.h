// The dialog that compares all frames of a trajectory: RMSD of all pairs, clusters, principal components.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"
#include "compute/trajectory/frame_clusters.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace isolume {

class FrameMap;
class SelectionEdit;

/// Which molecule, by which atoms, how it is grouped; the picture is linked to the frame that is shown, and a click on
/// a cluster shows its middle frame. Computed on a thread of the pool, with progress and Cancel; the scene is not
/// changed.
class CompareFramesDialog : public QDialog {
  Q_OBJECT
 public:
  explicit CompareFramesDialog(SceneController& controller, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  QComboBox* method_box() const { return method_; }
  QDoubleSpinBox* cutoff_box() const { return cutoff_; }
  QComboBox* show_box() const { return show_; }
  QPushButton* compute_button() const { return work_->go(); }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QTreeWidget* list() const { return list_; }
  QLabel* message() const { return work_->message(); }
  FrameMap* map() const { return map_; }
  bool running() const { return work_->running(); }

 private:
  struct Found;
  void build();
  void show_scene(const Scene& scene);
  void start();
  void take(const Found& found);

  SceneController& controller_;
  QComboBox* molecule_;
  SelectionEdit* atoms_;
  QComboBox* method_;
  QDoubleSpinBox* cutoff_;
  QComboBox* show_;
  DialogWork* work_;
  FrameMap* map_;
  QTreeWidget* list_;
  std::vector<std::size_t> middles_;
};

}  // namespace isolume
