// Texts in space, written over a picture of the window.
#pragma once

#include <QPainter>
#include <QSizeF>

#include "render/scene_view.h"

namespace isolume {

/// Where a point of the scene lies in a picture of this size, y down; not finite where it is behind the eye.
QPointF project(const SceneView& view, const Camera& camera, glm::dvec3 point, QSizeF size);

/// Writes the view's labels over a picture of `size` (logical pixels of the painter) seen with `camera`, in letters of
/// `points` points with a rim that keeps them readable on everything.
void paint_labels(QPainter& painter, const SceneView& view, const Camera& camera, QSizeF size, double points);

}  // namespace isolume
