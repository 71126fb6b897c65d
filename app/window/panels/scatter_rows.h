// The part of a field's form that plots its values against those that colour it.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "app/fields/fields.h"

class QGridLayout;
class QPushButton;

namespace isolume {

class Plot;

/// Rows of a form. Dragging over the plot chooses a range of the colours' values; only that part of the surface stays.
class ScatterRows : public QObject {
  Q_OBJECT
 public:
  explicit ScatterRows(QGridLayout* form, QObject* parent = nullptr);

  /// Shows a field and what was computed of it.
  void show_field(const Field& field);
  void show_result(const std::vector<glm::vec2>& points, const std::optional<FieldLegend>& legend);

  Plot* plot() const { return plot_; }
  QPushButton* all_button() const { return all_; }

 Q_SIGNALS:
  void edited(const QString& what, const std::function<void(isolume::Field&)>& change);

 private:
  QGridLayout* form_;
  Plot* plot_;
  QPushButton* all_;
  bool contacts_ = false;
};

}  // namespace isolume
