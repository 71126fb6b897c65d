// The sequence view: selecting with mouse and keys.
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

#include "app/window/sequence/sequence_view.h"

namespace isolume {
namespace {

void set(ResidueMask& mask, const SequenceRow& row, std::int32_t residue, bool on) {
  if (residue < 0) return;
  if (mask.size() <= row.molecule) mask.resize(row.molecule + std::size_t(1));
  mask[row.molecule].resize(row.topology->residues.size(), 0);
  mask[row.molecule][static_cast<std::size_t>(residue)] = on ? 1 : 0;
}

}  // namespace

void SequenceView::select_block() {
  ResidueMask mask = base_;
  const auto [top, bottom] = std::minmax(anchor_.row, cursor_.row);
  const auto [left, right] = std::minmax(anchor_.column, cursor_.column);
  for (int r = top; r <= bottom; ++r) {
    const SequenceRow& row = rows_[static_cast<std::size_t>(r)];
    for (int c = left; c <= right; ++c) set(mask, row, row.residue_at(static_cast<std::size_t>(c)), adds_);
  }
  selected_ = std::move(mask);
  viewport()->update();
}

void SequenceView::select_row(int number) {
  const SequenceRow& row = rows_[static_cast<std::size_t>(number)];
  ResidueMask mask = base_;
  for (const std::uint32_t residue : row.residues) set(mask, row, static_cast<std::int32_t>(residue), true);
  selected_ = std::move(mask);
  viewport()->update();
  Q_EMIT residues_selected(selected_);
}

void SequenceView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Place place = place_at(event->pos(), false);
  const bool more = event->modifiers().testFlag(Qt::ControlModifier);
  const bool on = event->modifiers().testFlag(Qt::ShiftModifier);
  if (place.row < 0) {
    if (more || on || selected_.empty()) return;
    selected_.clear();
    viewport()->update();
    Q_EMIT residues_selected(selected_);
    return;
  }
  const SequenceRow& row = rows_[static_cast<std::size_t>(place.row)];
  base_ = more ? selected_ : ResidueMask();
  adds_ = true;
  if (place.column < 0) {
    select_row(place.row);
    return;
  }
  if (!on) {
    anchor_ = place;
    adds_ = !(more && holds(selected_, row.molecule, row.residue_at(static_cast<std::size_t>(place.column))));
  }
  dragging_ = true;
  set_cursor(place);
  select_block();
}

void SequenceView::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_ || !event->buttons().testFlag(Qt::LeftButton)) return;
  const Place place = place_at(event->pos(), true);
  if (place.row == cursor_.row && place.column == cursor_.column) return;
  set_cursor(place);
  select_block();
}

void SequenceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = false;
  Q_EMIT residues_selected(selected_);
}

void SequenceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Place place = place_at(event->pos(), false);
  if (place.row < 0) return;
  dragging_ = false;
  base_ = event->modifiers().testFlag(Qt::ControlModifier) ? selected_ : ResidueMask();
  select_row(place.row);
}

void SequenceView::keyPressEvent(QKeyEvent* event) {
  if (rows_.empty()) return QAbstractScrollArea::keyPressEvent(event);
  if (event->matches(QKeySequence::Copy)) {
    Q_EMIT copy_asked();
    return;
  }
  if (event->matches(QKeySequence::SelectAll)) {
    base_.clear();
    for (const SequenceRow& row : rows_)
      for (const std::uint32_t residue : row.residues) set(base_, row, static_cast<std::int32_t>(residue), true);
    selected_ = base_;
    viewport()->update();
    Q_EMIT residues_selected(selected_);
    return;
  }
  Place to = cursor_;
  switch (event->key()) {
    case Qt::Key_Left:
      --to.column;
      break;
    case Qt::Key_Right:
      ++to.column;
      break;
    case Qt::Key_Up:
      --to.row;
      break;
    case Qt::Key_Down:
      ++to.row;
      break;
    case Qt::Key_Home:
      to.column = 0;
      break;
    case Qt::Key_End:
      to.column = static_cast<int>(rows_[static_cast<std::size_t>(to.row)].columns.size()) - 1;
      break;
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
  to.row = std::clamp(to.row, 0, static_cast<int>(rows_.size()) - 1);
  const int last = static_cast<int>(rows_[static_cast<std::size_t>(to.row)].columns.size()) - 1;
  to.column = std::clamp(to.column, 0, std::max(0, last));
  if (!event->modifiers().testFlag(Qt::ShiftModifier)) anchor_ = to;
  base_.clear();
  adds_ = true;
  set_cursor(to);
  select_block();
  Q_EMIT residues_selected(selected_);
}

}  // namespace isolume
