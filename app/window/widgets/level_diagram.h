// The energy levels of a molecule's orbitals, to look at and to choose from.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/window/widgets/plot_axis.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// A ladder of orbital energies (eV): one column, or one for each spin; levels of equal energy stand side by side.
/// Occupied ones are drawn full and carry their electrons, unoccupied ones are pale; the shown ones are marked. A click
/// or the arrow keys choose a level; the wheel zooms, dragging moves, a double click or Home goes back to the levels
/// around the gap.
class LevelDiagram : public QWidget {
  Q_OBJECT
 public:
  explicit LevelDiagram(QWidget* parent = nullptr);

  void set_orbitals(std::shared_ptr<const Orbitals> orbitals);
  /// Indices in Orbitals::orbitals of those that are shown; the first is the one that is edited.
  void set_shown(std::vector<std::size_t> shown);

  /// Where a level is, in the widget's coordinates.
  QRectF place(std::size_t orbital) const;
  void show_frontier();

  QSize sizeHint() const override { return {320, 260}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

 Q_SIGNALS:
  void chosen(int orbital);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// A level: its energy, and its place among those of nearly the same energy and spin.
  struct Level {
    double energy = 0;  ///< eV
    int place = 0, of = 1;
    double gap = 1e9;  ///< eV to the nearest level of this spin that does not stand next to it
  };
  QRectF area() const;
  PlotAxis axis() const;
  int hit(QPointF position) const;
  void step(int by);
  void draw_level(QPainter& painter, std::size_t orbital) const;

  std::shared_ptr<const Orbitals> orbitals_;  ///< null for natural ones, which have no energies
  bool natural_ = false;
  std::vector<Level> levels_;       ///< by orbital
  std::vector<std::size_t> order_;  ///< orbitals by energy
  std::vector<std::size_t> shown_;
  PlotAxis range_;
  QPointF pressed_;
  bool dragging_ = false;
};

}  // namespace isolume
