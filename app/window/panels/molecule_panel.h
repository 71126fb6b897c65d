// The panel of the scene's molecules: visibility, assemblies and periodic images.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <optional>

#include "app/models/scene_list_model.h"
#include "app/window/live/scene_controller.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeView;

namespace isolume {

class ChargeList;
class ChargeSetList;
class SelectionEdit;

/// List of the molecules with their visibility; below it the chosen one's biological assembly, where the molecules of
/// its periodic cell are placed, its periodic images, and what it is.
class MoleculePanel : public QWidget {
  Q_OBJECT
 public:
  explicit MoleculePanel(SceneController& controller, QWidget* parent = nullptr);

  QTreeView* list() const { return list_; }
  QComboBox* assembly_box() const { return assembly_; }
  QComboBox* cell_box() const { return cell_; }
  SelectionEdit* centred_edit() const { return centred_; }
  QSpinBox* images_box(int axis) const { return images_[static_cast<std::size_t>(axis)]; }
  ChargeList* charges() const { return charges_; }
  ChargeSetList* charge_sets() const { return charge_sets_; }
  QCheckBox* side_chains_box() const { return side_chains_; }
  QPushButton* superpose_button() const { return superpose_; }
  int current() const;
  /// Gives the shape of the picture, width over height, that assemblies are fitted to.
  void set_aspect(std::function<double()> aspect) { aspect_ = std::move(aspect); }
  /// The assembly that is built is not shown.
  void cancel();

 Q_SIGNALS:
  /// Something runs (`what` is empty when nothing does), how far if that is known, else below 0.
  void progress(const QString& what, double fraction);
  void open_asked();
  /// The molecule of that number is to be superposed on another.
  void superpose_asked(int molecule);
  /// Atoms of the molecule of that number are to be selected and centred.
  void atoms_asked(int molecule, const std::vector<std::uint32_t>& atoms);
  void failed(const QString& message);

 private:
  void build_form();
  void show_scene(const Scene& scene);
  void show_current();
  void choose_assembly(const QString& id);
  /// "Assembly 1", "Unit cell", "Symmetry mates within 5 angstrom".
  static QString assembly_label(const std::string& id);
  /// The entries of crystals in the box of assemblies.
  void add_symmetry_mates(const std::string& shown);
  void choose_cell(const CellTreatment& cell);
  /// The entry of the scene, or what it is just being made.
  SceneMolecule entry_to_change(int row) const;
  /// Makes the molecule of row `row` by `entry` on a thread, then changes the scene in a step `what` that fits the
  /// camera.
  void remake(int row, const SceneMolecule& entry, const QString& what);
  /// Prepares the molecule again with its missing side chains built, or without them, on a thread.
  void choose_side_chains(bool build);
  void show_side_chains();
  void show_cell(const SceneMolecule& entry);
  void edit(const QString& what, const std::function<void(SceneMolecule&)>& change, bool merge = false);

  SceneController& controller_;
  SceneListModel model_;
  QTreeView* list_;
  QPushButton* remove_;
  QPushButton* superpose_;
  QWidget* form_;
  QGridLayout* rows_;
  QComboBox* assembly_;
  QComboBox* cell_;
  SelectionEdit* centred_;
  QWidget* cells_;
  std::array<QSpinBox*, 3> images_{};
  QLabel* about_;
  ChargeSetList* charge_sets_;
  ChargeList* charges_;
  QCheckBox* side_chains_;
  std::function<double()> aspect_ = [] { return 1.0; };
  std::uint64_t epoch_ = 0;                ///< of the newest assembly that was asked for
  std::optional<SceneMolecule> coming_;    ///< the entry that is being made
  std::shared_ptr<const Molecule> asked_;  ///< whose cell was looked for
  std::vector<std::string> asked_paths_;   ///< and of which files
  bool periodic_ = false;                  ///< and whether it has one
};

}  // namespace isolume
