// The panel of computed fields: surfaces of densities, orbitals, potentials and volumes.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <optional>

#include "app/fields/fields.h"
#include "app/models/scene_list_model.h"
#include "app/window/live/scene_controller.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QTreeView;

namespace isolume {

class ColourButton;
class DifferenceRows;
class ListBar;
class OutlineEdit;
class PotentialRows;
class ScatterRows;
class SelectionEdit;
class ShapeRows;
class TransferEdit;
class ValueSlider;

/// List of the scene's fields; below it what the chosen one computes and how it is drawn.
class FieldPanel : public QWidget {
  Q_OBJECT
 public:
  explicit FieldPanel(SceneController& controller, QWidget* parent = nullptr);

  QTreeView* list() const { return list_; }
  ValueSlider* isovalue() const { return isovalue_; }
  PotentialRows* potential() const { return potential_; }
  ScatterRows* scatter() const { return scatter_; }
  DifferenceRows* difference() const { return difference_; }
  TransferEdit* transfer() const { return transfer_; }
  SelectionEdit* partners_edit() const { return partners_; }
  ShapeRows* shape() const { return shape_; }
  int current() const;
  /// Selects a row of the list.
  void select(int row) { choose(row); }
  /// Adds a field of a kind with its usual values, of the first molecule that can have it; a potential as
  /// usual_potential() shows it. `bare`: a solvent-excluded surface without a probe, which is the van der Waals one.
  void add(Field::Kind kind, bool bare = false);
  /// Adds the density of the electrons or their spins, by its name (app/scene/density_name.h).
  void add_density(const std::string& name);
  /// Adds isosurfaces of the potential.
  void add_isosurfaces();
  /// What the last computation of a field said of itself, or why it failed.
  void show_summary(int field, const QString& summary);
  /// Shows what the results' legends say of charge and error. One result per field of the scene.
  void show_results(const std::vector<FieldResult>& results);

 Q_SIGNALS:
  /// A field of the scene is to become a file.
  void export_asked(int field);
  /// What was asked for cannot be: why, and what to do.
  void refused(const QString& message);
  /// What was done besides what was asked for.
  void told(const QString& message);
  /// Something runs (`what` is empty when nothing does), how far if that is known, else below 0.
  void progress(const QString& what, double fraction);

 private:
  void add_field(const Field& field);
  /// Hydrogens and charges of the built-in tables for a molecule that has none, and its potential on a surface.
  void add_charged(int molecule);
  void build_list();
  void build_form();
  void connect_form();
  void fill_add_menu();
  void show_scene(const Scene& scene);
  void show_current();
  /// Looks on a thread of the pool whether the molecule has a periodic cell.
  void ask_cell(const std::shared_ptr<const Molecule>& molecule);
  void show_rows(const Field& field);
  void show_range(const Field& field);
  bool has_atoms(std::uint32_t molecule) const;
  /// The number of the first molecule of the scene with atoms; -1 for none.
  int first_with_atoms() const;
  /// The isovalue of a volume in standard deviations above the mean, behind it.
  void show_sigma(const Field& field, std::size_t row);
  void show_cloud_range(const Field& field, std::size_t row);
  /// What computing it again takes, by what it took; in the tips of what asks for it.
  static QString cost_of(const FieldResult& result);
  void show_scatter(std::size_t row);
  void show_cost();
  void choose(int row);
  void edit(const QString& what, const std::function<void(Field&)>& change, bool merge = false);

  SceneController& controller_;
  SceneListModel model_;
  QTreeView* list_;
  QLabel* empty_;
  ListBar* bar_;
  QWidget* form_;
  QGridLayout* rows_;
  QComboBox* molecule_;
  SelectionEdit *selection_, *partners_;
  QLineEdit* orbital_;
  QComboBox* spin_;
  QComboBox* volume_;
  ValueSlider* isovalue_;
  QDoubleSpinBox* spacing_;
  ValueSlider* radius_scale_;
  QComboBox* beads_;
  QComboBox* quality_;
  ValueSlider* probe_;
  QDoubleSpinBox* zone_;
  QWidget* copies_;
  std::array<QSpinBox*, 3> repeat_{};
  QComboBox* colouring_;
  QCheckBox* interatomic_;
  ScatterRows* scatter_;
  PotentialRows* potential_;
  DifferenceRows* difference_;
  QCheckBox* both_signs_;
  QCheckBox* periodic_;
  ColourButton* colour_;
  ColourButton* negative_colour_;
  QWidget* colours_;
  ShapeRows* shape_;
  QComboBox* material_;
  OutlineEdit* outline_;
  TransferEdit* transfer_;
  ValueSlider* cloud_range_;
  ValueSlider* opacity_;
  QLabel* summary_;
  std::shared_ptr<const Molecule> asked_;  ///< the molecule whose cell is known or looked for
  bool has_cell_ = false;                  ///< of asked_
  std::vector<QString> summaries_;
  std::vector<std::optional<FieldLegend>> legends_;  ///< one per field, as far as there are results
  std::vector<std::vector<glm::vec2>> scatters_;     ///< FieldResult::scatter, one per field
  QStringList costs_;                                ///< one per field
  std::vector<double> cloud_ranges_;                 ///< FieldResult::automatic_range, one per field
  std::vector<std::pair<double, double>> spreads_;   ///< means and standard deviations of volumes
  Field range_of_;                                   ///< the field for which the isovalue's range was last set
};

/// What a field of this kind can be of: the first molecule of the scene with it; -1 for none.
int molecule_for(const SceneController& controller, Field::Kind kind);

}  // namespace isolume
