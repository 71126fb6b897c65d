// Drawn over the picture: texts in space, and the frame of a box selection.
#pragma once

#include <QImage>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "render/view/scene_view.h"

namespace isolume {

/// Lies over the 3-D view and takes no events.
class ViewportOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit ViewportOverlay(QWidget* parent);

  void set_view(std::shared_ptr<const SceneView> view);
  void set_camera(const Camera& camera);
  /// Which labels of each tile lie behind something opaque: those are faint.
  void set_covered(std::vector<std::vector<std::uint8_t>> covered);
  const std::vector<std::vector<std::uint8_t>>& covered() const { return covered_; }
  /// A picture that is seen in place of the one below; null for none.
  void set_traced(const QImage& picture);
  const QImage& traced() const { return traced_; }
  /// The background decides the colour of the texts.
  void set_look(const Look& look);
  /// The frame of a box selection; an empty one for none. `adds`: else it takes away.
  void set_box(const QRectF& box, bool adds = true);
  /// A line of help at the top ("Angle: click 2 more atoms"); empty for none.
  void set_hint(const QString& hint);
  const QString& hint() const { return hint_; }

  /// The picture that is seen in place of the one below, if any, and over it the labels and the titles of tiles.
  void paint(QPainter& painter) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::shared_ptr<const SceneView> view_;
  Camera camera_;
  std::vector<std::vector<std::uint8_t>> covered_;
  Look look_;
  QImage traced_;
  QRectF box_;
  bool adds_ = true;
  QString hint_;
};

}  // namespace isolume
