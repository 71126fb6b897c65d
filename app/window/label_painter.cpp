// Texts in space, written over a picture of the window.
#include "app/window/label_painter.h"

#include <QPainterPath>

#include "app/models/labels.h"

namespace isolume {

QPointF project(const SceneView& view, const Camera& camera, glm::dvec3 point, QSizeF size) {
  const double aspect = size.width() / std::max(1.0, size.height());
  const glm::dvec4 clip =
      camera.projection_matrix(aspect, view.centre, view.radius) * camera.view() * glm::dvec4(point, 1);
  if (!(clip.w > 0)) return {qQNaN(), qQNaN()};
  return {(clip.x / clip.w + 1) / 2 * size.width(), (1 - clip.y / clip.w) / 2 * size.height()};
}

void paint_labels(QPainter& painter, const SceneView& view, const Camera& camera, QSizeF size, double points) {
  if (view.labels.empty()) return;
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const QColor ink = dark ? QColor(255, 255, 255) : QColor(16, 18, 22);
  const QColor rim = dark ? QColor(16, 18, 22, 210) : QColor(255, 255, 255, 225);
  QFont font = painter.font();
  font.setPointSizeF(points);
  font.setWeight(QFont::DemiBold);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(font, painter.device());
  for (const Label& label : view.labels) {
    const QPointF at = project(view, camera, glm::dvec3(label.position), size);
    if (!qIsFinite(at.x())) continue;
    const QString text = to_qt(label.text);
    QPainterPath path;
    path.addText(0, 0, font, text);
    const QRectF box = path.boundingRect();
    path.translate(at.x() - box.center().x(), at.y() - box.center().y());
    painter.strokePath(path, QPen(rim, 0.28 * metrics.height(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillPath(path, ink);
  }
  painter.restore();
}

}  // namespace isolume
