// The histogram of a map's values, with the levels of its surfaces as marks to drag.
#include "app/window/widgets/level_histogram.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr double reach = 6;  // pixels from a mark
constexpr int margin = 6, scale_height = 16;

/// A step of the scale in standard deviations that leaves room for its numbers.
double scale_step(double deviations, double pixels) {
  for (const double step : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0})
    if (pixels * step / std::max(deviations, 1e-9) >= 28) return step;
  return 500;
}

}  // namespace

LevelHistogram::LevelHistogram(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Histogram of the map"));
  setToolTip(
      tr("How often each value occurs, on a logarithmic scale. Drag a mark to change the level of its surface; "
         "double-click for the usual level, Ctrl+click for one more level. Arrow keys move the level."));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LevelHistogram::set_histogram(VolumeHistogram histogram) {
  histogram_ = std::move(histogram);
  describe();
  update();
}

void LevelHistogram::set_levels(std::vector<Level> levels, int chosen) {
  if (levels == levels_ && chosen == chosen_) return;
  levels_ = std::move(levels);
  chosen_ = chosen;
  describe();
  update();
}

void LevelHistogram::describe() {
  if (chosen_ < 0 || static_cast<std::size_t>(chosen_) >= levels_.size()) return setAccessibleDescription({});
  const double value = levels_[static_cast<std::size_t>(chosen_)].value;
  const VolumeStatistics& s = histogram_.statistics;
  QString text = tr("Level %1 of %2: %3").arg(chosen_ + 1).arg(levels_.size()).arg(value, 0, 'g', 4);
  if (s.deviation > 0) text += tr(", %1 sigma").arg((value - s.mean) / s.deviation, 0, 'f', 2);
  setAccessibleDescription(text);
}

QRectF LevelHistogram::area() const {
  return QRectF(rect()).adjusted(margin, 4, -margin, -scale_height);
}

double LevelHistogram::x_of(double value) const {
  const VolumeStatistics& s = histogram_.statistics;
  const double low = static_cast<double>(s.lowest), width = static_cast<double>(s.highest) - low;
  return area().left() + (width > 0 ? (value - low) / width : 0.5) * area().width();
}

double LevelHistogram::value_at(double x) const {
  const VolumeStatistics& s = histogram_.statistics;
  const double low = static_cast<double>(s.lowest), high = static_cast<double>(s.highest);
  const double t = std::clamp((x - area().left()) / std::max(1.0, area().width()), 0.0, 1.0);
  return low + t * (high - low);
}

int LevelHistogram::level_near(double x) const {
  int best = -1;
  double least = reach;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const double distance = std::abs(x_of(levels_[i].value) - x);
    if (distance < least) least = distance, best = static_cast<int>(i);
  }
  return best;
}

void LevelHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  const QRectF a = area();
  const auto most = histogram_.counts.empty() ? std::uint64_t{0}
                                              : *std::max_element(histogram_.counts.begin(), histogram_.counts.end());
  if (most == 0) return;
  const double top = std::log1p(static_cast<double>(most));
  QColor bar = palette().text().color();
  bar.setAlpha(110);
  painter.setPen(Qt::NoPen);
  painter.setBrush(bar);
  const double width = a.width() / static_cast<double>(histogram_.counts.size());
  for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
    const double height = a.height() * std::log1p(static_cast<double>(histogram_.counts[i])) / top;
    painter.drawRect(QRectF(a.left() + static_cast<double>(i) * width, a.bottom() - height, width + 0.4, height));
  }
  const VolumeStatistics& s = histogram_.statistics;
  painter.setPen(palette().text().color());
  QFont small = font();
  small.setPointSizeF(0.8 * small.pointSizeF());
  painter.setFont(small);
  if (s.deviation > 0) {
    const double low = (static_cast<double>(s.lowest) - s.mean) / s.deviation;
    const double high = (static_cast<double>(s.highest) - s.mean) / s.deviation;
    const double step = scale_step(high - low, a.width());
    for (double n = std::ceil(low / step) * step; n <= high; n += step) {
      const double x = x_of(s.mean + n * s.deviation);
      painter.drawLine(QPointF(x, a.bottom()), QPointF(x, a.bottom() + 3));
      painter.drawText(QRectF(x - 20, a.bottom() + 2, 40, scale_height - 2), Qt::AlignCenter,
                       QStringLiteral("%1\u03c3").arg(n, 0, 'f', 0));
    }
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const double x = x_of(levels_[i].value);
    const bool now = static_cast<int>(i) == chosen_;
    painter.setPen(QPen(palette().base().color(), now ? 6 : 4));  // seen on bars of its own colour
    painter.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
    painter.setPen(QPen(levels_[i].colour, now ? 3 : 2));
    painter.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(palette().highlight().color(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void LevelHistogram::move_to(double value) {
  if (chosen_ < 0 || static_cast<std::size_t>(chosen_) >= levels_.size()) return;
  Level& level = levels_[static_cast<std::size_t>(chosen_)];
  // 0 stands for the usual level.
  if (value == 0) value = 1e-9 * static_cast<double>(histogram_.statistics.highest);
  level.value = value;
  describe();
  update();
  Q_EMIT moved(level.field, value);
}

void LevelHistogram::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || histogram_.counts.empty()) return;
  const double x = event->position().x();
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    Q_EMIT added(value_at(x));
    return;
  }
  const int near = level_near(x);
  drags_ = true;
  if (near >= 0 && near != chosen_) {
    chosen_ = near;
    Q_EMIT chosen(levels_[static_cast<std::size_t>(near)].field);
  } else if (near < 0) {
    move_to(value_at(x));
  }
}

void LevelHistogram::mouseMoveEvent(QMouseEvent* event) {
  if (drags_) move_to(value_at(event->position().x()));
}

void LevelHistogram::mouseReleaseEvent(QMouseEvent*) {
  drags_ = false;
}

void LevelHistogram::mouseDoubleClickEvent(QMouseEvent*) {
  drags_ = false;
  if (chosen_ >= 0 && static_cast<std::size_t>(chosen_) < levels_.size())
    Q_EMIT reset(levels_[static_cast<std::size_t>(chosen_)].field);
}

void LevelHistogram::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (by == 0 || chosen_ < 0 || static_cast<std::size_t>(chosen_) >= levels_.size())
    return QWidget::keyPressEvent(event);
  const VolumeStatistics& s = histogram_.statistics;
  const double step = s.deviation > 0 ? 0.1 * s.deviation : 0.01 * static_cast<double>(s.highest - s.lowest);
  const double value = levels_[static_cast<std::size_t>(chosen_)].value + by * step;
  move_to(std::clamp(value, static_cast<double>(s.lowest), static_cast<double>(s.highest)));
}

}  // namespace isolume
