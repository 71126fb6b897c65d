// A slider and a number field for one value.
#include "app/window/widgets/value_slider.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

namespace isolume {
namespace {
constexpr int slider_steps = 500;

/// "0.6", where "0.60000" would leave no room for its unit.
class ShortBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  QString textFromValue(double value) const override {
    QString text = QDoubleSpinBox::textFromValue(value);
    if (decimals() < 4 || value == 0) return text;
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    return text.back().isDigit() ? text : text.chopped(1);
  }
};

}  // namespace

ValueSlider::ValueSlider(const QString& what, const QString& tip, QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal, this)), box_(new ShortBox(this)) {
  setAccessibleName(what);
  slider_->setAccessibleName(what + tr(", slider"));
  slider_->setToolTip(tip);
  slider_->setRange(0, slider_steps);
  slider_->setPageStep(slider_steps / 20);
  slider_->setMinimumWidth(30);
  box_->setAccessibleName(what);
  box_->setToolTip(tip);
  box_->setKeyboardTracking(false);
  box_->setMinimumWidth(84);
  setFocusProxy(box_);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(slider_, 1);
  layout->addWidget(box_);
  connect(slider_, &QSlider::valueChanged, this, [this](int position) {
    const double value = from_slider(position);
    {
      const QSignalBlocker quiet(box_);
      box_->setValue(value);
    }
    Q_EMIT moved(box_->value());
  });
  connect(box_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    {
      const QSignalBlocker quiet(slider_);
      slider_->setValue(to_slider(value));
    }
    Q_EMIT moved(value);
  });
}

void ValueSlider::set_range(double lowest, double highest, Scale scale, int decimals) {
  const QSignalBlocker quiet_box(box_);
  const QSignalBlocker quiet_slider(slider_);
  lowest_ = lowest;
  highest_ = highest;
  scale_ = scale;
  const double value = box_->value();
  box_->setDecimals(decimals);
  box_->setRange(lowest, highest);
  box_->setSingleStep(std::max(std::pow(10.0, -decimals), (highest - lowest) / 100));
  if (scale == Scale::logarithmic) box_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  slider_->setValue(to_slider(std::clamp(value, lowest, highest)));
}

void ValueSlider::set_suffix(const QString& unit) {
  box_->setSuffix(unit.isEmpty() ? QString() : QChar(0x202f) + unit);
}

void ValueSlider::set_value(double value) {
  if (slider_->isSliderDown()) return;  // what the user holds is not moved away
  const QSignalBlocker quiet_box(box_);
  const QSignalBlocker quiet_slider(slider_);
  box_->setValue(value);
  slider_->setValue(to_slider(value));
}

double ValueSlider::from_slider(int position) const {
  const double t = double(position) / slider_steps;
  if (scale_ == Scale::logarithmic) return lowest_ * std::pow(highest_ / lowest_, t);
  return lowest_ + (highest_ - lowest_) * t;
}

int ValueSlider::to_slider(double value) const {
  double t = 0;
  if (scale_ == Scale::logarithmic) {
    t = std::log(std::clamp(value, lowest_, highest_) / lowest_) / std::log(highest_ / lowest_);
  } else if (highest_ > lowest_) {
    t = (value - lowest_) / (highest_ - lowest_);
  }
  return static_cast<int>(std::lround(std::clamp(t, 0.0, 1.0) * slider_steps));
}

}  // namespace isolume
