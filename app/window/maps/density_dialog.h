// The dialog that computes the density of a file's electrons, with its potential, and adds it to the scene.
#pragma once

#include <QDialog>
#include <memory>

#include "app/window/live/scene_controller.h"
#include "compute/base/job.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace isolume {

/// Which molecule, what of its electrons, and whether the surface has the exact potential of orbitals and nuclei as its
/// colours. Of the frame that is shown. The result is written as cube files, which the scene then has, as one step of
/// the history. Computed on a thread of the pool, with progress and Cancel.
class DensityDialog : public QDialog {
  Q_OBJECT
 public:
  /// `folder`: where the files are proposed to be.
  DensityDialog(SceneController& controller, const QString& folder, QWidget* parent = nullptr);
  ~DensityDialog() override;

  QComboBox* molecule_box() const { return molecule_; }
  QComboBox* kind_box() const { return kind_; }
  QCheckBox* potential_box() const { return potential_; }
  QLineEdit* file_edit() const { return file_; }
  QPushButton* make_button() const { return make_; }
  QPushButton* cancel_button() const { return cancel_; }
  QLabel* message() const { return message_; }
  bool running() const { return job_ != nullptr; }

 Q_SIGNALS:
  /// A file was written.
  void saved(const QString& path);

 private:
  struct Asked;
  struct Made;
  void build(const QString& folder);
  void show_scene(const Scene& scene);
  void show_running();
  void start();
  void take(const Asked& asked, const Made& made);

  SceneController& controller_;
  QComboBox *molecule_, *kind_;
  QCheckBox* potential_;
  QLineEdit* file_;
  QProgressBar* progress_;
  QLabel* message_;
  QPushButton *make_, *cancel_;
  std::shared_ptr<Job> job_;
};

}  // namespace isolume
