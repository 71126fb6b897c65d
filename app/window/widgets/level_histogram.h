// The histogram of a map's values, with the levels of its surfaces as marks to drag.
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "compute/density/volume_histogram.h"

namespace isolume {

/// Counts on a logarithmic scale over the values; below them the scale in standard deviations. A mark is dragged, or
/// moved by the arrow keys; a double click asks for its usual level, Ctrl and a click for one more level.
class LevelHistogram : public QWidget {
  Q_OBJECT
 public:
  /// A surface of the map.
  struct Level {
    int field = 0;  ///< of the scene
    double value = 0;
    QColor colour;
    bool operator==(const Level&) const = default;
  };

  explicit LevelHistogram(QWidget* parent = nullptr);

  /// Of no counts: nothing is drawn.
  void set_histogram(VolumeHistogram histogram);
  /// `chosen`: the one that keys move.
  void set_levels(std::vector<Level> levels, int chosen);
  const VolumeHistogram& histogram() const { return histogram_; }
  const std::vector<Level>& levels() const { return levels_; }
  /// The pixel of a value, and back.
  double x_of(double value) const;
  double value_at(double x) const;

  QSize sizeHint() const override { return {200, 84}; }
  QSize minimumSizeHint() const override { return {120, 84}; }

 Q_SIGNALS:
  void moved(int field, double value);
  void reset(int field);
  void added(double value);
  /// Another mark was taken.
  void chosen(int field);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF area() const;
  /// The index of the mark near a pixel; -1 for none.
  int level_near(double x) const;
  void move_to(double value);
  void describe();

  VolumeHistogram histogram_;
  std::vector<Level> levels_;
  int chosen_ = -1;  ///< index into levels_
  bool drags_ = false;
};

}  // namespace isolume
