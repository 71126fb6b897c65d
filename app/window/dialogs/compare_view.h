// Methods of the potential in space, side by side, turned together.
#pragma once

#include <QFont>
#include <QTimer>
#include <QWidget>
#include <array>
#include <memory>
#include <vector>

#include "app/fields/comparison/comparison_view.h"
#include "app/window/settings/input_map.h"
#include "app/window/viewport/navigator.h"
#include "render/gl/context.h"

namespace isolume {

class ViewportRenderer;

/// The texts above and under the tiles. Scales are under each column where there is one row of tiles; of two rows there
/// are two scales, that of the upper row (`ranges[0]`) and that of the lower (`ranges[columns]`).
struct CompareTexts {
  std::vector<QString> titles;                  ///< of the tiles; empty for an empty one
  std::vector<std::array<QString, 2>> beneath;  ///< of each column: method, then times and errors
  std::vector<double> ranges;                   ///< of each tile, in `unit`, of the full colours
  int columns = 3;
  QString unit;
  int rows() const { return (static_cast<int>(titles.size()) + columns - 1) / columns; }
  glm::u8vec4 negative{213, 94, 0, 255}, positive{0, 114, 178, 255};
};

/// How they are written.
struct CompareStyle {
  QColor text, line, background;
  QFont font;
};

/// Of the texts beneath the scales.
double compare_beneath_height(const QFont& font);
/// Where the picture is in a view of this size; `beneath`: there are texts beneath the scales.
QRectF compare_picture_rect(QSizeF size, const QFont& font, bool beneath = true);
/// Writes titles, scales and the texts under them, where there are any, around the picture.
void paint_comparison(QPainter& painter, QSizeF size, const QImage& picture, const CompareTexts& texts,
                      const CompareStyle& style);
/// The texts beneath alone, the first line at `top`: the method in two lines, then times and errors.
void paint_beneath(QPainter& painter, QSizeF size, double top, const CompareTexts& texts, const CompareStyle& style);

/// The view is drawn by a thread of its own on an OpenGL context of its own; the window shows its pictures.
class CompareView : public QWidget {
  Q_OBJECT
 public:
  explicit CompareView(QWidget* parent = nullptr);
  ~CompareView() override;

  /// `context`: for the thread that draws; null keeps the one that there is. Where there is none nothing can be drawn.
  void show_view(std::shared_ptr<const SceneView> view, CompareTexts texts, std::unique_ptr<GlContext> context);
  void clear();
  bool has_context() const { return renderer_ != nullptr; }
  const std::shared_ptr<const SceneView>& view() const { return view_; }
  const CompareTexts& texts() const { return texts_; }
  const Camera& camera() const { return navigator_.camera; }
  CompareStyle style_now() const;
  /// The newest picture, without texts; null before the first.
  QImage picture() const;
  /// The newest picture shows the view as it is now, refined.
  bool at_rest() const { return finished_ == asked_ && !rest_.isActive(); }

 Q_SIGNALS:
  void failed(const QString& message);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Of two rows the table of the dialog has what is beneath; pictures need the height more.
  bool shows_beneath() const { return texts_.rows() <= 1; }
  QRectF picture_rect() const { return compare_picture_rect(QSizeF(size()), font(), shows_beneath()); }
  /// A point in its tile.
  QPointF in_tile(QPointF point) const;
  void ask(bool fast);
  void moved();
  void fit();

  std::shared_ptr<const SceneView> view_;
  CompareTexts texts_;
  std::unique_ptr<ViewportRenderer> renderer_;
  Navigator navigator_;
  InputMap input_ = input_maps().first();
  QTimer rest_;  ///< until what moved is refined
  std::uint64_t asked_ = 0, finished_ = 0;
  std::size_t press_tile_ = 0;
};

}  // namespace isolume
