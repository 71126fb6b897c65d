// The dialog that superposes one molecule of the scene on another.
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "app/window/live/scene_controller.h"
#include "compute/analysis/superpose_molecules.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace isolume {

class Plot;
class SelectionEdit;

/// Which molecule moves, onto which, by which atoms; the result in words and as the distance of every residue, linked
/// to the picked atom. The motion is computed on a thread of the pool and becomes a step of the history. With a
/// molecule onto itself, its frames are superposed on the one that is shown.
class SuperposeDialog : public QDialog {
  Q_OBJECT
 public:
  /// `moving`: which molecule is proposed to move; -1 for the second.
  SuperposeDialog(SceneController& controller, int moving, QWidget* parent = nullptr);
  ~SuperposeDialog() override;

  QComboBox* moving_box() const { return moving_; }
  QComboBox* fixed_box() const { return fixed_; }
  SelectionEdit* moving_atoms() const { return moving_atoms_; }
  SelectionEdit* fixed_atoms() const { return fixed_atoms_; }
  QComboBox* matching_box() const { return matching_; }
  QDoubleSpinBox* cutoff_box() const { return cutoff_; }
  QCheckBox* frames_box() const { return frames_; }
  QPushButton* superpose_button() const { return superpose_; }
  QPushButton* back_button() const { return back_; }
  QLabel* message() const { return message_; }
  Plot* plot() const { return plot_; }
  bool running() const { return job_ != nullptr; }
  const std::optional<SuperposeResult>& result() const { return result_; }

 Q_SIGNALS:
  /// The scene's molecules are where they belong now.
  void superposed();
  /// Frames alone were superposed: there is nothing more to see here, and the dialog closes.
  void frames_superposed(const QString& message);

 private:
  struct Placed;
  void build(QGridLayout* form);
  void show_scene(const Scene& scene);
  /// Proposes atoms for molecules that were chosen now.
  void propose();
  /// The result that is shown goes.
  void forget();
  void start();
  void take(const Placed& placed);
  void put_back();
  void show_plot();
  void show_cursor();
  int chosen(const QComboBox* box) const;

  SceneController& controller_;
  QComboBox* moving_;
  QComboBox* fixed_;
  SelectionEdit* moving_atoms_;
  SelectionEdit* fixed_atoms_;
  QComboBox* matching_;
  QDoubleSpinBox* cutoff_;
  QCheckBox* frames_;
  QPushButton* superpose_;
  QPushButton* back_;
  QLabel* message_;
  Plot* plot_;
  std::shared_ptr<Job> job_;
  std::optional<SuperposeResult> result_;
  std::uint32_t shown_ = 0;       ///< the fixed molecule of the result
  SceneMolecule shown_molecule_;  ///< and what it is
};

}  // namespace isolume
