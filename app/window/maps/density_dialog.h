// The dialog that computes the density of a file's electrons, with its potential, and adds it to the scene.
#pragma once

#include <QDialog>
#include <functional>
#include <memory>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"
#include "compute/base/device.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace isolume {

/// Which molecule, what of its electrons, and whether the surface has the exact potential of orbitals and nuclei as its
/// colours. Of the frame that is shown. The result is written as cube files, which the scene then has, as one step of
/// the history. Computed on a thread of the pool, with progress and Cancel.
class DensityDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the files are proposed to be; `device` says what computes.
  DensityDialog(SceneController& controller, const QString& folder, std::function<Device()> device,
                QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* kind_box() const { return kind_; }
  QCheckBox* potential_box() const { return potential_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return work_->go(); }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QLabel* message() const { return work_->message(); }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// A file was written.
  void saved(const QString& path);

 private:
  struct Asked;
  struct Made;
  void build(const QString& folder);
  /// A file of the chosen kind that is not there yet.
  void propose(const QString& folder);
  void show_scene(const Scene& scene);
  void start();
  void take(const Asked& asked, const Made& made);

  SceneController& controller_;
  std::function<Device()> device_;
  QComboBox *molecule_, *kind_;
  QCheckBox* potential_;
  QLineEdit* file_;
  DialogWork* work_;
};

}  // namespace isolume
