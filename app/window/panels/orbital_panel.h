// The panel of a molecule's orbitals.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fields/fields.h"
#include "app/models/orbital_model.h"
#include "app/window/live/scene_controller.h"
#include "compute/base/job.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;
class QTableView;
class QToolButton;

namespace isolume {

class ColourButton;
class LevelDiagram;
class OrbitalEnergies;
class ShapeRows;
class ValueSlider;

/// The orbitals of the frame as a table and as energy levels, and their energies over the frames; a click shows one as
/// an orbital field of the scene. Below it the shown orbitals, and how the chosen one of them is drawn and followed.
class OrbitalPanel : public QWidget {
  Q_OBJECT
 public:
  explicit OrbitalPanel(SceneController& controller, QWidget* parent = nullptr);
  ~OrbitalPanel() override;

  QTableView* table() const { return table_; }
  QPushButton* homo_button() const { return homo_; }
  QPushButton* lumo_button() const { return lumo_; }
  QLineEdit* search() const { return search_; }
  QComboBox* localisation() const { return localisation_; }
  QLabel* about() const { return about_; }
  bool localising() const { return job_ != nullptr; }
  QTabWidget* tabs() const { return tabs_; }
  LevelDiagram* levels() const { return levels_; }
  OrbitalEnergies* energies() const { return energies_; }
  QComboBox* shown() const { return shown_; }
  QToolButton* add_button() const { return add_; }
  QToolButton* remove_button() const { return remove_; }
  QCheckBox* follow() const { return follow_; }
  QLabel* match() const { return match_; }
  ValueSlider* isovalue() const { return isovalue_; }
  ValueSlider* enclosed() const { return enclosed_; }
  ShapeRows* shape() const { return shape_; }
  OrbitalModel& model() { return model_; }

  /// What was computed for the scene's fields, one for each.
  void show_results(const std::vector<FieldResult>& results);
  /// Stops localising.
  void cancel();

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);

 private:
  void build();
  QWidget* build_top();
  QWidget* build_views();
  void build_form();
  void connect_views();
  void connect_form();

  void show_scene(const Scene& scene);
  void show_form(const Scene& scene);
  /// Marks the orbitals that are shown in table, levels and plot.
  void show_chosen(const Scene& scene);
  void show_match();
  /// Indices into Scene::fields of the molecule's orbital fields.
  std::vector<int> fields() const;
  /// The field that the panel edits: the chosen one of fields(); -1 for none.
  int field() const;
  /// Index of a field's orbital in the frame that is shown; nothing where it has none (or is not matched yet).
  std::optional<std::size_t> orbital_of(const Field& field) const;
  void show_orbital(const std::string& name, Spin spin, const QString& what);
  void show_index(std::size_t orbital);
  void show_row(const QModelIndex& index);
  void step_by_energy(int by);
  void add_field();
  void remove_field();
  void set_following(bool on);
  /// Localised orbitals take the place of the canonical ones, or the other way round (empty).
  void set_localisation(const std::string& method);
  void edit(const QString& what, const std::function<void(Field&)>& change, bool merge = false);

  SceneController& controller_;
  OrbitalModel model_;
  QSortFilterProxyModel sorted_;
  int molecule_ = -1;
  int chosen_ = 0;        ///< among fields()
  bool filling_ = false;  ///< the widgets follow the scene: not the user's doing
  std::vector<FieldResult> results_;
  QPushButton* homo_;
  QPushButton* lumo_;
  QLineEdit* search_;
  QComboBox* localisation_;
  std::shared_ptr<Job> job_;  ///< of localising, null where none runs
  QLabel* about_;
  QTabWidget* tabs_;
  QTableView* table_;
  LevelDiagram* levels_;
  OrbitalEnergies* energies_;
  QWidget* form_;
  QComboBox* shown_;
  QToolButton* add_;
  QToolButton* remove_;
  QCheckBox* follow_;
  QLabel* match_;
  ValueSlider* isovalue_;
  ValueSlider* enclosed_;
  ColourButton* colour_;
  ColourButton* negative_colour_;
  ShapeRows* shape_;
  ValueSlider* opacity_;
};

}  // namespace isolume
