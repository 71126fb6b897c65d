// The part of a field's form that has the levels of a map: its histogram, the level in standard deviations.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "app/window/live/scene_controller.h"

class QDoubleSpinBox;
class QGridLayout;
class QPushButton;

namespace isolume {

class LevelHistogram;

/// Rows of a form. All surfaces of one map share one histogram; it is counted on a thread of the pool.
class LevelRows : public QObject {
  Q_OBJECT
 public:
  LevelRows(QGridLayout* form, SceneController& controller, QObject* parent = nullptr);

  /// Shows field `row` of the scene, and the rows that it needs.
  void show_field(int row);

  LevelHistogram* histogram() const { return histogram_; }
  QDoubleSpinBox* sigma_box() const { return sigma_; }
  QPushButton* add_button() const { return add_; }

 Q_SIGNALS:
  /// Another surface of the map is meant.
  void chosen(int row);

 private:
  void count(const std::shared_ptr<const Volume>& volume);
  void show_levels();
  void change(int row, const QString& what, double value, bool merge);
  void add_level(double value);

  QGridLayout* form_;
  SceneController& controller_;
  LevelHistogram* histogram_;
  QDoubleSpinBox* sigma_;
  QPushButton* add_;
  int row_ = -1;
  std::shared_ptr<const Volume> volume_;  ///< whose histogram is shown or counted
};

}  // namespace isolume
