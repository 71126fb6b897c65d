// A plot of curves: data, ranges, mouse and keyboard.
#include "app/window/plot.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isolume {
namespace {

constexpr double near_enough = 6;  ///< pixels from a curve that a click means
constexpr double zoom_step = 1.2;  ///< of one notch of the wheel

/// Distance of p from the segment a b.
double distance_to(QPointF p, QPointF a, QPointF b) {
  const QPointF along = b - a;
  const double length = QPointF::dotProduct(along, along);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, along) / length, 0.0, 1.0) : 0;
  const QPointF d = p - (a + t * along);
  return std::hypot(d.x(), d.y());
}

}  // namespace

Plot::Plot(const QString& what, QWidget* parent) : QWidget(parent) {
  setAccessibleName(what);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize Plot::sizeHint() const {
  return {360, 220};
}

QSize Plot::minimumSizeHint() const {
  return {160, 110};
}

void Plot::set_labels(PlotLabels labels) {
  labels_ = std::move(labels);
  update();
}

void Plot::set_curves(std::vector<PlotCurve> curves) {
  std::vector<double> all;
  for (PlotCurve& curve : curves) {
    curve.y.resize(curve.x.size(), std::numeric_limits<double>::quiet_NaN());
    all.insert(all.end(), curve.x.begin(), curve.x.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const bool same_x = !all.empty() && !all_x_.empty() && all.front() == all_x_.front() && all.back() == all_x_.back();
  curves_ = std::move(curves);
  all_x_ = std::move(all);
  if (own_ && same_x) {
    const bool any = std::any_of(curves_.begin(), curves_.end(), [&](const PlotCurve& curve) {
      return std::any_of(curve.y.begin(), curve.y.end(), [&](double y) { return y >= y_.lower && y <= y_.upper; });
    });
    if (any) {
      update();
      return;
    }
  }
  show_everything();
}

void Plot::set_chosen(const std::vector<bool>& chosen) {
  for (std::size_t i = 0; i < std::min(chosen.size(), curves_.size()); ++i) curves_[i].chosen = chosen[i];
  update();
}

void Plot::set_cursor(std::optional<double> x) {
  if (x == cursor_) return;
  cursor_ = x;
  update();
}

void Plot::show_everything() {
  own_ = false;
  double lower = std::numeric_limits<double>::max(), upper = std::numeric_limits<double>::lowest();
  bool from_zero = false;
  for (const PlotCurve& curve : curves_) {
    from_zero = from_zero || curve.steps;
    for (const double y : curve.y) {
      if (!std::isfinite(y)) continue;
      lower = std::min(lower, y);
      upper = std::max(upper, y);
    }
  }
  if (lower > upper) lower = upper = 0;
  y_ = roomy(lower, upper);
  if (from_zero && lower >= 0) y_.lower = 0;
  x_ = all_x_.empty() ? roomy(0, 1) : roomy(all_x_.front(), all_x_.back(), 0.02);
  update();
}

void Plot::show_y(double lower, double upper) {
  if (!(upper > lower)) return;
  y_.lower = lower;
  y_.upper = upper;
  own_ = true;
  update();
}

PlotAxis Plot::x_axis() const {
  const QRectF a = area();
  return {x_.lower, x_.upper, a.left(), a.right()};
}

PlotAxis Plot::y_axis() const {
  const QRectF a = area();
  return {y_.lower, y_.upper, a.bottom(), a.top()};
}

QString Plot::csv() const {
  const auto quoted = [](QString text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))) return text;
    text.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
  };
  QString text = quoted(labels_.x.isEmpty() ? QStringLiteral("x") : labels_.x);
  for (const PlotCurve& curve : curves_) text += QLatin1Char(',') + quoted(curve.name);
  text += QLatin1Char('\n');
  std::vector<std::size_t> at(curves_.size(), 0);
  for (const double x : all_x_) {
    text += QString::number(x, 'g', 12);
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      text += QLatin1Char(',');
      const PlotCurve& curve = curves_[i];
      if (at[i] >= curve.x.size() || curve.x[at[i]] != x) continue;
      if (std::isfinite(curve.y[at[i]])) text += QString::number(curve.y[at[i]], 'g', 12);
      ++at[i];
    }
    text += QLatin1Char('\n');
  }
  return text;
}

Plot::Hit Plot::nearest(QPointF position) const {
  Hit best;
  best.distance = std::numeric_limits<double>::max();
  const PlotAxis xs = x_axis(), ys = y_axis();
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    const PlotCurve& curve = curves_[c];
    // Only the points around the pointer can be near it.
    const double reach = std::abs(xs.value(near_enough * 2) - xs.value(0));
    const double x = xs.value(position.x());
    auto first =
        static_cast<std::size_t>(std::lower_bound(curve.x.begin(), curve.x.end(), x - reach) - curve.x.begin());
    first = first > 0 ? first - 1 : 0;
    for (std::size_t i = first; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.y[i])) continue;
      const QPointF here(xs.pixel(curve.x[i]), ys.pixel(curve.y[i]));
      double distance = distance_to(position, here, here);
      const bool joined = i + 1 < curve.x.size() && std::isfinite(curve.y[i + 1]);
      std::size_t point = i;
      if (joined) {
        const QPointF next(xs.pixel(curve.x[i + 1]), curve.steps ? here.y() : ys.pixel(curve.y[i + 1]));
        distance = distance_to(position, here, next);
        if (std::abs(next.x() - position.x()) < std::abs(here.x() - position.x())) point = i + 1;
      }
      if (distance < best.distance) best = {static_cast<int>(c), point, distance};
      if (curve.x[i] > x + reach) break;
    }
  }
  return best;
}

std::optional<double> Plot::nearest_x(double x) const {
  if (all_x_.empty()) return std::nullopt;
  const auto after = std::lower_bound(all_x_.begin(), all_x_.end(), x);
  if (after == all_x_.begin()) return all_x_.front();
  if (after == all_x_.end()) return all_x_.back();
  return *after - x < x - *std::prev(after) ? *after : *std::prev(after);
}

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
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressed_ = event->position();
  dragging_ = false;
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) {
    const Hit hit = nearest(event->position());
    setCursor(hit.curve >= 0 && hit.distance <= near_enough ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  const QPointF moved = event->position() - pressed_;
  if (!dragging_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
  dragging_ = true;
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
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  setCursor(Qt::ArrowCursor);
  if (std::exchange(dragging_, false)) return;
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
  const double from = chosen == curves_.end() ? -std::numeric_limits<double>::max() * sign : value(*chosen);
  int best = -1;
  double nearest = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const double y = value(curves_[i]);
    if (!std::isfinite(y) || (chosen != curves_.end() && &curves_[i] == &*chosen)) continue;
    const double above = sign * (y - from);
    if (above < 0 || above >= nearest) continue;
    nearest = above;
    best = static_cast<int>(i);
  }
  if (best >= 0) Q_EMIT curve_clicked(best, x);
}

void Plot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return move_cursor(-1);
    case Qt::Key_Right:
      return move_cursor(1);
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
