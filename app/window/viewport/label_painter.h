// Texts in space, written over a picture of the window.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QSizeF>

#include <span>

#include "render/view/scene_view.h"

namespace isolume {

/// Where a point of the scene is in a picture of this size, y down; not finite where it is behind the eye.
QPointF project(const SceneView& view, const Camera& camera, glm::dvec3 point, QSizeF size);

/// Writes the view's labels over a picture of `size` (logical pixels of the painter) seen with `camera`, in letters of
/// `points` points with a rim that keeps them readable on everything; labels that have a size in theirs.
void paint_labels(QPainter& painter, const SceneView& view, const Camera& camera, QSizeF size, double points,
                  std::span<const std::uint8_t> covered = {});

/// Where a tile is in a picture of `size` (logical pixels), which has `pixel_ratio` pixels for each; all of it where
/// the view has no tiles.
QRectF tile_rect(const SceneView& view, std::size_t tile, QSizeF size, double pixel_ratio);
/// The tile at a point; 0 where there are none.
std::size_t tile_at(const SceneView& view, QPointF point, QSizeF size, double pixel_ratio);

/// Writes the labels of a view without tiles, its title (of a tile) in the upper left corner, and its scale bar.
void paint_tile_texts(QPainter& painter, const SceneView& view, const Camera& camera, const Look& look, QSizeF size,
                      double points, std::span<const std::uint8_t> covered = {});
/// The same of a whole picture, with or without tiles; letters of `usual` points where the look names no size.
void paint_texts(QPainter& painter, const SceneView& view, const Camera& camera, const Look& look, QSizeF size,
                 double pixel_ratio, double usual, const std::vector<std::vector<std::uint8_t>>& covered = {});

}  // namespace isolume
