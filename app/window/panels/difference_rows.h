// The part of a field's form that says what is taken off its values.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "app/window/live/scene_controller.h"
#include "app/window/maps/map_box.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QSpinBox;

namespace isolume {

class SelectionEdit;

/// Rows of a form: nothing, another potential (its molecule, atoms, charges, frame and method) or a map (which, whether
/// it is interpolated, and standard errors).
class DifferenceRows : public QObject {
  Q_OBJECT
 public:
  DifferenceRows(QGridLayout* form, SceneController& controller, QObject* parent = nullptr);

  /// Shows a field's values, and the rows that it needs.
  void show_field(const Field& field);

  QComboBox* minus_box() const { return minus_; }
  QComboBox* molecule_box() const { return molecule_; }
  SelectionEdit* atoms_edit() const { return atoms_; }
  QComboBox* charges_box() const { return charges_; }
  QSpinBox* frame_box() const { return frame_; }
  QComboBox* method_box() const { return method_; }
  QComboBox* map_box() const { return map_; }
  QCheckBox* resample_box() const { return resample_; }
  QComboBox* own_error_box() const { return own_error_; }
  QComboBox* error_box() const { return error_; }

 Q_SIGNALS:
  /// `merge`: one step of undo with the change before.
  void edited(const QString& what, const std::function<void(isolume::Field&)>& change, bool merge);

 private:
  struct Map {
    QString text;
    MapPlace place;
    bool operator==(const Map&) const = default;
  };
  void build(QGridLayout* form);
  void connect_boxes();
  void choose(Subtrahend::Kind kind);
  void choose_error(QComboBox* box, MapChoice Subtrahend::*which);
  void show_molecules_with_charges();
  void show_charges(const Field& field);
  void show_maps_of(QComboBox* box, const QString& none, const MapChoice& chosen);
  /// The first map of the same molecule that is a standard error, of the scene's maps.
  MapChoice error_of(const MapPlace& map) const;

  QGridLayout* form_;
  SceneController& controller_;
  Field field_;  ///< that is shown
  std::vector<std::uint32_t> charged_;
  std::vector<std::string> sets_;
  std::vector<Map> maps_;
  QComboBox* minus_;
  QComboBox* molecule_;
  SelectionEdit* atoms_;
  QComboBox* charges_;
  QSpinBox* frame_;
  QComboBox* method_;
  QComboBox* map_;
  QCheckBox* resample_;
  QComboBox* own_error_;
  QComboBox* error_;
};

}  // namespace isolume
