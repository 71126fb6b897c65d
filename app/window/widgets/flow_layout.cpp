// Controls in a row that goes on in the next line where it is too long.
#include "app/window/widgets/flow_layout.h"

#include <QWidget>
#include <algorithm>
#include <iterator>

namespace isolume {
namespace {

constexpr int gap = 6;  // pixels between widgets and between lines

}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
}

void FlowLayout::addItem(QLayoutItem* item) {
  items_.emplace_back(item);
  invalidate();
}

void FlowLayout::add_first(QWidget* widget) {
  addWidget(widget);
  std::rotate(items_.begin(), std::prev(items_.end()), items_.end());
  invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* taken = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  invalidate();
  return taken;
}

int FlowLayout::heightForWidth(int width) const {
  return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
  QSize size(0, 0);
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    const QSize own = item->sizeHint();
    size = QSize(size.width() + own.width() + (size.width() > 0 ? gap : 0), std::max(size.height(), own.height()));
  }
  return size;
}

QSize FlowLayout::minimumSize() const {
  QSize size(0, 0);
  for (const auto& item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& room) {
  QLayout::setGeometry(room);
  arrange(room, true);
}

int FlowLayout::arrange(const QRect& room, bool place) const {
  int y = room.y();
  for (std::size_t i = 0; i < items_.size();) {
    // What fits into this line, at least one, all on one middle.
    int width = 0, height = 0;
    std::size_t end = i;
    for (; end < items_.size(); ++end) {
      if (items_[end]->isEmpty()) continue;
      const QSize size = items_[end]->sizeHint();
      if (width > 0 && width + gap + size.width() > room.width()) break;
      width += (width > 0 ? gap : 0) + size.width();
      height = std::max(height, size.height());
    }
    int x = room.x();
    for (std::size_t k = i; k < end && place; ++k) {
      if (items_[k]->isEmpty()) continue;
      const QSize size = items_[k]->sizeHint().boundedTo({std::max(room.width(), 1), height});
      items_[k]->setGeometry(QRect(QPoint(x, y + (height - size.height()) / 2), size));
      x += size.width() + gap;
    }
    if (height > 0) y += height + gap;
    i = end;
  }
  return std::max(y - gap - room.y(), 0);
}

}  // namespace isolume
