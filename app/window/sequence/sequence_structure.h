// Secondary structure above the letters of a sequence.
#pragma once

#include <QColor>
#include <QRect>
#include <QString>

#include "app/window/sequence/sequence_rows.h"

class QPainter;

namespace isolume {

/// Height of the drawing above the letters, pixels.
constexpr int structure_height = 8;

QString structure_name(SecondaryStructure structure);

/// Above the letter at `place`, in a colour near that of the text: a wave for a helix, an arrow for a strand, a line.
void paint_structure(QPainter& painter, const QColor& text, const SequenceRow& row, int column, const QRect& place);

}  // namespace isolume
