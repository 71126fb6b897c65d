// A layer of a map as colours, with its legend.
#include "app/window/viewport/layer_view.h"
#include "render/represent/diverging_scale.h"

#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr int steps = 255;  ///< of the colours on either side of white

QColor to_colour(glm::vec3 c) {
  return QColor::fromRgbF(std::clamp(c.r, 0.0f, 1.0f), std::clamp(c.g, 0.0f, 1.0f), std::clamp(c.b, 0.0f, 1.0f));
}

QString number(double value) {
  return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

LayerView::LayerView(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
  setAccessibleName(title);
  setFocusPolicy(Qt::NoFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LayerView::set_title(const QString& title) {
  title_ = title;
  setAccessibleName(title);
  update();
}

void LayerView::set_layer(const MapLayer& layer, double range, const QString& unit, glm::u8vec4 negative,
                          glm::u8vec4 positive) {
  range_ = range, unit_ = unit, negative_ = negative, positive_ = positive;
  width_length_ = std::max(1e-9, layer.width_length), height_length_ = std::max(1e-9, layer.height_length);
  const std::vector<glm::vec3> colours = diverging_colours(negative, positive, 2 * steps + 1);
  image_ = QImage(layer.width, layer.height, QImage::Format_RGB32);
  for (int row = 0; row < layer.height; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(layer.height - 1 - row));
    for (int i = 0; i < layer.width; ++i) {
      const auto place = static_cast<std::size_t>(row) * static_cast<std::size_t>(layer.width);
      const double value = static_cast<double>(layer.values[place + static_cast<std::size_t>(i)]);
      const double part = range > 0 && std::isfinite(value) ? std::clamp(value / range, -1.0, 1.0) : 0;
      line[i] = to_colour(colours[static_cast<std::size_t>(std::lround((part + 1) * steps))]).rgb();
    }
  }
  setAccessibleDescription(tr("%1 x %2 points, colours from %3 to %4 %5")
                               .arg(layer.width)
                               .arg(layer.height)
                               .arg(number(-range), number(range), unit));
  update();
}

void LayerView::clear() {
  image_ = QImage();
  setAccessibleDescription({});
  update();
}

void LayerView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetrics metrics = fontMetrics();
  const int line = metrics.height(), gap = 6, bar = 10;
  painter.setPen(palette().color(QPalette::WindowText));
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.drawText(QRect(0, 0, width(), line), Qt::AlignHCenter | Qt::AlignVCenter, title_);
  painter.setFont(font());
  const QRectF room(1, line + gap, width() - 2, std::max(1, height() - 2 * line - 3 * gap - bar - 2));
  if (image_.isNull()) {
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.drawRect(room);
    return;
  }
  const double scale = std::min(room.width() / width_length_, room.height() / height_length_);
  const QSizeF size(width_length_ * scale, height_length_ * scale);
  const QRectF place(QPointF(room.center().x() - size.width() / 2, room.center().y() - size.height() / 2), size);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(place, image_);
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.drawRect(place);
  const QRectF scale_bar(width() * 0.1, height() - line - gap - bar, width() * 0.8, bar);
  QLinearGradient gradient(scale_bar.topLeft(), scale_bar.topRight());
  constexpr int stops = 32;
  const std::vector<glm::vec3> colours = diverging_colours(negative_, positive_, stops + 1);
  for (int i = 0; i <= stops; ++i)
    gradient.setColorAt(i / double(stops), to_colour(colours[static_cast<std::size_t>(i)]));
  painter.fillRect(scale_bar, gradient);
  painter.drawRect(scale_bar);
  painter.setPen(palette().color(QPalette::WindowText));
  const QRectF under(scale_bar.left() - 0.1 * width(), scale_bar.bottom() + 2, width(), line);
  painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter, number(-range_));
  painter.drawText(under, Qt::AlignHCenter | Qt::AlignVCenter, unit_);
  painter.drawText(under, Qt::AlignRight | Qt::AlignVCenter, QLatin1Char('+') + number(range_));
}

}  // namespace isolume
