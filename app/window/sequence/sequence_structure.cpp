// How secondary structure is named and drawn above the letters of a sequence.
#include "app/window/sequence/sequence_structure.h"

#include <QPainter>
#include <QPainterPath>

#include "app/window/sequence/sequence_view.h"

namespace isolume {
namespace {

bool is_helix(SecondaryStructure structure) {
  return structure == SecondaryStructure::helix || structure == SecondaryStructure::helix_3_10 ||
         structure == SecondaryStructure::helix_pi;
}

}  // namespace

QString structure_name(SecondaryStructure structure) {
  switch (structure) {
    case SecondaryStructure::helix:
      return SequenceView::tr("helix");
    case SecondaryStructure::helix_3_10:
      return SequenceView::tr("3-10 helix");
    case SecondaryStructure::helix_pi:
      return SequenceView::tr("pi helix");
    case SecondaryStructure::strand:
      return SequenceView::tr("strand");
    case SecondaryStructure::turn:
      return SequenceView::tr("turn");
    case SecondaryStructure::coil:
      break;
  }
  return SequenceView::tr("coil");
}

void paint_structure(QPainter& painter, const QColor& text, const SequenceRow& row, int column, const QRect& place) {
  const auto structure_at = [&](int at) {
    const std::int32_t residue = at < 0 ? -1 : row.residue_at(static_cast<std::size_t>(at));
    return residue < 0 ? SecondaryStructure::coil : row.topology->residues[static_cast<std::size_t>(residue)].structure;
  };
  const SecondaryStructure own = structure_at(column);
  const QRect room(place.left(), place.top() - structure_height, place.width(), structure_height - 1);
  const int middle = room.center().y();
  QColor line = text;
  line.setAlphaF(0.65f);
  if (is_helix(own)) {
    // A wave of one turn per residue, the same on light and dark backgrounds.
    QPainterPath wave(QPointF(room.left(), room.bottom()));
    wave.quadTo(QPointF(room.left() + 0.25 * room.width(), room.top() - 3),
                QPointF(room.left() + 0.5 * room.width(), middle));
    wave.quadTo(QPointF(room.left() + 0.75 * room.width(), room.bottom() + 4),
                QPointF(room.left() + room.width(), room.bottom()));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1.6));
    painter.drawPath(wave);
    painter.restore();
  } else if (own == SecondaryStructure::strand) {
    if (structure_at(column + 1) == SecondaryStructure::strand) {
      painter.fillRect(room.adjusted(0, 2, 0, -2), line);
    } else {
      QPainterPath head(QPointF(room.left(), room.top()));
      head.lineTo(room.right() + 1, middle + 0.5);
      head.lineTo(room.left(), room.bottom() + 1);
      painter.fillPath(head, line);
    }
  } else {
    painter.setPen(QPen(line, 1));
    painter.drawLine(room.left(), middle, room.right(), middle);
  }
}

}  // namespace isolume
