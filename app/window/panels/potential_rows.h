// The part of a field's form that says how its potential is computed and shown.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/fields/fields.h"
#include "app/scene/scene.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace isolume {

/// Rows of a form: what paints the surface, unit, range, method and its parameters, periodicity; and the total charge
/// and the measured error of the last result.
class PotentialRows : public QObject {
  Q_OBJECT
 public:
  /// All rows, or those of the method's parameters alone.
  enum class Part { all, parameters };
  explicit PotentialRows(QGridLayout* form, QObject* parent = nullptr, Part part = Part::all);

  /// A volume of the scene that can colour a surface.
  struct Map {
    QString text, unit;
    std::uint32_t molecule = 0, volume = 0;
    bool operator==(const Map&) const = default;
  };
  /// Shows a field's values, and the rows that it needs, of its molecule (or none) and the volumes of the scene.
  /// `has_cell`: the molecule is in a periodic cell.
  void show_field(const Field& field, std::shared_ptr<const Molecule> molecule, std::vector<Map> maps, bool has_cell);
  void show_legend(const std::optional<FieldLegend>& legend);

  QComboBox* paint_box() const { return paint_; }
  QComboBox* map_box() const { return map_; }
  QComboBox* method_box() const { return method_; }
  QComboBox* unit_box() const { return unit_; }
  QComboBox* accuracy_box() const { return accuracy_; }
  QComboBox* target_box() const { return target_; }
  QCheckBox* periodic_box() const { return periodic_; }
  QComboBox* thresholds_box() const { return thresholds_; }
  QComboBox* charges_each_box() const { return charges_each_; }
  QDoubleSpinBox* range_box() const { return range_; }
  QDoubleSpinBox* cutoff_box() const { return cutoff_; }
  QDoubleSpinBox* dielectric_box() const { return dielectric_; }
  QCheckBox* extremes_box() const { return extremes_; }
  QLabel* charge_text() const { return charge_; }
  QLabel* error_text() const { return error_; }
  QPushButton* compare_button() const { return compare_; }

 Q_SIGNALS:
  /// `merge`: one step of undo with the change before.
  void edited(const QString& what, const std::function<void(isolume::Field&)>& change, bool merge);
  /// Two methods are to be put side by side.
  void compare_asked();

 private:
  void build_paint(QGridLayout* form);
  void build_method(QGridLayout* form);
  void connect_boxes();
  void choose_paint(int index);
  void choose_method(int index);
  void show_paint(const Field& field);

  QGridLayout* form_;
  QComboBox* paint_;
  QComboBox* map_;
  QComboBox* unit_;
  QDoubleSpinBox* range_;
  QDoubleSpinBox* offset_;
  QCheckBox* extremes_;
  QComboBox* method_;
  QComboBox* accuracy_;
  QDoubleSpinBox* cutoff_;
  QComboBox* thresholds_;
  QComboBox* charges_each_;
  QComboBox* medium_;
  QDoubleSpinBox* dielectric_;
  QDoubleSpinBox* ionic_strength_;
  QDoubleSpinBox* solvent_;
  QDoubleSpinBox* solute_;
  QCheckBox* nonlinear_;
  QComboBox* target_;
  QDoubleSpinBox* temperature_;
  QCheckBox* periodic_;
  QLabel* charge_;
  QLabel* error_;
  QLabel* used_;
  QPushButton* compare_;
  std::shared_ptr<const Molecule> molecule_;
  std::vector<Map> maps_;
  Map shown_map_;
  Part part_;
};

}  // namespace isolume
