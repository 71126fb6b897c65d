// The dialog with the areas that chains and ligands bury against each other.
#pragma once

#include <QDialog>
#include <cstdint>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/widgets/dialog_work.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace isolume {

/// A list of the pairs of polymer chains and ligands that touch, the largest interface first, in the frame that is
/// shown. A click on a row asks to select the residues on both sides. Computed on a thread of the pool, with progress
/// and Cancel; the scene is not changed.
class InterfaceDialog : public QDialog {
  Q_OBJECT
 public:
  explicit InterfaceDialog(SceneController& controller, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return molecule_; }
  QPushButton* compute_button() const { return work_->go(); }
  QTreeWidget* list() const { return list_; }
  QLabel* message() const { return work_->message(); }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// The residues of both sides, as a selection of that molecule of the scene.
  void selection_asked(std::uint32_t molecule, const QString& words);

 private:
  struct Found;
  void show_scene(const Scene& scene);
  void start();
  void take(const Found& found);

  SceneController& controller_;
  QComboBox* molecule_;
  QTreeWidget* list_;
  DialogWork* work_;
  std::uint32_t number_ = 0;  ///< of the molecule in the list, which was
  SceneMolecule entry_;
  std::vector<QString> words_;  ///< of the rows
};

}  // namespace isolume
