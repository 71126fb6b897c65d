// Tool tips of numbers, with the range and the unit that they take.
#pragma once

#include <QString>

class QWidget;

namespace isolume {

/// The widget's tool tip; of a box for numbers, or the slider of a ValueSlider, with a line that says from where to
/// where it goes, in its unit.
QString tip_of(const QWidget* widget);

/// From now on such tips are shown in the whole program. May be called again.
void show_ranges_in_tips();

}  // namespace isolume
