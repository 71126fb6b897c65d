// The list of a scene's representations, or of its fields.
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QMimeData>
#include <QPixmap>
#include <QString>
#include <utility>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// One row of the list, as it is shown.
struct SceneRow {
  bool visible = true;
  QString what;    ///< "Cartoon", "Orbital"
  QString detail;  ///< "protein", "HOMO"
  QString words;   ///< the selection in full, where the detail is a shorter name of it
  std::vector<QColor> colours;
  bool operator==(const SceneRow&) const = default;
};

SceneRow scene_row(const Representation& representation);
SceneRow scene_row(const Field& field);

/// A small square of one or two colours; drawn at twice its size for dense screens.
QPixmap swatch(const std::vector<QColor>& colours);

/// Two columns, what (with a check box for visibility and a colour swatch) and of which atoms. It shows what it is
/// given; an edit of the check box is only announced, and comes back through set_rows().
class SceneListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { what_column, detail_column, column_count };

  explicit SceneListModel(QString detail_title, QObject* parent = nullptr);
  /// Of the first column, which is "Shown as" otherwise.
  void set_title(QString title) { title_ = std::move(title); }

  void set_rows(std::vector<SceneRow> rows);
  const std::vector<SceneRow>& rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  /// Announces the move and answers false: the rows come back in their new order through set_rows().
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  void visibility_edited(int row, bool visible);
  /// A row was dragged: it is to stand before what is now row `to` (the number of rows for the end).
  void row_dragged(int from, int to);

 private:
  std::vector<SceneRow> rows_;
  QString detail_title_, title_;
};

}  // namespace isolume
