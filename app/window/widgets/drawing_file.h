// What a widget shows as a vector drawing in a file.
#pragma once

#include <QString>

class QWidget;

namespace isolume {

/// Draws the widget as it is, in the colours of the light theme and without what is for the keyboard: as PDF where the
/// path ends with .pdf, else as SVG. Written whole or not at all; throws Error.
void write_drawing(const QString& path, QWidget& widget, const QString& title);

}  // namespace isolume
