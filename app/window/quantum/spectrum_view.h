// A spectrum of lines: the lines themselves and their sum, broadened.
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "compute/analysis/line_spectrum.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;

namespace isolume {

class Plot;

/// What a spectrum shows.
struct SpectrumLines {
  std::vector<SpectralLine> lines;  ///< areas as broadened() takes them; lines of area 0 are drawn as nothing
  QString x, y;                     ///< titles with units
  QString empty;                    ///< what is there without lines
  /// Above 0: shown over this number divided by the position (nm for eV), and broadened before.
  double inverse = 0;
};

/// A plot with shape and width of its lines. Each line is as high as it is by itself; the curve is their sum. A click
/// announces the nearest line. The sum is computed on a thread of the pool.
class SpectrumView : public QWidget {
  Q_OBJECT
 public:
  /// `width`: full width at half height at first, in `unit`, and between which it can be chosen.
  SpectrumView(const QString& what, LineShape shape, double width, double least, double most, const QString& unit,
               QWidget* parent = nullptr);

  void set_lines(SpectrumLines lines);
  /// Marks a line with the cursor; -1 for none.
  void mark(int line);
  Plot* plot() const { return plot_; }
  QComboBox* shape() const { return shape_; }
  QDoubleSpinBox* width_box() const { return width_; }
  static constexpr int narrow_box = 7;  ///< letters of a choice above the plot: two and a number fit a narrow window
  /// The row of controls above the plot.
  QHBoxLayout* head() const { return head_; }
  bool busy() const { return busy_; }
  /// "x,y" of the broadened curve, a line each.
  QString csv() const;

 Q_SIGNALS:
  void line_clicked(int line);

 private:
  void compute();
  void show_curve(const std::vector<double>& x, const std::vector<double>& y);
  double shown(double position) const { return lines_.inverse > 0 ? lines_.inverse / position : position; }

  Plot* plot_;
  QComboBox* shape_;
  QDoubleSpinBox* width_;
  QHBoxLayout* head_;
  SpectrumLines lines_;
  int marked_ = -1;
  bool busy_ = false, again_ = false;
};

}  // namespace isolume
