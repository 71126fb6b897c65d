// The dialog with the parameters of one side of a comparison of potentials.
#pragma once

#include <QDialog>

#include "app/scene/scene.h"

namespace isolume {

class PotentialRows;

/// Dielectric, cutoff, ions and the like of the side's method, as the form of a potential has them. They are settings()
/// once the dialog is accepted; until then those of before count.
class SideParameters : public QDialog {
  Q_OBJECT
 public:
  /// @param side      "First", for the title
  /// @param has_cell  the molecule is in a periodic cell
  SideParameters(const QString& side, const PotentialSettings& settings, bool has_cell, QWidget* parent = nullptr);

  const PotentialSettings& settings() const { return field_.potential; }
  PotentialRows* rows() const { return rows_; }

 private:
  void show_field();

  Field field_;
  bool has_cell_;
  PotentialRows* rows_;
};

}  // namespace isolume
