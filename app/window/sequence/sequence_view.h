// Sequences to look at and to select in: one row a chain.
#pragma once

#include <QAbstractScrollArea>
#include <glm/glm.hpp>
#include <vector>

#include "app/window/sequence/sequence_rows.h"

namespace isolume {

/// Rows of letters in the colours of the picture, with numbers and secondary structure above them. A click selects a
/// residue, dragging several, with Shift those from the last one, with Ctrl more or fewer; a double click or a click on
/// the name selects the chain, one next to the letters nothing. The arrow keys move, with Shift they select. Only what
/// is visible is painted.
class SequenceView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit SequenceView(QWidget* parent = nullptr);

  void set_rows(std::vector<SequenceRow> rows);
  const std::vector<SequenceRow>& rows() const { return rows_; }
  /// By molecule and residue; alpha 0 for none.
  void set_colours(std::vector<std::vector<glm::u8vec4>> colours);
  const std::vector<std::vector<glm::u8vec4>>& colours() const { return colours_; }
  /// Shows what is selected elsewhere, and scrolls to the first of it where none of it is seen.
  void set_selected(ResidueMask selected);
  const ResidueMask& selected() const { return selected_; }
  /// The row of the residue under the cursor keys.
  std::size_t current_row() const { return static_cast<std::size_t>(cursor_.row); }
  /// Where a column of a row is, in the viewport.
  QRect cell(int row, int column) const;

 Q_SIGNALS:
  void residues_selected(const isolume::ResidueMask& selected);
  void copy_asked();

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// A place among the letters; column -1 is the name of the row, row -1 nothing.
  struct Place {
    int row = 0, column = 0;
  };
  Place place_at(QPoint point, bool nearest) const;
  void measure();
  void paint_row(QPainter& painter, int row, int first, int last) const;
  QString describe(Place place) const;
  /// Selects the block from the anchor to the cursor on top of what `base_` has.
  void select_block();
  void select_row(int row);
  void set_cursor(Place place);
  void show_cell(Place place);

  std::vector<SequenceRow> rows_;
  std::vector<std::vector<glm::u8vec4>> colours_;
  ResidueMask selected_, base_;
  Place anchor_, cursor_;
  bool adds_ = true;  ///< the block is selected, or deselected
  bool dragging_ = false;
  int cell_width_ = 10, letter_height_ = 16, number_height_ = 12, row_height_ = 44, name_width_ = 60;
  QFont number_font_;
};

}  // namespace isolume
