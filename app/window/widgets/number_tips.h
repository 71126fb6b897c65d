// Tool tips with the range and unit of numbers and the cost of a change.
#pragma once

#include <QString>

class QWidget;

namespace isolume {

/// What a change of the widget, or of those in it that have no cost of their own, takes: a sentence.
void set_cost(QWidget* widget, const QString& cost);

/// The widget's tool tip; of a box for numbers, or the slider of a ValueSlider, with a line that says from where to
/// where it goes, in its unit; and its cost, where it is a control and one is known.
QString tip_of(const QWidget* widget);

/// From now on such tips are shown in the whole program. May be called again.
void show_ranges_in_tips();

}  // namespace isolume
