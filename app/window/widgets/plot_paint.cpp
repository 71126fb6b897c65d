// How a plot is painted: axes, curves, cursor.
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/window/widgets/plot.h"
#include "app/window/widgets/plot_frame.h"
#include "app/window/widgets/theme.h"

namespace isolume {
namespace {

/// Points of a line that is thinned to what can be seen: of each column of pixels the first, lowest, highest and last.
class Line {
 public:
  Line(QPainter& painter) : painter_(painter) {}
  ~Line() { finish(); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void add(QPointF point) {
    const double column = std::floor(point.x());
    if (!open_ || column != column_) {
      flush();
      column_ = column;
      first_ = low_ = high_ = last_ = point;
      open_ = true;
      return;
    }
    if (point.y() < low_.y()) low_ = point;
    if (point.y() > high_.y()) high_ = point;
    last_ = point;
  }
  void finish() {
    flush();
    if (points_.size() > 1) painter_.drawPolyline(points_.data(), static_cast<int>(points_.size()));
    if (points_.size() == 1) painter_.drawPoint(points_.front());
    points_.clear();
  }

 private:
  void flush() {
    if (!open_) return;
    open_ = false;
    for (const QPointF& point : {first_, low_, high_, last_}) {
      if (points_.empty() || points_.back() != point) points_.push_back(point);
    }
  }

  QPainter& painter_;
  std::vector<QPointF> points_;
  QPointF first_, low_, high_, last_;
  double column_ = 0;
  bool open_ = false;
};

}  // namespace

QColor plot_colour(int n) {
  static constexpr std::array<QRgb, 8> on_light = {0xff0072b2, 0xffd55e00, 0xff009e73, 0xffa23b78,
                                                   0xffb07d00, 0xff2f8fc4, 0xff6b5fb5, 0xff5c6470};
  static constexpr std::array<QRgb, 8> on_dark = {0xff4ba3e3, 0xfff08a4b, 0xff35c79a, 0xffd987b9,
                                                  0xffe5b93c, 0xff8fd0f5, 0xffa99cf0, 0xffa9b1bd};
  const auto i = static_cast<std::size_t>(n) % on_light.size();
  return QColor::fromRgba(dark_palette() ? on_dark[i] : on_light[i]);
}

QRectF Plot::area() const {
  const QFontMetricsF metrics(font());
  double widest = metrics.horizontalAdvance(QStringLiteral("0"));
  for (const QString& label : tick_labels(round_ticks(y_.lower, y_.upper, most_ticks(*this, height())))) {
    widest = std::max(widest, metrics.horizontalAdvance(label));
  }
  const double left = 8 + (labels_.y.isEmpty() ? 0 : metrics.height() + 4) + widest + 6;
  const double bottom = 6 + metrics.height() + (labels_.x.isEmpty() ? 2 : metrics.height() + 6);
  return QRectF(left, 8, std::max(20.0, width() - left - 12), std::max(20.0, height() - 8 - bottom));
}

void Plot::draw_axes(QPainter& painter, const QRectF& area) const {
  const QFontMetricsF metrics(font());
  const PlotAxis xs = x_axis();
  const double column = 4 * metrics.horizontalAdvance(QStringLiteral("0000"));
  const std::vector<double> columns =
      round_ticks(x_.lower, x_.upper, std::max(2, static_cast<int>(area.width() / column * 2)), labels_.whole_x);
  const std::vector<QString> names = tick_labels(columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = std::round(xs.pixel(columns[i])) + 0.5;
    painter.setPen(grid_pen(*this));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(palette().color(QPalette::WindowText));
    const double half = metrics.horizontalAdvance(names[i]) / 2 + 2;
    painter.drawText(QRectF(x - half, area.bottom() + 4, 2 * half, metrics.height()), Qt::AlignCenter, names[i]);
  }
  draw_value_axis(painter, *this, area, y_axis(), labels_.y);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  if (!labels_.x.isEmpty()) {
    painter.drawText(QRectF(area.left(), height() - metrics.height() - 4, area.width(), metrics.height()),
                     Qt::AlignCenter, labels_.x);
  }
}

void Plot::draw_curve(QPainter& painter, const PlotCurve& curve, int place) const {
  const PlotAxis xs = x_axis(), ys = y_axis();
  const QColor colour = curve.colour.isValid() ? curve.colour : plot_colour(place);
  painter.setPen(
      QPen(colour, curve.chosen ? curve.width + 1.4 : curve.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  const double far = 1e5;  // beyond what a painter takes
  const auto at = [&](double x, double y) {
    return QPointF(std::clamp(xs.pixel(x), -far, far), std::clamp(ys.pixel(y), -far, far));
  };
  if (curve.scatter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (std::isfinite(curve.y[i])) painter.drawEllipse(at(curve.x[i], curve.y[i]), 1.1, 1.1);
    return;
  }
  {
    Line line(painter);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.y[i])) {
        line.finish();
        continue;
      }
      line.add(at(curve.x[i], curve.y[i]));
      if (curve.steps && i + 1 < curve.x.size()) line.add(at(curve.x[i + 1], curve.y[i]));
    }
  }
  const double radius = curve.chosen ? 3.2 : 2.4;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  // Dots that would touch say no more than the line does.
  const bool apart = curve.x.size() < 2 || std::abs(xs.pixel(curve.x[1]) - xs.pixel(curve.x[0])) > 4 * radius;
  for (std::size_t i = 0; i < curve.x.size() && curve.points && apart; ++i) {
    if (std::isfinite(curve.y[i])) painter.drawEllipse(at(curve.x[i], curve.y[i]), radius, radius);
  }
  // Marked points: an open ring in the colour of a warning.
  painter.setBrush(palette().color(QPalette::Base));
  painter.setPen(QPen(QColor(0xc7, 0x3e, 0x1d), 1.8));
  for (std::size_t i = 0; i < std::min(curve.marked.size(), curve.x.size()); ++i) {
    if (curve.marked[i] && std::isfinite(curve.y[i])) painter.drawEllipse(at(curve.x[i], curve.y[i]), 4, 4);
  }
}

void Plot::draw_band(QPainter& painter, const QRectF& area) const {
  const auto& band = drawn_ ? drawn_ : band_;
  if (!band) return;
  const PlotAxis xs = x_axis();
  const double left = std::clamp(xs.pixel(band->first), area.left(), area.right());
  const double right = std::clamp(xs.pixel(band->second), area.left(), area.right());
  QColor colour = palette().color(QPalette::Highlight);
  colour.setAlphaF(0.22f);
  painter.fillRect(QRectF(left, area.top(), right - left, area.height()), colour);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
  for (const double x : {left, right}) painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void Plot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = this->area();
  if (curves_.empty()) return draw_nothing(painter, *this, labels_.empty);
  painter.fillRect(area, palette().color(QPalette::Base));
  draw_axes(painter, area);
  painter.save();
  painter.setClipRect(area);
  draw_band(painter, area);
  for (const bool chosen : {false, true}) {
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      if (curves_[i].chosen == chosen) draw_curve(painter, curves_[i], static_cast<int>(i));
    }
  }
  if (cursor_) {
    const double x = x_axis().pixel(*cursor_);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  painter.restore();
  draw_plot_frame(painter, *this, area);
}

}  // namespace isolume
