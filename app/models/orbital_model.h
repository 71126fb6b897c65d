// The table of a molecule's orbitals.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "molecule/quantum/orbitals.h"

namespace isolume {

/// One row per orbital in file order: number (from 1 within its spin), role by energy, symmetry, energy, occupation,
/// spin. Sorting is a proxy's; sort_role gives numbers.
class OrbitalModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    number_column,
    role_column,
    symmetry_column,
    ev_column,
    hartree_column,
    occupation_column,
    spin_column
  };
  static constexpr int column_count = spin_column + 1;
  static constexpr int sort_role = Qt::UserRole;

  explicit OrbitalModel(QObject* parent = nullptr);

  void set_orbitals(std::shared_ptr<const Orbitals> orbitals);
  const std::shared_ptr<const Orbitals>& orbitals() const { return orbitals_; }

  /// How Field::orbital names a row: its number from 1 within its spin.
  std::string name_of(int row) const;
  /// Row that Field::orbital names ("homo", "lumo+1", "5"), -1 for none.
  int row_of(const std::string& name, Spin spin) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    std::size_t number = 0;  ///< from 1 within its spin
    QString role;
    std::size_t place = 0;   ///< among those of its spin, in the order of role()
    bool has_energy = true;  ///< natural orbitals have none
  };
  QVariant text(int row, int column) const;

  std::shared_ptr<const Orbitals> orbitals_;
  std::vector<Row> rows_;
};

}  // namespace isolume
