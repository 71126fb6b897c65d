// The legends of the fields' colours, over the picture.
#pragma once

#include <QWidget>
#include <vector>

#include "app/fields/fields.h"

namespace isolume {

/// Lies over the viewport's lower left corner, lets the mouse through, and shows for every legend its title with the
/// unit and a bar of colours with its range, a patch for each isosurface, or names; method, measured error and total
/// charge are for screen readers (the Fields panel shows them). As large as it needs.
class LegendOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit LegendOverlay(QWidget* viewport);

  /// The part of the viewport in whose corner it is; a null one for all of it.
  void set_room(const QRect& room);
  /// `dark` says that the background under it is; `points`: size of the letters, 0 for the usual one.
  void set_legends(std::vector<FieldLegend> legends, bool dark, double points = 0);
  const std::vector<FieldLegend>& legends() const { return legends_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A title, broken at blanks where the view is too narrow for it.
  QStringList title_lines(const FieldLegend& legend) const;
  QSize size_of_legends() const;
  QFont letters() const;
  QFontMetrics metrics() const { return QFontMetrics(letters(), this); }
  int scaled(int pixels) const;
  int patch_width(const FieldLegend& legend) const;
  QFontMetrics bold_metrics() const;
  void place();

  std::vector<FieldLegend> legends_;
  QRect room_;
  bool dark_ = false;
  double points_ = 0;
};

}  // namespace isolume
