// The list of a scene's representations, or of its fields.
#include "app/models/scene_list_model.h"

#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>

#include "app/models/labels.h"
#include "app/models/row_changes.h"
#include "app/scene/density_name.h"

namespace isolume {
namespace {

const QString row_type = QStringLiteral("application/x-isolume-row");

QColor to_colour(glm::u8vec4 colour) {
  return {colour.r, colour.g, colour.b};
}

}  // namespace

QPixmap swatch(const std::vector<QColor>& colours) {
  constexpr int side = 14;
  QPixmap pixmap(2 * side, 2 * side);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const double width = double(side - 2) / double(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) {
    painter.setBrush(colours[i]);
    painter.drawRect(QRectF(1 + width * double(i), 1, width, side - 2));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(128, 128, 128), 1));
  painter.drawRoundedRect(QRectF(0.5, 0.5, side - 1, side - 1), 2, 2);
  return pixmap;
}

namespace {

QString ligands_title() {
  return SceneListModel::tr("ligands and others");
}

/// A short name for the longer selections that scenes begin with, and of a residue that residue_selection_of() has
/// written; others as they are.
QString short_name(const QString& selection) {
  static const QRegularExpression residue(QStringLiteral("^(?:chain (\\w+) and )?resid (\\d+) and resname (\\w+)$"));
  if (selection == QLatin1String("not (protein or nucleic or water or ion or lipid)")) return ligands_title();
  const QRegularExpressionMatch found = residue.match(selection);
  if (!found.hasMatch()) return selection;
  const QString name = QStringLiteral("%1 %2").arg(found.captured(3), found.captured(2));
  return found.captured(1).isEmpty() ? name : QStringLiteral("%1/%2").arg(found.captured(1), name);
}

/// What a list calls atoms.
void name_atoms(const std::string& selection, SceneRow& row) {
  // Around others, whole residues and with or without hydrogens; the others are in parentheses, and may have some.
  static const QRegularExpression around(
      QStringLiteral("^(?:(not water|water) and same residue as )?(?:\\(noh and )?within ([0-9.]+) of "
                     "\\((?:noh and )?((?:[^()]|\\([^()]*\\))*)\\)\\)?(?: and not \\(.*\\))?$"));
  const QString words = to_qt(selection);
  row.detail = short_name(words);
  if (const QRegularExpressionMatch found = around.match(words); found.hasMatch()) {
    const bool water = found.captured(1) == QLatin1String("water");
    const QString others = short_name(found.captured(3));
    row.detail = water && others == ligands_title() ? SceneListModel::tr("water at ligands")
                                                    : (water ? SceneListModel::tr("water within %1 \u00c5 of %2")
                                                             : SceneListModel::tr("within %1 \u00c5 of %2"))
                                                          .arg(found.captured(2), others);
  }
  if (row.detail != words) row.words = words;
}

}  // namespace

SceneRow scene_row(const Representation& representation) {
  SceneRow row;
  row.visible = representation.visible;
  row.what = label(representation.style);
  name_atoms(representation.selection, row);
  if (representation.colouring == Colouring::uniform) row.colours = {to_colour(representation.colour)};
  return row;
}

SceneRow scene_row(const Field& field) {
  SceneRow row;
  row.visible = field.visible;
  const bool bare = field.kind == Field::Kind::solvent_excluded && field.probe_radius <= 0;
  const bool density = field.kind == Field::Kind::orbital && names_density(field.orbital);
  row.what = bare ? QStringLiteral("Van der Waals surface") : label(field.kind);
  switch (field.kind) {
    case Field::Kind::orbital:
      if (density) {
        row.what = orbital_label(field.orbital);
        break;
      }
      row.detail = orbital_label(field.orbital);
      if (field.spin == Spin::beta) row.detail += QStringLiteral(" beta");
      break;
    case Field::Kind::volume:
      row.detail = QStringLiteral("Map %1").arg(field.volume + 1);
      break;
    default:
      name_atoms(field.selection, row);
  }
  if (shows_difference(field)) row.what += QStringLiteral(" (difference)");
  // These have colours of their own.
  if (field.kind == Field::Kind::contacts || shows_bond_paths(field)) return row;
  if (!wraps_atoms(field.kind) || field.colouring == Colouring::uniform) {
    row.colours.push_back(to_colour(field.colour));
  }
  if (field.both_signs && !wraps_atoms(field.kind)) row.colours.push_back(to_colour(field.negative_colour));
  return row;
}

SceneListModel::SceneListModel(QString detail_title, QObject* parent)
    : QAbstractTableModel(parent), detail_title_(std::move(detail_title)) {}

void SceneListModel::set_rows(std::vector<SceneRow> rows) {
  const RowChange change = row_change(rows_, rows);
  const std::size_t in_place = std::min(change.removed, change.added);
  for (std::size_t i = change.first; i < change.first + in_place; ++i) rows_[i] = rows[i];
  const int from = static_cast<int>(change.first + in_place);
  if (change.removed > in_place) {
    const int count = static_cast<int>(change.removed - in_place);
    beginRemoveRows({}, from, from + count - 1);
    rows_.erase(rows_.begin() + from, rows_.begin() + from + count);
    endRemoveRows();
  } else if (change.added > in_place) {
    const int count = static_cast<int>(change.added - in_place);
    beginInsertRows({}, from, from + count - 1);
    rows_.insert(rows_.begin() + from, rows.begin() + from, rows.begin() + from + count);
    endInsertRows();
  }
  if (in_place > 0) {
    Q_EMIT dataChanged(index(static_cast<int>(change.first), 0), index(from - 1, column_count - 1));
  }
}

int SceneListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SceneListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant SceneListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const SceneRow& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    return QStringLiteral("%1 of %2, %3")
        .arg(row.what, row.words.isEmpty() ? row.detail : row.words, row.visible ? tr("shown") : tr("hidden"));
  }
  if (index.column() == what_column) {
    if (role == Qt::DisplayRole) return row.what;
    if (role == Qt::CheckStateRole) return row.visible ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::DecorationRole && !row.colours.empty()) return swatch(row.colours);
  } else if (role == Qt::DisplayRole) {
    return row.detail;
  }
  return {};
}

bool SceneListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  if (role != Qt::CheckStateRole || index.column() != what_column) return false;
  Q_EMIT visibility_edited(index.row(), value.toInt() == Qt::Checked);
  return true;
}

Qt::ItemFlags SceneListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;  // between rows, not onto them
  Qt::ItemFlags result = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren | Qt::ItemIsDragEnabled;
  if (index.column() == what_column) result |= Qt::ItemIsUserCheckable;
  return result;
}

QStringList SceneListModel::mimeTypes() const {
  return {row_type};
}

QMimeData* SceneListModel::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  // With the model's address, so that a row of another list or window is not taken for one of this.
  data->setData(row_type,
                QByteArray::number(reinterpret_cast<quintptr>(this)) + ' ' + QByteArray::number(indexes.first().row()));
  return data;
}

bool SceneListModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int,
                                     const QModelIndex& parent) const {
  return action == Qt::MoveAction && !parent.isValid() &&
         data->data(row_type).startsWith(QByteArray::number(reinterpret_cast<quintptr>(this)) + ' ');
}

bool SceneListModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                  const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  const int from = data->data(row_type).split(' ').last().toInt();
  const int to = row < 0 ? rowCount() : row;
  if (from >= 0 && from < rowCount() && to != from && to != from + 1) Q_EMIT row_dragged(from, to);
  return false;
}

QVariant SceneListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section != what_column) return detail_title_;
  return title_.isEmpty() ? tr("Type") : title_;
}

}  // namespace isolume
