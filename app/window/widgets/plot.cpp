// A plot of curves: data and ranges.
#include "app/window/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isolume {
namespace {

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

void Plot::set_band(std::optional<std::pair<double, double>> band) {
  if (band == band_) return;
  band_ = band;
  if (!band_) anchor_.reset();
  update();
}

std::optional<std::pair<double, double>> Plot::dragged(double x) const {
  const auto a = nearest_x(x_axis().value(pressed_.x())), b = nearest_x(x_axis().value(x));
  if (!a || !b) return std::nullopt;
  return std::minmax(*a, *b);
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
  // "RMSD (\u00c5)": the curves of a plot have one unit.
  const QString unit = labels_.y.endsWith(QLatin1Char(')'))
                           ? QLatin1Char(' ') + labels_.y.mid(labels_.y.lastIndexOf(QLatin1Char('(')))
                           : QString();
  for (const PlotCurve& curve : curves_)
    text += QLatin1Char(',') + quoted(curve.name.endsWith(unit) ? curve.name : curve.name + unit);
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

}  // namespace isolume
