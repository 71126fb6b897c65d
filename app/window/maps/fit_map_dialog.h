// The dialog that fits a molecule of the scene into a density map.
#pragma once

#include <QDialog>
#include <functional>
#include <memory>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/maps/model_and_map.h"
#include "app/window/widgets/dialog_work.h"
#include "compute/density_maps/model_fit.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace isolume {

class Plot;
class SelectionEdit;

/// Which molecule, by which atoms, into which map, at which resolution; from its place or by a search. The places found
/// are listed with their correlations; the first is taken, another by choosing it. The correlation of every residue at
/// the present place is plotted, linked to the selected atom. Computed on a thread of the pool, with progress and
/// Cancel; a place becomes a step of the history.
class FitMapDialog : public QDialog {
  Q_OBJECT
 public:
  FitMapDialog(SceneController& controller, std::function<Device()> device, QWidget* parent = nullptr);

  QComboBox* molecule_box() const { return inputs_->molecule_box(); }
  QComboBox* map_box() const { return inputs_->map_box(); }
  SelectionEdit* atoms_edit() const { return inputs_->atoms_edit(); }
  QDoubleSpinBox* resolution_box() const { return inputs_->resolution_box(); }
  QCheckBox* search_box() const { return search_; }
  QPushButton* fit_button() const { return work_->go(); }
  QPushButton* compare_button() const { return compare_; }
  QPushButton* cancel_button() const { return work_->cancel_button(); }
  QTreeWidget* list() const { return list_; }
  QLabel* message() const { return work_->message(); }
  Plot* plot() const { return plot_; }
  bool running() const { return work_->running(); }

 Q_SIGNALS:
  /// A map of the model and this map is wanted: difference, or local correlation.
  void difference_asked(const isolume::MapPlace& map, int molecule, double resolution);
  void local_correlation_asked(const isolume::MapPlace& map, int molecule, double resolution);
  /// The model is to be bent into this map.
  void flexible_asked(const isolume::MapPlace& map, int molecule, double resolution);

 private:
  struct Asked;
  struct Found;
  void build();
  void show_scene(const Scene& scene);
  void start(bool fits);
  void take(const Asked& asked, const Found& found);
  void take_place(int row);
  void show_agreement(const Found& found);
  void show_cursor();

  SceneController& controller_;
  std::function<Device()> device_;
  std::unique_ptr<ModelAndMap> inputs_;
  QCheckBox* search_;
  QPushButton *compare_, *difference_, *local_, *flexible_;
  DialogWork* work_;
  QTreeWidget* list_;
  Plot* plot_;
  std::uint32_t fitted_ = 0;          ///< whose places are listed
  SceneMolecule entry_;               ///< it, as it was when they were found
  std::vector<FittedPlace> places_;   ///< relative to where it was
  std::vector<std::uint32_t> first_;  ///< the first atom of each residue in the plot
};

}  // namespace isolume
