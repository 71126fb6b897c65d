// A layer of a map as colours, with its legend.
#pragma once

#include <QImage>
#include <QWidget>

#include "app/fields/comparison/potential_comparison.h"

namespace isolume {

/// Paints a layer of values of both signs between two colours, white at 0, in the shape that it has, and under it a bar
/// of the colours with its ends. Title, range and what is under the pointer are said to screen readers too.
class LayerView : public QWidget {
  Q_OBJECT
 public:
  explicit LayerView(const QString& title, QWidget* parent = nullptr);

  /// Full colours at +-`range` (in the unit); values beyond have the colours of the ends.
  void set_layer(const MapLayer& layer, double range, const QString& unit, glm::u8vec4 negative, glm::u8vec4 positive);
  void clear();
  void set_title(const QString& title);
  const QImage& image() const { return image_; }
  double range() const { return range_; }

  QSize sizeHint() const override { return {240, 280}; }
  QSize minimumSizeHint() const override { return {130, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString title_, unit_;
  QImage image_;
  double width_length_ = 1, height_length_ = 1, range_ = 0;
  glm::u8vec4 negative_{0}, positive_{0};
};

}  // namespace isolume
