// Tool tips with the range and unit of numbers and the cost of a change.
#include "app/window/widgets/number_tips.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPointer>
#include <QSlider>
#include <QSpinBox>
#include <QToolTip>

#include "app/window/widgets/value_slider.h"

namespace isolume {
namespace {

QString range_of(const QWidget* widget) {
  const auto text = [](const QAbstractSpinBox* box, const QString& lowest, const QString& highest,
                       const QString& suffix) {
    return QCoreApplication::translate("NumberTips", "%1 to %2%3")
        .arg(lowest, highest, suffix.isEmpty() || box == nullptr ? QString() : suffix);
  };
  if (const auto* box = qobject_cast<const QDoubleSpinBox*>(widget))
    return text(box, box->locale().toString(box->minimum(), 'g', 6), box->locale().toString(box->maximum(), 'g', 6),
                box->suffix());
  if (const auto* box = qobject_cast<const QSpinBox*>(widget))
    return text(box, box->locale().toString(box->minimum()), box->locale().toString(box->maximum()), box->suffix());
  return {};
}

constexpr char cost_property[] = "isolume-cost";

QString cost_of(const QWidget* widget) {
  // Labels and read-only numbers cost nothing.
  const bool control = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QAbstractSlider*>(widget) ||
                       qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                       qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractItemView*>(widget);
  if (!control) return {};
  for (const QWidget* place = widget; place != nullptr; place = place->parentWidget()) {
    const QVariant cost = place->property(cost_property);
    if (cost.isValid()) return cost.toString();
    if (place->isWindow()) break;
  }
  return {};
}

class Tips final : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    // The line of a box is a widget of its own.
    auto* widget = static_cast<QWidget*>(watched);
    if (widget->toolTip().isEmpty() &&
        (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) || qobject_cast<QComboBox*>(widget->parentWidget())))
      widget = widget->parentWidget();
    const QString tip = tip_of(widget);
    if (tip == widget->toolTip()) return false;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, widget);
    return true;
  }
};

}  // namespace

void set_cost(QWidget* widget, const QString& cost) {
  widget->setProperty(cost_property, cost);
}

QString tip_of(const QWidget* widget) {
  const QWidget* number = widget;
  if (qobject_cast<const QSlider*>(widget))
    if (const auto* both = qobject_cast<const ValueSlider*>(widget->parentWidget())) number = both->box();
  QStringList lines{widget->toolTip(), range_of(number), cost_of(widget)};
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

void show_ranges_in_tips() {
  static QPointer<Tips> tips;
  if (tips) return;
  tips = new Tips(qApp);
  qApp->installEventFilter(tips);
}

}  // namespace isolume
