// Drawn over the picture: texts in space, and the frame of a box selection.
#include "app/window/viewport/viewport_overlay.h"

#include <QPainter>

#include "app/window/viewport/label_painter.h"

namespace isolume {

ViewportOverlay::ViewportOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Text over the 3D view"));
}

void ViewportOverlay::set_view(std::shared_ptr<const SceneView> view) {
  const auto has_texts = [](const SceneView* v) { return v != nullptr && !(v->labels.empty() && v->tiles.empty()); };
  const bool texts = has_texts(view.get()) || has_texts(view_.get());
  view_ = std::move(view);
  if (texts) update();
}

void ViewportOverlay::set_camera(const Camera& camera) {
  if (camera == camera_) return;
  camera_ = camera;
  const bool bar = look_.scale_bar != ScaleBar::none;
  if (view_ && (bar || !(view_->labels.empty() && view_->tiles.empty()))) update();
}

void ViewportOverlay::set_covered(std::vector<std::vector<std::uint8_t>> covered) {
  if (covered == covered_) return;
  covered_ = std::move(covered);
  if (view_) update();
}

void ViewportOverlay::set_traced(const QImage& picture) {
  if (picture.isNull() && traced_.isNull()) return;
  traced_ = picture;
  update();
}

void ViewportOverlay::set_look(const Look& look) {
  if (look == look_) return;
  look_ = look;
  update();
}

void ViewportOverlay::set_box(const QRectF& box, bool adds) {
  if (box == box_) return;
  box_ = box;
  adds_ = adds;
  update();
}

void ViewportOverlay::set_hint(const QString& hint) {
  if (hint == hint_) return;
  hint_ = hint;
  update();
}

void ViewportOverlay::paint(QPainter& painter) const {
  if (!traced_.isNull()) painter.drawImage(QRectF(rect()), traced_);
  if (!view_) return;
  painter.setFont(font());
  paint_texts(painter, *view_, camera_, look_, QSizeF(size()), devicePixelRatioF(), 1.05 * font().pointSizeF(),
              covered_);
}

void ViewportOverlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!box_.isEmpty()) {
    QColor colour = adds_ ? palette().color(QPalette::Highlight) : QColor(0xd5, 0x5e, 0);
    painter.setPen(QPen(colour, 1.5, adds_ ? Qt::SolidLine : Qt::DashLine));
    colour.setAlpha(40);
    painter.setBrush(colour);
    painter.drawRect(box_);
  }
  if (!hint_.isEmpty()) {
    QRectF place = fontMetrics().boundingRect(hint_).adjusted(-12, -6, 12, 6);
    place.moveCenter(QPointF(width() / 2.0, 8 + place.height() / 2));
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(place, 6, 6);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(place, Qt::AlignCenter, hint_);
  }
}

}  // namespace isolume
