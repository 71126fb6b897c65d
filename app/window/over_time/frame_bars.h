// Frames as bars in the last column of a list.
#pragma once

#include <QStyledItemDelegate>
#include <cstdint>
#include <functional>
#include <vector>

namespace isolume {

/// Bars of the frames in which a row is there, with a line at the current one.
class FrameBars : public QStyledItemDelegate {
 public:
  /// One byte for each frame of a row of the list; null for no row.
  using Frames = std::function<const std::vector<std::uint8_t>*(int row)>;
  using QStyledItemDelegate::QStyledItemDelegate;

  void set_frames(Frames frames, std::function<QColor(int row)> colour) {
    frames_ = std::move(frames);
    colour_ = std::move(colour);
  }
  /// Its place among the frames; -1 for none.
  void set_current(int place) { current_ = place; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Frames frames_;
  std::function<QColor(int)> colour_;
  int current_ = -1;
};

}  // namespace isolume
