// The transfer function of a cloud as a curve: colour and opacity over the range of values.
#pragma once

#include <QWidget>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// Points at (value, opacity) over a bar of their colours. Mouse: drag a point, double click adds one or asks for the
/// colour of the one that is there, right click takes it away. Keys: Tab leaves; Left and Right choose a point, with
/// Ctrl the arrows move it; Insert adds, Delete takes away, Return asks for its colour.
class TransferEdit : public QWidget {
  Q_OBJECT
 public:
  explicit TransferEdit(QWidget* parent = nullptr);

  /// Shows points without announcing them; those of both signs reach from -1 to 1.
  void set_points(std::vector<TransferPoint> points, bool both_signs);
  const std::vector<TransferPoint>& points() const { return points_; }
  int chosen() const { return chosen_; }
  QSize sizeHint() const override { return {220, 96}; }
  QSize minimumSizeHint() const override { return {120, 80}; }

 Q_SIGNALS:
  /// `merge`: while something is dragged.
  void edited(const std::vector<isolume::TransferPoint>& points, bool merge);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF area() const;
  QPointF place_of(const TransferPoint& point) const;
  TransferPoint point_at(QPointF place) const;
  int point_near(QPointF place) const;
  void add(QPointF place);
  void remove(int index);
  void move(int index, TransferPoint to);
  void ask_colour(int index);
  void describe();

  std::vector<TransferPoint> points_;
  bool both_signs_ = true;
  int chosen_ = 0;
  bool dragging_ = false;
};

}  // namespace isolume
