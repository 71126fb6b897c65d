// The rows of a form for maps of atoms.
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/cli/over_time/volmap_frames.h"
#include "molecule/molecule.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QWidget;

namespace isolume {

class SelectionEdit;

/// Which atoms are mapped and how: their numbers, selection, radius and spacing, as `isolume compute volmap` has them.
/// Maps are told by a number: density, mass, charge, occupancy, distance, value.
class AtomMapRows : public QObject {
  Q_OBJECT
 public:
  /// Adds the rows to the form of a widget, hidden.
  AtomMapRows(QGridLayout* form, QWidget* owner);

  /// The maps that a molecule can have.
  static std::vector<std::size_t> possible(const Molecule& molecule);
  /// What a map of the atoms of a file is called.
  static QString title(std::size_t map, const QString& file);

  /// The rows that a map needs, or none.
  void show_for(std::optional<std::size_t> map);
  void set_enabled(bool enabled);
  cli::VolmapChoice choice(std::size_t map) const;

  SelectionEdit* atoms() const { return atoms_; }
  QComboBox* values() const { return values_; }
  QDoubleSpinBox* radius_box() const { return radius_; }
  QDoubleSpinBox* spacing_box() const { return spacing_; }

 private:
  QGridLayout* form_;
  QComboBox* values_;
  SelectionEdit* atoms_;
  QDoubleSpinBox *radius_, *spacing_;
};

}  // namespace isolume
