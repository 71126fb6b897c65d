// Frames as bars in the last column of a list.
#include "app/window/over_time/frame_bars.h"

#include <QPainter>
#include <algorithm>

namespace isolume {

void FrameBars::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  const std::vector<std::uint8_t>* frames = frames_ ? frames_(index.row()) : nullptr;
  if (!frames || frames->empty()) return;
  const QRect room = option.rect.adjusted(2, 3, -2, -3);
  const auto count = static_cast<double>(frames->size());
  painter->save();
  painter->fillRect(room, option.palette.alternateBase());
  const QColor colour = colour_(index.row());
  // A pixel that stands for several frames is filled by the share of them in which the row is there.
  for (int x = 0; x < room.width(); ++x) {
    const auto first = static_cast<std::size_t>(x * count / room.width());
    const auto last = std::max(first + 1, static_cast<std::size_t>((x + 1) * count / room.width()));
    std::size_t there = 0;
    for (std::size_t f = first; f < last && f < frames->size(); ++f) there += (*frames)[f];
    if (there == 0) continue;
    QColor part = colour;
    part.setAlphaF(std::max(0.25f, static_cast<float>(there) / static_cast<float>(last - first)));
    painter->fillRect(QRect(room.left() + x, room.top(), 1, room.height()), part);
  }
  if (current_ >= 0) {
    const int x = room.left() + static_cast<int>((current_ + 0.5) * room.width() / count);
    painter->fillRect(QRect(x, option.rect.top(), 2, option.rect.height()), QColor(213, 94, 0));
  }
  painter->restore();
}

}  // namespace isolume
