// The context menu of plots, wherever in the window or its dialogs they are.
#pragma once

#include <QObject>

class QMenu;

namespace isolume {

class MainWindow;

/// Gives plots of curves, dihedrals and levels *Export*: a plot of curves as the CSV of its values, all as a drawing.
/// Where a panel has set a menu of its own, with more formats, that one is shown.
class PlotMenus : public QObject {
  Q_OBJECT
 public:
  explicit PlotMenus(MainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool of_window(const QObject* object) const;
  /// Asks for a file for the plot.
  void ask_export(QWidget& plot);

  MainWindow& window_;
};

}  // namespace isolume
