// The table of a molecule's orbitals.
#include "app/models/orbital_model.h"

#include <QFont>

#include "app/models/labels.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume {

OrbitalModel::OrbitalModel(QObject* parent) : QAbstractTableModel(parent) {}

void OrbitalModel::set_orbitals(std::shared_ptr<const Orbitals> orbitals) {
  if (orbitals == orbitals_) return;
  std::vector<Row> rows(orbitals ? orbitals->count() : 0);
  if (orbitals) {
    std::size_t numbers[2] = {0, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].number = ++numbers[orbitals->orbitals[i].spin == Spin::beta ? 1 : 0];
    }
    // Roles of all orbitals by one sort per spin, rather than by a search for each.
    for (const Spin spin : {Spin::alpha, Spin::beta}) {
      const FrontierOrder frontier(*orbitals, spin);
      for (std::size_t i = 0; i < frontier.order.size(); ++i) {
        Row& row = rows[frontier.order[i]];
        row.has_energy = frontier.energies;
        if (i < frontier.occupied) {
          const std::size_t below = frontier.occupied - 1 - i;
          row.role = below == 0 ? QStringLiteral("HOMO") : QStringLiteral("HOMO-%1").arg(below);
        } else {
          const std::size_t above = i - frontier.occupied;
          row.role = above == 0 ? QStringLiteral("LUMO") : QStringLiteral("LUMO+%1").arg(above);
        }
        row.place = i;
      }
    }
  }
  const bool same_shape = rows.size() == rows_.size() && !rows.empty();
  if (!same_shape) beginResetModel();
  orbitals_ = std::move(orbitals);
  rows_ = std::move(rows);
  if (!same_shape) {
    endResetModel();
  } else {  // another frame of the same sequence: the view keeps its place and selection
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
  }
}

std::string OrbitalModel::name_of(int row) const {
  return std::to_string(rows_.at(static_cast<std::size_t>(row)).number);
}

int OrbitalModel::row_of(const std::string& name, Spin spin) const {
  if (!orbitals_) return -1;
  try {
    return static_cast<int>(orbitals_->find(name, spin));
  } catch (const Error&) {
    return -1;
  }
}

int OrbitalModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int OrbitalModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant OrbitalModel::text(int row, int column) const {
  const Orbital& orbital = orbitals_->orbitals[static_cast<std::size_t>(row)];
  switch (column) {
    case number_column:
      return static_cast<qulonglong>(rows_[static_cast<std::size_t>(row)].number);
    case role_column:
      return rows_[static_cast<std::size_t>(row)].role;
    case symmetry_column:
      return to_qt(orbital.symmetry);
    case ev_column:
      if (!rows_[static_cast<std::size_t>(row)].has_energy) return QString();
      return QString::number(orbital.energy * units::hartree_in_ev, 'f', 3);
    case hartree_column:
      if (!rows_[static_cast<std::size_t>(row)].has_energy) return QString();
      return QString::number(orbital.energy, 'f', 5);
    case occupation_column:
      return QString::number(orbital.occupation, 'f',
                             orbital.occupation == static_cast<int>(orbital.occupation) ? 0 : 3);
    case spin_column:
      return orbital.spin == Spin::alpha ? tr("alpha") : tr("beta");
    default:
      return {};
  }
}

QVariant OrbitalModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Orbital& orbital = orbitals_->orbitals[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(index.row(), index.column());
    case sort_role:
      if (index.column() == role_column || index.column() == ev_column || index.column() == hartree_column) {
        const Row& row = rows_[static_cast<std::size_t>(index.row())];
        return row.has_energy ? orbital.energy : static_cast<double>(row.place);
      }
      if (index.column() == occupation_column) return orbital.occupation;
      return text(index.row(), index.column());
    case Qt::TextAlignmentRole:
      if (index.column() == role_column || index.column() == symmetry_column || index.column() == spin_column) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
      }
      return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole: {
      const QString& what = rows_[static_cast<std::size_t>(index.row())].role;
      QFont font;
      font.setBold(what == QLatin1String("HOMO") || what == QLatin1String("LUMO"));
      return font;
    }
    case Qt::ToolTipRole:
      return tr("Orbital %1, %2: %3 eV, %4 electrons")
          .arg(text(index.row(), number_column).toString(), text(index.row(), role_column).toString(),
               text(index.row(), ev_column).toString(), text(index.row(), occupation_column).toString());
    default:
      return {};
  }
}

QVariant OrbitalModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const char* const titles[] = {"No.", "Role", "Sym.", "E (eV)", "E (Eh)", "Occ.", "Spin"};
  static const char* const tips[] = {
      "Number in the file, from 1 within its spin",
      "Position by energy relative to the highest occupied (HOMO) or lowest unoccupied (LUMO) orbital",
      "Symmetry label of the file",
      "Orbital energy in electronvolt",
      "Orbital energy in hartree",
      "Occupation in electrons",
      "Spin of the electrons"};
  if (section < 0 || section >= column_count) return {};
  if (role == Qt::DisplayRole) return tr(titles[section]);
  if (role == Qt::ToolTipRole) return tr(tips[section]);
  return {};
}

}  // namespace isolume
