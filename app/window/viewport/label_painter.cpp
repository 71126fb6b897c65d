// Texts in space, written over a picture of the window.
#include "app/window/viewport/label_painter.h"

#include <QPainterPath>

#include "app/models/labels.h"
#include "app/view/labels.h"
#include "app/view/scale_bar.h"
#include "render/tiles.h"

namespace isolume {

QPointF project(const SceneView& view, const Camera& camera, glm::dvec3 point, QSizeF size) {
  const double aspect = size.width() / std::max(1.0, size.height());
  const glm::dvec4 clip =
      camera.projection_matrix(aspect, view.centre, view.radius) * camera.view() * glm::dvec4(point, 1);
  if (!(clip.w > 0)) return {qQNaN(), qQNaN()};
  return {(clip.x / clip.w + 1) / 2 * size.width(), (1 - clip.y / clip.w) / 2 * size.height()};
}

namespace {

struct Inks {
  QColor ink, rim;
};
Inks inks_for(const Look& look) {
  const glm::vec3 ground = 0.5f * (look.background + look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  if (dark) return {QColor(255, 255, 255), QColor(16, 18, 22, 210)};
  return {QColor(16, 18, 22), QColor(255, 255, 255, 225)};
}

TileGrid grid_of(const SceneView& view, QSizeF size, double pixel_ratio) {
  return TileGrid::of(static_cast<int>(view.tiles.size()), view.tile_columns, qRound(size.width() * pixel_ratio),
                      qRound(size.height() * pixel_ratio), pixel_ratio);
}

void paint_title(QPainter& painter, const SceneView& tile, const Look& look, QSizeF size, double points) {
  QFont font = painter.font();
  font.setPointSizeF(points);
  font.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(font, painter.device());
  constexpr double margin = 10;
  QPainterPath path;
  path.addText(margin, margin + metrics.ascent(), font,
               metrics.elidedText(to_qt(tile.title), Qt::ElideMiddle, size.width() - 2 * margin));
  const Inks inks = inks_for(look);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.strokePath(path, QPen(inks.rim, 0.28 * metrics.height(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.fillPath(path, inks.ink);
}

void paint_scale_bar(QPainter& painter, const Camera& camera, const Look& look, QSizeF size, double points) {
  if (look.scale_bar == ScaleBar::none) return;
  const ScaleBarLength bar = scale_bar_length(camera, look.scale_bar, size.height(), widest_scale_bar * size.width());
  QFont font = painter.font();
  font.setPointSizeF(points);
  font.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(font, painter.device());
  const double margin = 0.8 * metrics.height(), thick = std::max(2.0, 0.18 * metrics.height());
  const QRectF place(size.width() - margin - bar.pixels, size.height() - margin - thick, bar.pixels, thick);
  QPainterPath text;
  text.addText(0, 0, font, to_qt(bar.text));
  const QRectF box = text.boundingRect();
  const double x = std::min(place.center().x() - box.width() / 2, place.right() - box.width());
  text.translate(x - box.left(), place.top() - 0.35 * metrics.height() - box.bottom());
  const Inks inks = inks_for(look);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(place.adjusted(-1.5, -1.5, 1.5, 1.5), inks.rim);
  painter.fillRect(place, inks.ink);
  painter.strokePath(text, QPen(inks.rim, 0.28 * metrics.height(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.fillPath(text, inks.ink);
  painter.restore();
}

}  // namespace

void paint_labels(QPainter& painter, const SceneView& view, const Camera& camera, QSizeF size, double points,
                  std::span<const std::uint8_t> covered) {
  if (view.labels.empty()) return;
  const auto [ink, rim] = inks_for(view.look);
  QFont font = painter.font();
  font.setPointSizeF(points);
  font.setWeight(QFont::DemiBold);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  std::vector<TextPlace> places;
  std::vector<QPainterPath> paths;
  std::vector<double> heights;  // of lines
  for (std::size_t i = 0; i < view.labels.size(); ++i) {
    const Label& label = view.labels[i];
    const QPointF at = project(view, camera, glm::dvec3(label.position), size);
    if (!qIsFinite(at.x())) continue;
    QPainterPath path;
    font.setPointSizeF(label.points > 0 ? label.points : points);
    path.addText(0, 0, font, to_qt(label.text));
    const QRectF box = path.boundingRect();
    path.translate(-box.left(), -box.top());
    places.push_back({at.x() - box.width() / 2, at.y() - box.height() / 2, box.width(), 1.3 * box.height()});
    paths.push_back(std::move(path));
    heights.push_back(QFontMetricsF(font, painter.device()).height());
    places.back().behind = covered.size() == view.labels.size() && covered[i] != 0;
  }
  keep_apart(places);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!places[i].has_leader()) continue;
    const double thick = std::max(1.0, heights[i] / 14);
    const double x = places[i].x + 0.5 * places[i].width - 0.5 * thick;
    const QRectF line(x, places[i].leader_top(), thick, places[i].leader_bottom() - places[i].leader_top());
    painter.fillRect(line.adjusted(-thick, 0, thick, 0), rim);
    painter.fillRect(line, ink);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!places[i].shown) continue;
    const QPainterPath path = paths[i].translated(places[i].x, places[i].y);
    painter.setOpacity(places[i].behind ? faint : 1);
    if (!places[i].behind)
      painter.strokePath(path, QPen(rim, 0.28 * heights[i], Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillPath(path, ink);
  }
  painter.restore();
}

QRectF tile_rect(const SceneView& view, std::size_t tile, QSizeF size, double pixel_ratio) {
  if (view.tiles.empty()) return {QPointF(0, 0), size};
  const TileGrid grid = grid_of(view, size, pixel_ratio);
  const glm::ivec2 corner = grid.corner(static_cast<int>(tile));
  return {corner.x / pixel_ratio, corner.y / pixel_ratio, grid.width / pixel_ratio, grid.height / pixel_ratio};
}

std::size_t tile_at(const SceneView& view, QPointF point, QSizeF size, double pixel_ratio) {
  if (view.tiles.empty()) return 0;
  return static_cast<std::size_t>(
      grid_of(view, size, pixel_ratio)
          .at(point.x() * pixel_ratio, point.y() * pixel_ratio, static_cast<int>(view.tiles.size())));
}

void paint_tile_texts(QPainter& painter, const SceneView& view, const Camera& camera, const Look& look, QSizeF size,
                      double points, std::span<const std::uint8_t> covered) {
  SceneView texts;
  texts.labels = view.labels;
  texts.centre = view.centre;
  texts.radius = view.radius;
  texts.look = look;
  paint_labels(painter, texts, camera, size, points, covered);
  if (!view.title.empty()) paint_title(painter, view, look, size, points);
  paint_scale_bar(painter, camera, look, size, points);
}

void paint_texts(QPainter& painter, const SceneView& view, const Camera& camera, const Look& look, QSizeF size,
                 double pixel_ratio, double usual, const std::vector<std::vector<std::uint8_t>>& covered) {
  const double points = look.text_points > 0 ? static_cast<double>(look.text_points) : usual;
  const auto of = [&](std::size_t tile) {
    return tile < covered.size() ? std::span<const std::uint8_t>(covered[tile]) : std::span<const std::uint8_t>();
  };
  if (view.tiles.empty()) paint_tile_texts(painter, view, camera, look, size, points, of(0));
  for (std::size_t i = 0; i < view.tiles.size(); ++i) {
    const QRectF place = tile_rect(view, i, size, pixel_ratio);
    painter.save();
    painter.setClipRect(place);
    painter.translate(place.topLeft());
    paint_tile_texts(painter, view.tiles[i], tile_camera(camera, view.tiles[i]), look, place.size(), points, of(i));
    painter.restore();
  }
}

}  // namespace isolume
