// Pictures of a movement, enlarged to the size of the window.
#pragma once

#include <QImage>

namespace isolume {

/// A picture of QImage::Format_RGB32 whose rows stand from the bottom up (as OpenGL hands them over), from the top down
/// and linear between its pixels at another, larger size: a pixel's middle keeps its place, at the rim the outermost
/// pixels go on. To a part in 255 of every colour; in half the time of QImage's smooth scaling, which took a tenth of
/// both cores' time while a scene turned by the processor.
QImage enlarged(const QImage& upside_down, QSize size);

}  // namespace isolume
