// Frames as a picture: the RMSD of all pairs as colours, or each frame as a point of two principal components.
#pragma once

#include <QImage>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/trajectory/rmsd_matrix.h"

namespace isolume {

/// A click goes to a frame; the frame that is shown is marked. Left and Right move by a frame.
class FrameMap : public QWidget {
  Q_OBJECT
 public:
  enum class Show { matrix, projection };
  explicit FrameMap(QWidget* parent = nullptr);

  /// Rows are frames of the trajectory by these numbers; `clusters` (one per row) colour points and the matrix' edge.
  void set_frames(std::vector<std::size_t> frames, std::vector<std::uint32_t> clusters);
  void set_matrix(RmsdMatrix matrix);
  /// Two numbers for every row, angstrom.
  void set_points(std::vector<double> x, std::vector<double> y);
  void set_show(Show show);
  void set_current(std::size_t frame);
  bool empty() const { return frames_.empty(); }
  /// Where a row is drawn, in the widget: on the diagonal of the matrix, or its point.
  QPointF place_of(std::size_t row) const;
  static QColor cluster_colour(std::uint32_t cluster);

  QSize sizeHint() const override { return {360, 360}; }
  QSize minimumSizeHint() const override { return {160, 160}; }

 Q_SIGNALS:
  void frame_chosen(std::size_t frame);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF area() const;
  void paint_matrix(QPainter& painter) const;
  void paint_points(QPainter& painter) const;
  std::optional<std::size_t> row_at(QPointF place, bool by_column) const;
  std::optional<std::size_t> current_row() const;

  Show show_ = Show::matrix;
  std::vector<std::size_t> frames_;
  std::vector<std::uint32_t> clusters_;
  RmsdMatrix matrix_;
  std::vector<double> x_, y_;
  float largest_ = 0;
  QImage image_;
  std::size_t current_ = 0;
};

}  // namespace isolume
