// A slider and a number field for one value.
#pragma once

#include <QDoubleSpinBox>
#include <QSlider>
#include <QWidget>

namespace isolume {

/// A value between two bounds, moved coarsely by a slider and exactly by a box; announced while it moves.
class ValueSlider : public QWidget {
  Q_OBJECT
 public:
  enum class Scale { linear, logarithmic };
  /// `what` is the accessible name of both; `tip` says meaning and unit.
  ValueSlider(const QString& what, const QString& tip, QWidget* parent = nullptr);

  void set_range(double lowest, double highest, Scale scale, int decimals);
  void set_suffix(const QString& unit);
  /// Shows a value without announcing it.
  void set_value(double value);
  double value() const { return box_->value(); }
  QSlider* slider() const { return slider_; }
  QDoubleSpinBox* box() const { return box_; }

 Q_SIGNALS:
  void moved(double value);

 private:
  double from_slider(int position) const;
  int to_slider(double value) const;

  QSlider* slider_;
  QDoubleSpinBox* box_;
  double lowest_ = 0, highest_ = 1;
  Scale scale_ = Scale::linear;
};

}  // namespace isolume
