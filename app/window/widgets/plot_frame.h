// The surroundings of a plot's curves: a value axis with its title, a frame, and the text of an empty plot.
#pragma once

#include <QPainter>
#include <QString>
#include <QWidget>

#include "app/window/widgets/plot_axis.h"

namespace isolume {

/// Lines across `area` at round numbers of an axis that runs upwards, their labels to the left of it, and the title,
/// turned, at the widget's left edge; in the widget's font and palette.
void draw_value_axis(QPainter& painter, const QWidget& widget, const QRectF& area, const PlotAxis& axis,
                     const QString& title);

/// The line of the grid behind curves.
QPen grid_pen(const QWidget& widget);

/// The frame around `area`, which says whether the widget has the keyboard's focus.
void draw_plot_frame(QPainter& painter, const QWidget& widget, const QRectF& area);

/// A sentence in the middle of a widget that has nothing else to show.
void draw_nothing(QPainter& painter, const QWidget& widget, const QString& text);

/// How many labels of a value axis have room in a height.
int most_ticks(const QWidget& widget, double height);

}  // namespace isolume
