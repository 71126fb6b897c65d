// A table of numbers as a picture: a cell for each row and column, linked with what is selected.
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace isolume {

/// How numbers become colours.
struct HeatColours {
  double low = 0, high = 1;     ///< white and dark blue; `low` above `high`: small numbers are dark
  std::optional<double> step;   ///< a number between them at which the shade jumps, as a cutoff
  std::vector<QColor> classes;  ///< where there are some: of numbers 0, 1, 2 ..., instead
  bool signs = false;           ///< instead: red at -high, white at 0, blue at high
};

/// A picture that is ready to be drawn, made by heat_picture().
struct HeatPicture {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;  ///< rows x columns, NaN for nothing
  QStringList row_names, column_names;
  std::vector<std::size_t> breaks;  ///< rows (of a square also columns) before which a line is drawn, as of chains
  QString x, y;                     ///< titles of the axes
  QImage image;
  bool square = false;  ///< as many rows as columns, equally high and wide

  float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// Draws the cells into `picture.image`, at most 1500 a side; where there are more, a pixel has the darkest of its
/// cells (of classes the first, of signs the largest). For a thread of the pool.
void draw_heat(HeatPicture& picture, const HeatColours& colours);

/// A click selects a cell, dragging a rectangle, with Ctrl more; the arrow keys move by a cell, with Shift a rectangle
/// grows. The wheel, + and - zoom, with Shift along the columns alone; the middle button moves what is seen, a double
/// click and 0 show all. Rows and columns can be marked.
class HeatMap : public QWidget {
  Q_OBJECT
 public:
  explicit HeatMap(const QString& what, QWidget* parent = nullptr);

  void set_picture(HeatPicture picture);
  const HeatPicture& picture() const { return picture_; }
  /// What is said where there is no picture.
  void set_empty(const QString& text);
  const QString& empty_text() const { return empty_; }
  /// One byte for each row; a square marks the same columns.
  void set_marked(std::vector<std::uint8_t> rows);
  const std::vector<std::uint8_t>& marked() const { return marked_; }
  /// A column that is shown, as the current frame; nothing for none.
  void set_current(std::optional<std::size_t> column);
  std::optional<std::size_t> current() const { return current_; }
  /// What the note at the pointer says of a cell.
  void set_words(std::function<QString(std::size_t row, std::size_t column)> words) { words_ = std::move(words); }
  /// The rows and columns that are seen, as places in the table: all of them from 0 to their number.
  QRectF seen() const { return seen_; }
  /// Zooms about a place of the widget: above 1 in.
  void zoom(double factor, QPointF about, bool columns_alone = false);
  void show_all();
  /// The middle of a cell in the widget.
  QPointF place(std::size_t row, std::size_t column) const;

  /// How wide the widget is whose square is as high as it can be.
  int width_for(int height) const;

  QSize sizeHint() const override { return {380, 260}; }
  QSize minimumSizeHint() const override { return {200, 170}; }

 Q_SIGNALS:
  /// First and last row and column; `add`: to what is selected.
  void chosen(std::pair<std::size_t, std::size_t> rows, std::pair<std::size_t, std::size_t> columns, bool add);
  void hovered(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  using Cell = std::pair<std::size_t, std::size_t>;
  QRectF area() const;
  int left_margin() const;
  int below() const;  ///< the square, for numbers and the title
  Cell cell_at(QPointF place) const;
  /// A place of the widget in the table.
  QPointF place_at(QPointF place) const;
  void see(QRectF part);
  QRectF cells_rect(Cell a, Cell b) const;
  void paint_axes(QPainter& painter) const;
  void paint_marks(QPainter& painter) const;
  void announce(bool add);

  HeatPicture picture_;
  QRectF seen_;  ///< left and right: columns, top and bottom: rows
  QPointF moved_from_;
  bool moving_ = false;
  QString empty_;
  std::vector<std::uint8_t> marked_;
  std::optional<std::size_t> current_;
  std::optional<Cell> from_;  ///< of the rectangle that is dragged or moved by keys
  Cell to_{};
  bool dragging_ = false, adding_ = false;
  std::function<QString(std::size_t, std::size_t)> words_;
};

}  // namespace isolume
