// The dialog for analyses of a trajectory.
#pragma once

#include <QDialog>

#include "app/window/live/scene_controller.h"
#include "compute/analysis/analysis.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QPushButton;
class QSpinBox;

namespace isolume {

class SelectionEdit;

/// "RMSD", "Radius of gyration", ... in the order of AnalysisKind.
QString analysis_title(AnalysisKind kind);

/// What to compute, of which molecule, atoms and with which numbers; what a kind does not take is not shown.
class AnalysisDialog : public QDialog {
  Q_OBJECT
 public:
  AnalysisDialog(SceneController& controller, AnalysisKind kind, QWidget* parent = nullptr);

  QComboBox* kind_box() const { return kind_; }
  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms() const { return atoms_; }
  SelectionEdit* other_atoms() const { return other_; }
  QPushButton* plot_button() const { return plot_; }
  AnalysisKind kind() const;

 Q_SIGNALS:
  /// The molecule's place in the scene, and the request without its molecule and frames.
  void asked(int molecule, const AnalysisRequest& request);

 private:
  void build(QGridLayout* form);
  /// Shows the rows of the kind, and proposes its atoms.
  void show_kind();
  void show_scene(const Scene& scene);
  AnalysisRequest request() const;

  SceneController& controller_;
  QGridLayout* form_ = nullptr;
  QComboBox* kind_;
  QComboBox* molecule_;
  SelectionEdit* atoms_;
  SelectionEdit* other_;
  QCheckBox* fit_;
  SelectionEdit* fit_atoms_;
  QSpinBox* reference_;
  QDoubleSpinBox* cutoff_;
  QDoubleSpinBox* maximum_;
  QDoubleSpinBox* width_;
  QCheckBox* between_;
  QPushButton* plot_;
};

}  // namespace isolume
