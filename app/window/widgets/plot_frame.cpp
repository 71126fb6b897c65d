// The surroundings of a plot's curves: a value axis with its title, a frame, and the text of an empty plot.
#include "app/window/widgets/plot_frame.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace isolume {

QPen grid_pen(const QWidget& widget) {
  QColor grid = widget.palette().color(QPalette::Mid);
  grid.setAlphaF(0.45f);
  return QPen(grid, 1);
}

int most_ticks(const QWidget& widget, double height) {
  return std::max(2, static_cast<int>(height / (2.6 * QFontMetricsF(widget.font()).height())));
}

void draw_value_axis(QPainter& painter, const QWidget& widget, const QRectF& area, const PlotAxis& axis,
                     const QString& title) {
  const QFontMetricsF metrics(widget.font());
  const std::vector<double> ticks = round_ticks(axis.lower, axis.upper, most_ticks(widget, area.height()));
  const std::vector<QString> labels = tick_labels(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double y = std::round(axis.pixel(ticks[i])) + 0.5;
    painter.setPen(grid_pen(widget));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(widget.palette().color(QPalette::WindowText));
    painter.drawText(QRectF(0, y - metrics.height() / 2, area.left() - 6, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, labels[i]);
  }
  if (title.isEmpty()) return;
  painter.setPen(widget.palette().color(QPalette::PlaceholderText));
  painter.save();
  painter.translate(5, area.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-area.height() / 2 - 20, 0, area.height() + 40, metrics.height()), Qt::AlignCenter, title);
  painter.restore();
}

void draw_plot_frame(QPainter& painter, const QWidget& widget, const QRectF& area) {
  const bool focus = widget.hasFocus();
  painter.setPen(QPen(widget.palette().color(focus ? QPalette::Highlight : QPalette::Mid), focus ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area);
}

void draw_nothing(QPainter& painter, const QWidget& widget, const QString& text) {
  painter.fillRect(widget.rect(), widget.palette().color(QPalette::Base));
  painter.setPen(widget.palette().color(QPalette::PlaceholderText));
  painter.drawText(QRectF(widget.rect()).adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

}  // namespace isolume
