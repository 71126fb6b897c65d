// A plot of curves: lines over a common axis, to look at, click and zoom.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "app/window/widgets/plot_axis.h"

namespace isolume {

/// One curve. `x` ascends; where `y` is not finite the line is interrupted.
struct PlotCurve {
  QString name;              ///< for the tool tip and the CSV
  std::vector<double> x, y;  ///< equally many
  std::vector<bool> marked;  ///< empty, or one per point: those that are drawn with a warning mark
  QColor colour;             ///< invalid for the next of plot_colour()
  double width = 1.6;        ///< pixels
  bool points = false;       ///< a dot at every point, as for few of them
  bool scatter = false;      ///< small dots at the points and no line
  bool steps = false;        ///< bars of a histogram: each y reaches from its x to the next
  bool chosen = false;       ///< drawn above the others, and thicker
};

/// The drawing around the curves.
struct PlotLabels {
  QString x, y;          ///< titles with their units: "Frame", "Energy (eV)"
  QString empty;         ///< the text while there are no curves
  bool whole_x = false;  ///< x counts something (frames): ticks at whole numbers only
};

/// The n-th of eight colours that stay apart on light and dark ground, and for colour-blind eyes (after Okabe and Ito).
QColor plot_colour(int n);

/// Curves with axes. The wheel zooms the y axis (with Shift the x axis, with Ctrl both), dragging moves, a double click
/// or Home shows everything again; a click near a curve announces the curve, a click elsewhere the x value. Left and
/// Right move the cursor from point to point, Up and Down choose the curve above or below.
///
/// Where ranges may be chosen, dragging chooses one (with Alt, or the middle button, it moves as elsewhere); Shift with
/// Left or Right begins one at the cursor and moves its end, Delete takes it away.
class Plot : public QWidget {
  Q_OBJECT
 public:
  explicit Plot(const QString& what, QWidget* parent = nullptr);

  void set_labels(PlotLabels labels);
  const PlotLabels& labels() const { return labels_; }
  /// Replaces the curves; the zoom is kept where the new curves have the same x range as the old ones and reach into
  /// what is seen.
  void set_curves(std::vector<PlotCurve> curves);
  const std::vector<PlotCurve>& curves() const { return curves_; }
  /// Which of the curves are drawn above the others, one value for each.
  void set_chosen(const std::vector<bool>& chosen);
  /// A vertical line, such as the frame that is shown; nothing for none.
  void set_cursor(std::optional<double> x);
  std::optional<double> cursor() const { return cursor_; }
  /// Whether a range of x may be chosen.
  void set_ranges(bool ranges) { ranges_ = ranges; }
  /// A range of x that is marked, both ends included; nothing for none.
  void set_band(std::optional<std::pair<double, double>> band);
  std::optional<std::pair<double, double>> band() const { return band_; }
  void show_everything();
  /// Shows this range of y; set_curves() keeps it as it keeps a zoom.
  void show_y(double lower, double upper);

  /// The axes as they are drawn in the widget, in its coordinates.
  PlotAxis x_axis() const;
  PlotAxis y_axis() const;
  /// "x,name,name" and a line for each x that any curve has; a curve without it has an empty field.
  QString csv() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A curve was clicked, or chosen by Up or Down: its place in curves() and the nearest of its points.
  void curve_clicked(int curve, double x);
  /// The plot was clicked off the curves, or the cursor was moved by Left or Right: the nearest x of any curve.
  void x_clicked(double x);
  /// The user chose a range of x (both at points of curves, the lower first), or took it away.
  void range_chosen(double lower, double upper);
  void range_cleared();
  /// The pointer is over this x of a curve, or over none any more.
  void hovered(double x);
  void hover_left();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  static constexpr double near_enough = 6;  ///< pixels from a curve that a click means
  struct Hit {
    int curve = -1;
    std::size_t point = 0;
    double distance = 0;  ///< pixels
  };
  QRectF area() const;
  Hit nearest(QPointF position) const;
  std::optional<double> nearest_x(double x) const;
  void draw_axes(QPainter& painter, const QRectF& area) const;
  void draw_curve(QPainter& painter, const PlotCurve& curve, int place) const;
  void choose_neighbour(bool upwards);
  void move_cursor(int step);
  void move_range_end(int step);
  void draw_band(QPainter& painter, const QRectF& area) const;
  /// The range between a place of the widget and where the button was pressed.
  std::optional<std::pair<double, double>> dragged(double x) const;

  PlotLabels labels_;
  std::vector<PlotCurve> curves_;
  std::vector<double> all_x_;  ///< of all curves, ascending
  std::optional<double> cursor_;
  PlotAxis x_, y_;    ///< ranges that are seen
  bool own_ = false;  ///< the user has zoomed or moved
  QPointF pressed_;
  bool dragging_ = false;
  bool ranges_ = false, choosing_ = false;          ///< ranges may be chosen; one is being dragged
  std::optional<std::pair<double, double>> band_;   ///< that is marked
  std::optional<std::pair<double, double>> drawn_;  ///< while it is being dragged
  std::optional<double> anchor_;                    ///< where a range chosen by keys begins
  std::optional<double> hovered_;
};

}  // namespace isolume
