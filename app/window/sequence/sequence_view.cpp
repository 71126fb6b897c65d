// The sequence view: layout and painting.
#include "app/window/sequence/sequence_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/sequence/sequence_structure.h"

namespace isolume {
namespace {

constexpr int row_gap = 6, margin = 6;

/// Black or white, whichever is read on the colour.
QColor text_on(const QColor& colour) {
  const double light = 0.299 * colour.red() + 0.587 * colour.green() + 0.114 * colour.blue();
  return light > 140 ? QColor(0, 0, 0) : QColor(255, 255, 255);
}

}  // namespace

SequenceView::SequenceView(QWidget* parent) : QAbstractScrollArea(parent) {
  setAccessibleName(tr("Sequences"));
  viewport()->setAccessibleName(tr("Sequences"));
  setToolTip(tr("Click or drag to select residues, Ctrl adds; double-click selects the chain"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setBackgroundRole(QPalette::Base);
  setMinimumHeight(3 * fontMetrics().height());
  measure();
}

void SequenceView::set_rows(std::vector<SequenceRow> rows) {
  rows_ = std::move(rows);
  anchor_ = cursor_ = {};
  dragging_ = false;
  measure();
}

void SequenceView::set_colours(std::vector<std::vector<glm::u8vec4>> colours) {
  colours_ = std::move(colours);
  viewport()->update();
}

void SequenceView::set_selected(ResidueMask selected) {
  if (selected == selected_) return;
  selected_ = std::move(selected);
  viewport()->update();
  Place first{-1, 0};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < rows_[r].columns.size(); ++c) {
      if (!holds(selected_, rows_[r].molecule, rows_[r].residue_at(c))) continue;
      const Place place{static_cast<int>(r), static_cast<int>(c)};
      const QRect area(name_width_, 0, viewport()->width() - name_width_, viewport()->height());
      if (area.contains(cell(place.row, place.column))) return;
      if (first.row < 0) first = place;
    }
  }
  if (first.row >= 0) show_cell(first);
}

void SequenceView::measure() {
  QFont fixed = font();
  number_font_ = fixed;
  number_font_.setPointSizeF(std::max(6.0, 0.75 * fixed.pointSizeF()));
  const QFontMetrics letters(font()), numbers(number_font_);
  cell_width_ = letters.horizontalAdvance(QLatin1Char('W')) + 2;
  letter_height_ = letters.height();
  number_height_ = numbers.height();
  row_height_ = number_height_ + structure_height + letter_height_ + row_gap;
  int widest = 0;
  std::size_t most = 0;
  for (const SequenceRow& row : rows_) {
    widest = std::max(widest, letters.horizontalAdvance(row.title));
    if (row.aligned()) widest = std::max(widest, numbers.horizontalAdvance(QStringLiteral("100.0 % of 1000")));
    most = std::max(most, row.columns.size());
  }
  name_width_ = std::min(widest, 14 * cell_width_) + 2 * margin;
  QScrollBar* across = horizontalScrollBar();
  const int room = std::max(1, (viewport()->width() - name_width_) / cell_width_);
  across->setRange(0, std::max(0, static_cast<int>(most) - room));
  across->setPageStep(room);
  QScrollBar* down = verticalScrollBar();
  const int height = static_cast<int>(rows_.size()) * row_height_ + margin;
  down->setRange(0, std::max(0, height - viewport()->height()));
  down->setPageStep(viewport()->height());
  down->setSingleStep(row_height_);
  viewport()->update();
}

QRect SequenceView::cell(int row, int column) const {
  return {name_width_ + (column - horizontalScrollBar()->value()) * cell_width_,
          margin + row * row_height_ + number_height_ + structure_height - verticalScrollBar()->value(), cell_width_,
          letter_height_};
}

SequenceView::Place SequenceView::place_at(QPoint point, bool nearest) const {
  const int count = static_cast<int>(rows_.size());
  if (count == 0) return {-1, 0};
  const int y = point.y() + verticalScrollBar()->value() - margin;
  int row = y < 0 ? -1 : y / row_height_;
  if (!nearest && (row < 0 || row >= count)) return {-1, 0};
  row = std::clamp(row, 0, count - 1);
  if (!nearest && point.x() < name_width_) return {row, -1};
  const int last = static_cast<int>(rows_[static_cast<std::size_t>(row)].columns.size()) - 1;
  int column = (point.x() - name_width_) / cell_width_ + horizontalScrollBar()->value();
  if (!nearest && column > last) return {-1, 0};
  if (point.x() < name_width_) column = std::max(0, horizontalScrollBar()->value() - 1);
  return {row, std::clamp(column, 0, std::max(0, last))};
}

void SequenceView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  if (rows_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No chain of protein or nucleic acid is open."));
    return;
  }
  const int top = verticalScrollBar()->value(), first = horizontalScrollBar()->value();
  const int last = first + (viewport()->width() - name_width_) / cell_width_ + 1;
  const int begin = std::max(0, (top - margin) / row_height_);
  const int end = std::min(static_cast<int>(rows_.size()), (top + viewport()->height()) / row_height_ + 1);
  painter.save();
  painter.setClipRect(name_width_, 0, viewport()->width() - name_width_, viewport()->height());
  for (int row = begin; row < end; ++row) paint_row(painter, row, first, last);
  painter.restore();
  for (int row = begin; row < end; ++row) {
    const SequenceRow& shown = rows_[static_cast<std::size_t>(row)];
    const QRect place = cell(row, 0);
    const QRect name(margin, place.top(), name_width_ - 2 * margin, letter_height_);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(shown.title, Qt::ElideLeft, name.width()));
    if (!shown.aligned() && !shown.unrelated) continue;
    painter.setFont(number_font_);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(
        name.translated(0, -number_height_), Qt::AlignLeft | Qt::AlignVCenter,
        shown.unrelated
            ? tr("not alike")
            : tr("%1 % of %2").arg(100.0 * double(shown.identical) / double(shown.pairs), 0, 'f', 1).arg(shown.pairs));
  }
}

void SequenceView::paint_row(QPainter& painter, int number, int first, int last) const {
  const SequenceRow& row = rows_[static_cast<std::size_t>(number)];
  const auto& colours = row.molecule < colours_.size() ? colours_[row.molecule] : std::vector<glm::u8vec4>();
  const QColor base = palette().color(QPalette::Base);
  last = std::min(last, static_cast<int>(row.columns.size()) - 1);
  int numbered_to = 0;  // the right end of the last number
  for (int column = std::max(0, first - 8); column <= last; ++column) {
    const QRect place = cell(number, column);
    const std::int32_t residue = row.residue_at(static_cast<std::size_t>(column));
    painter.setFont(font());
    if (residue < 0) {
      if (column < first) continue;
      painter.setPen(palette().color(QPalette::PlaceholderText));
      painter.drawText(place, Qt::AlignCenter, QStringLiteral("-"));
      continue;
    }
    const Residue& shown = row.topology->residues[static_cast<std::size_t>(residue)];
    const bool starts = column == 0 || row.residue_at(static_cast<std::size_t>(column) - 1) < 0;
    if (shown.number % 10 == 0 || (starts && !row.aligned()) || column == 0) {
      painter.setFont(number_font_);
      const QString text = QString::number(shown.number);
      const int width = painter.fontMetrics().horizontalAdvance(text);
      const int left = starts ? place.left() : place.center().x() - width / 2;
      if (numbered_to == 0 || left > numbered_to + 4) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRect(left, place.top() - structure_height - number_height_, width + 2, number_height_),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        numbered_to = left + width;
      }
      painter.setFont(font());
    }
    if (column < first) continue;
    QColor colour = base;
    const auto r = static_cast<std::size_t>(residue);
    if (r < colours.size() && colours[r].a > 0) colour = QColor(colours[r].r, colours[r].g, colours[r].b);
    paint_structure(painter, palette().color(QPalette::Text), row, column, place);
    const bool selected = holds(selected_, row.molecule, residue);
    painter.fillRect(place, selected ? palette().color(QPalette::Highlight) : colour);
    painter.setPen(selected ? palette().color(QPalette::HighlightedText) : text_on(colour));
    painter.drawText(place, Qt::AlignCenter, QString(QLatin1Char(row.letter_at(static_cast<std::size_t>(column)))));
    if (selected && colour != base) painter.fillRect(place.left(), place.bottom() - 2, place.width(), 3, colour);
    if (hasFocus() && cursor_.row == number && cursor_.column == column) {
      painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DotLine));
      painter.drawRect(place.adjusted(0, 0, -1, -1));
    }
  }
}

QString SequenceView::describe(Place place) const {
  if (place.row < 0) return {};
  const SequenceRow& row = rows_[static_cast<std::size_t>(place.row)];
  if (place.column < 0) {
    const QString text = tr("%1: %2 residues").arg(row.title).arg(row.residues.size());
    if (row.unrelated) return tr("%1; too unlike the first chain to be aligned with it").arg(text);
    return row.aligned() ? tr("%1, %2 of %3 aligned ones identical").arg(text).arg(row.identical).arg(row.pairs) : text;
  }
  const std::int32_t residue = row.residue_at(static_cast<std::size_t>(place.column));
  if (residue >= 0) {
    const Residue& shown = row.topology->residues[static_cast<std::size_t>(residue)];
    QString number = QString::number(shown.number);
    if (shown.insertion != ' ') number += QLatin1Char(shown.insertion);
    return QStringLiteral("%1 %2 %3, %4").arg(row.title, to_qt(shown.name), number, structure_name(shown.structure));
  }
  if (row.aligned()) return {};
  int before = place.column, behind = place.column;
  while (before > 0 && row.residue_at(static_cast<std::size_t>(before)) < 0) --before;
  while (row.residue_at(static_cast<std::size_t>(behind)) < 0) ++behind;  // a gap is never the last
  const auto number = [&](int column) {
    return row.topology->residues[static_cast<std::size_t>(row.residue_at(static_cast<std::size_t>(column)))].number;
  };
  return tr("%1: residues %2 to %3 are not in the file").arg(row.title).arg(number(before) + 1).arg(number(behind) - 1);
}

bool SequenceView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = describe(place_at(help->pos(), false));
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void SequenceView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  measure();
}

void SequenceView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) measure();
}

void SequenceView::show_cell(Place place) {
  QScrollBar* across = horizontalScrollBar();
  const int room = std::max(1, across->pageStep());
  if (place.column < across->value() || place.column >= across->value() + room)
    across->setValue(place.column - room / 4);
  QScrollBar* down = verticalScrollBar();
  const int top = place.row * row_height_;
  if (top < down->value()) down->setValue(top);
  if (top + row_height_ + margin > down->value() + viewport()->height())
    down->setValue(top + row_height_ + margin - viewport()->height());
}

void SequenceView::set_cursor(Place place) {
  cursor_ = place;
  setAccessibleDescription(describe(place));
  show_cell(place);
  viewport()->update();
}

}  // namespace isolume
