// The Ramachandran plot: phi and psi of the residues in the frame that is shown, linked with the selection.
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/window/live/live_view.h"
#include "app/window/live/scene_controller.h"
#include "compute/structure/ramachandran.h"

class QComboBox;
class QLabel;

namespace isolume {

/// A residue in the plot.
struct PlottedResidue {
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  RamachandranPoint point;
  RamachandranRegion region{};
  QString text;  ///< "A/ALA 12  -63 -42"
  bool selected = false;
};

/// The square itself: regions as shades, residues as dots. A click selects a residue, dragging those in a rectangle,
/// with Ctrl more; the arrow keys go from residue to residue.
class RamachandranPlot : public QWidget {
  Q_OBJECT
 public:
  explicit RamachandranPlot(QWidget* parent = nullptr);

  void set_residues(std::vector<PlottedResidue> residues);
  const std::vector<PlottedResidue>& residues() const { return residues_; }
  /// Which class alone is shown; none for all, with the regions of the general one.
  void set_class(std::optional<RamachandranClass> shown);
  /// Marks residues as selected; calls for each.
  template <class Selected>
  void mark(const Selected& selected) {
    for (PlottedResidue& residue : residues_) residue.selected = selected(residue);
    update();
  }
  /// Where dihedrals are in the widget.
  QPointF place(double phi, double psi) const;
  /// How wide the widget is whose square is as high as it can be.
  int width_for(int height) const;
  QSize sizeHint() const override { return {340, 320}; }
  QSize minimumSizeHint() const override { return {180, 160}; }

 Q_SIGNALS:
  /// Indices into residues(); `add`: to what is selected.
  void chosen(const std::vector<std::size_t>& residues, bool add);
  void hovered(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QRectF square() const;
  double left() const;   ///< of the square, for the numbers of psi
  double below() const;  ///< the square, for those of phi
  bool is_shown(const PlottedResidue& residue) const;
  std::optional<std::size_t> residue_at(QPointF place) const;
  const QImage& background();

  std::vector<PlottedResidue> residues_;
  std::optional<RamachandranClass> class_;
  QImage background_;
  std::optional<QPointF> press_;
  QPointF now_;
};

/// The plot with a choice of the residues that it shows. Dihedrals are computed on a thread of the pool, and only while
/// the panel is visible.
class RamachandranPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RamachandranPanel(SceneController& controller, QWidget* parent = nullptr);

  /// The picture is another one.
  void show_picture(std::shared_ptr<const BuiltView> built);
  RamachandranPlot* plot() const { return plot_; }
  QComboBox* classes() const { return classes_; }
  QLabel* note() const { return note_; }
  bool busy() const { return busy_; }
  QSize sizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void compute();
  void show_picked();
  void select(const std::vector<std::size_t>& residues, bool add);

  SceneController& controller_;
  RamachandranPlot* plot_;
  QComboBox* classes_;
  QLabel *note_, *counts_;
  std::shared_ptr<const BuiltView> built_;
  std::vector<std::shared_ptr<const Frame>> computed_;
  bool busy_ = false, again_ = false;
};

}  // namespace isolume
