// A spectrum of lines: the lines themselves and their sum, broadened.
#include "app/window/quantum/spectrum_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"

namespace isolume {
namespace {

constexpr std::size_t points = 1500;

/// Where a curve is computed: evenly, from some widths below the first line to some above the last.
std::vector<double> places(const SpectrumLines& lines, double width) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const SpectralLine& line : lines.lines) {
    low = std::min(low, line.position);
    high = std::max(high, line.position);
  }
  low -= 6 * width;
  high += 6 * width;
  if (lines.inverse > 0) low = std::max(low, 0.2 * (low + 6 * width));  // nm grow without end towards 0 eV
  std::vector<double> x(points);
  for (std::size_t i = 0; i < points; ++i)
    x[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
  return x;
}

}  // namespace

SpectrumView::SpectrumView(const QString& what, LineShape shape, double width, double least, double most,
                           const QString& unit, QWidget* parent)
    : QWidget(parent), plot_(new Plot(what, this)) {
  setAccessibleName(what);
  shape_ = make_box(tr("Shape of lines"), tr("Shape of the broadened lines"), {tr("Lorentzian"), tr("Gaussian")});
  shape_->setMinimumContentsLength(narrow_box);
  shape_->setCurrentIndex(static_cast<int>(shape));
  width_ = new QDoubleSpinBox(this);
  width_->setAccessibleName(tr("Width of lines"));
  width_->setToolTip(tr("Full width of a line at half of its height"));
  width_->setRange(least, most);
  width_->setDecimals(least < 1 ? 2 : 0);
  width_->setSingleStep(least < 1 ? 0.05 : 1);
  width_->setValue(width);
  width_->setSuffix(QLatin1Char(' ') + unit);
  width_->setKeyboardTracking(false);
  head_ = new QHBoxLayout;
  head_->addWidget(shape_);
  head_->addWidget(width_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addLayout(head_);
  layout->addWidget(plot_, 1);
  connect(shape_, &QComboBox::currentIndexChanged, this, &SpectrumView::compute);
  connect(width_, &QDoubleSpinBox::valueChanged, this, &SpectrumView::compute);
  const auto clicked = [this](double x) {
    int nearest = -1;
    double least_distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lines_.lines.size(); ++i) {
      const double distance = std::abs(shown(lines_.lines[i].position) - x);
      if (distance >= least_distance) continue;
      least_distance = distance;
      nearest = static_cast<int>(i);
    }
    if (nearest >= 0) Q_EMIT line_clicked(nearest);
  };
  connect(plot_, &Plot::x_clicked, this, clicked);
  connect(plot_, &Plot::curve_clicked, this, [clicked](int, double x) { clicked(x); });
}

void SpectrumView::set_lines(SpectrumLines lines) {
  lines_ = std::move(lines);
  marked_ = -1;
  plot_->set_cursor(std::nullopt);
  plot_->set_labels({lines_.x, lines_.y, lines_.empty, false});
  compute();
}

void SpectrumView::mark(int line) {
  marked_ = line;
  if (line < 0 || static_cast<std::size_t>(line) >= lines_.lines.size()) {
    plot_->set_cursor(std::nullopt);
  } else {
    plot_->set_cursor(shown(lines_.lines[static_cast<std::size_t>(line)].position));
  }
}

void SpectrumView::compute() {
  if (lines_.lines.empty()) {
    again_ = busy_;  // the curve that is still computed is of other lines
    plot_->set_curves({});
    return;
  }
  if (busy_) {
    again_ = true;
    return;
  }
  busy_ = true;
  const auto done = [this] {
    busy_ = false;
    if (std::exchange(again_, false)) compute();
  };
  run_async(
      this,
      [lines = lines_, shape = static_cast<LineShape>(shape_->currentIndex()), width = width_->value()] {
        std::vector<double> x = places(lines, width);
        std::vector<double> y = broadened(lines.lines, shape, width, x);
        return std::pair(std::move(x), std::move(y));
      },
      [this, done](std::pair<std::vector<double>, std::vector<double>> curve) {
        if (!again_) show_curve(curve.first, curve.second);
        done();
      },
      [done](const QString&) { done(); });
}

void SpectrumView::show_curve(const std::vector<double>& x, const std::vector<double>& y) {
  PlotCurve sum, sticks;
  sum.name = lines_.y;
  sum.x = x;
  sum.y = y;
  for (double& place : sum.x) place = shown(place);
  if (lines_.inverse > 0) {
    std::reverse(sum.x.begin(), sum.x.end());
    std::reverse(sum.y.begin(), sum.y.end());
  }
  sticks.name = tr("Lines");
  sticks.width = 1.2;
  sticks.colour = plot_colour(1);
  const auto shape = static_cast<LineShape>(shape_->currentIndex());
  const double peak = line_shape(shape, 0, width_->value());
  std::vector<SpectralLine> lines = lines_.lines;
  std::sort(lines.begin(), lines.end(),
            [&](const SpectralLine& a, const SpectralLine& b) { return shown(a.position) < shown(b.position); });
  for (const SpectralLine& line : lines) {
    const double place = shown(line.position);
    for (const double height : {0.0, peak * line.area, std::numeric_limits<double>::quiet_NaN()}) {
      sticks.x.push_back(place);
      sticks.y.push_back(height);
    }
  }
  plot_->set_curves({std::move(sum), std::move(sticks)});
  mark(marked_);
}

QString SpectrumView::csv() const {
  QString text = QStringLiteral("\"%1\",\"%2\"\n").arg(lines_.x, lines_.y);
  if (plot_->curves().empty()) return text;
  const PlotCurve& sum = plot_->curves().front();
  for (std::size_t i = 0; i < sum.x.size(); ++i)
    text += QStringLiteral("%1,%2\n").arg(sum.x[i], 0, 'g', 10).arg(sum.y[i], 0, 'g', 10);
  return text;
}

}  // namespace isolume
