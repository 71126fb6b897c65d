// A plot of curves: mouse and keyboard.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "app/window/widgets/plot.h"

namespace isolume {
namespace {

constexpr double zoom_step = 1.2;  ///< of one notch of the wheel

}  // namespace

void Plot::wheelEvent(QWheelEvent* event) {
  const QPointF at = event->position();
  // Alt and Shift turn the wheel sideways on some desktops.
  const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (turned == 0 || curves_.empty()) return;
  const double factor = std::pow(zoom_step, turned / 120.0);
  const bool both = event->modifiers().testFlag(Qt::ControlModifier);
  const bool only_x = event->modifiers().testFlag(Qt::ShiftModifier);
  if (both || only_x) x_.zoom(factor, x_axis().value(at.x()));
  if (both || !only_x) y_.zoom(factor, y_axis().value(at.y()));
  own_ = true;
  event->accept();
  update();
}

void Plot::mousePressEvent(QMouseEvent* event) {
  const bool middle = ranges_ && event->button() == Qt::MiddleButton;
  if (event->button() != Qt::LeftButton && !middle) return QWidget::mousePressEvent(event);
  pressed_ = event->position();
  dragging_ = false;
  choosing_ = ranges_ && !middle && !event->modifiers().testFlag(Qt::AltModifier);
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & (Qt::LeftButton | (ranges_ ? Qt::MiddleButton : Qt::NoButton)))) {
    const Hit hit = nearest(event->position());
    setCursor(hit.curve >= 0 && hit.distance <= near_enough ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const auto x = area().contains(event->position()) ? nearest_x(x_axis().value(event->position().x())) : std::nullopt;
    if (x == hovered_) return;
    hovered_ = x;
    if (x) {
      Q_EMIT hovered(*x);
    } else {
      Q_EMIT hover_left();
    }
    return;
  }
  const QPointF moved = event->position() - pressed_;
  if (!dragging_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
  dragging_ = true;
  if (choosing_) {
    setCursor(Qt::SizeHorCursor);
    drawn_ = dragged(event->position().x());
    return update();
  }
  setCursor(Qt::ClosedHandCursor);
  const PlotAxis xs = x_axis(), ys = y_axis();
  const double dx = xs.value(0) - xs.value(moved.x()), dy = ys.value(0) - ys.value(moved.y());
  x_.lower += dx;
  x_.upper += dx;
  y_.lower += dy;
  y_.upper += dy;
  pressed_ = event->position();
  own_ = true;
  update();
}

void Plot::mouseReleaseEvent(QMouseEvent* event) {
  const bool middle = ranges_ && event->button() == Qt::MiddleButton;
  if (event->button() != Qt::LeftButton && !middle) return QWidget::mouseReleaseEvent(event);
  setCursor(Qt::ArrowCursor);
  drawn_.reset();
  update();
  if (std::exchange(dragging_, false)) {
    const auto range = choosing_ ? dragged(event->position().x()) : std::nullopt;
    anchor_.reset();
    if (range && range->first < range->second) Q_EMIT range_chosen(range->first, range->second);
    return;
  }
  if (middle) return;
  const Hit hit = nearest(event->position());
  if (hit.curve >= 0 && hit.distance <= near_enough) {
    Q_EMIT curve_clicked(hit.curve, curves_[static_cast<std::size_t>(hit.curve)].x[hit.point]);
  } else if (const auto x = nearest_x(x_axis().value(event->position().x()))) {
    Q_EMIT x_clicked(*x);
  }
}

void Plot::mouseDoubleClickEvent(QMouseEvent*) {
  show_everything();
}

void Plot::move_cursor(int step) {
  if (all_x_.empty()) return;
  const double from = cursor_ ? *nearest_x(*cursor_) : all_x_.front();
  const auto at = std::lower_bound(all_x_.begin(), all_x_.end(), from) - all_x_.begin();
  const auto last = static_cast<std::ptrdiff_t>(all_x_.size()) - 1;
  const auto to = cursor_ ? std::clamp<std::ptrdiff_t>(at + step, 0, last) : at;
  Q_EMIT x_clicked(all_x_[static_cast<std::size_t>(to)]);
}

void Plot::move_range_end(int step) {
  if (all_x_.empty() || !cursor_) return move_cursor(step);
  const double from = *nearest_x(*cursor_);
  if (!anchor_) anchor_ = from;
  const double anchor = *anchor_;  // who is told may move the cursor
  const auto at = std::lower_bound(all_x_.begin(), all_x_.end(), from) - all_x_.begin();
  const auto last = static_cast<std::ptrdiff_t>(all_x_.size()) - 1;
  const double to = all_x_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + step, 0, last))];
  Q_EMIT x_clicked(to);
  const auto [lower, upper] = std::minmax(anchor, to);
  if (lower < upper) {
    Q_EMIT range_chosen(lower, upper);
  } else {
    Q_EMIT range_cleared();
  }
  anchor_ = anchor;
}

void Plot::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  if (!hovered_) return;
  hovered_.reset();
  Q_EMIT hover_left();
}

void Plot::choose_neighbour(bool upwards) {
  if (curves_.empty()) return;
  const double x = cursor_ ? *cursor_ : all_x_.empty() ? 0 : all_x_.front();
  const auto value = [&](const PlotCurve& curve) {
    const auto after = std::lower_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin();
    const auto i = std::min(static_cast<std::size_t>(after), curve.x.empty() ? 0 : curve.x.size() - 1);
    return curve.x.empty() ? std::numeric_limits<double>::quiet_NaN() : curve.y[i];
  };
  const auto chosen = std::find_if(curves_.begin(), curves_.end(), [](const PlotCurve& c) { return c.chosen; });
  const double sign = upwards ? 1 : -1;
  // Where none is chosen yet, the lowest (the highest) is the first.
  const bool first = chosen == curves_.end();
  const double from = first ? 0 : value(*chosen);
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const double y = value(curves_[i]);
    if (!std::isfinite(y) || (!first && &curves_[i] == &*chosen)) continue;
    const double above = sign * (y - from);
    if ((!first && above < 0) || above >= nearest) continue;
    nearest = above;
    best = static_cast<int>(i);
  }
  if (best >= 0) Q_EMIT curve_clicked(best, x);
}

void Plot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int step = event->key() == Qt::Key_Left ? -1 : 1;
      if (ranges_ && event->modifiers().testFlag(Qt::ShiftModifier)) return move_range_end(step);
      anchor_.reset();
      return move_cursor(step);
    }
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      if (!ranges_ || !band_) return QWidget::keyPressEvent(event);
      anchor_.reset();
      Q_EMIT range_cleared();
      return;
    case Qt::Key_Up:
      return choose_neighbour(true);
    case Qt::Key_Down:
      return choose_neighbour(false);
    case Qt::Key_Home:
      return show_everything();
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      y_.zoom(event->key() == Qt::Key_Plus ? zoom_step : 1 / zoom_step, 0.5 * (y_.lower + y_.upper));
      own_ = true;
      return update();
    default:
      QWidget::keyPressEvent(event);
  }
}

bool Plot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Hit hit = nearest(help->pos());
  if (hit.curve < 0 || hit.distance > near_enough) {
    QToolTip::hideText();
    return true;
  }
  const PlotCurve& curve = curves_[static_cast<std::size_t>(hit.curve)];
  const auto number = [](double value) { return QString::number(value, 'g', 6); };
  const bool warned = hit.point < curve.marked.size() && curve.marked[hit.point];
  QToolTip::showText(help->globalPos(),
                     tr("%1\n%2 %3, %4 %5%6")
                         .arg(curve.name, labels_.x, number(curve.x[hit.point]), labels_.y, number(curve.y[hit.point]),
                              warned ? tr("\nA weak match") : QString()),
                     this);
  return true;
}

}  // namespace isolume
