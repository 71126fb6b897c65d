// Mouse and keyboard to camera.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <Qt>
#include <glm/glm.hpp>

#include "app/window/settings/input_map.h"
#include "app/window/settings/six_axis_use.h"
#include "render/view/camera.h"

namespace isolume {

/// The camera that the user turns. A plain value; the viewport feeds it with events.
class Navigator {
 public:
  Camera camera;

  void set_size(QSizeF size) { size_ = size; }
  /// A point of the widget in units of half its height from its middle, y up: the camera's units.
  glm::dvec2 unit(QPointF point) const;

  void begin(Drag drag, QPointF point);
  /// True where the camera changed; box drags change nothing.
  bool move(QPointF point);
  void end() { drag_ = Drag::none; }
  Drag drag() const { return drag_; }

  /// `steps` of the wheel, positive away from the user: zooms to the pointer; cuts a slab from the front with `slab`.
  void wheel(double steps, QPointF point, bool slab);

  /// Two fingers went so far (logical pixels): moves or turns the scene with them.
  void scroll(QPointF pixels, ScrollUse use);
  /// Two fingers went apart by a factor about a point.
  void pinch(double factor, QPointF point) { camera.zoom(factor, unit(point)); }
  /// Two fingers turned, degrees counted clockwise.
  void roll(double degrees) { camera.turn({0, 0, 1}, -degrees); }

  /// A 3-D mouse: moves, zooms and rotates in the axes of the picture.
  void push(const SixAxisMotion& motion, const SixAxisUse& use);

  /// A key of the list in navigation_keys(); true where it was one.
  bool key(int key, Qt::KeyboardModifiers modifiers);

  /// Looks along an axis: 1 front (-z), 2 back, 3 right (-x), 4 left, 5 top (-y), 6 bottom.
  void look_from(int side);
  void toggle_projection();

 private:
  QSizeF size_{1, 1};
  Drag drag_ = Drag::none;
  QPointF last_;
};

/// Shift by which a camera has moved so little that a press and release is a click, in logical pixels.
inline constexpr double click_reach = 4;

}  // namespace isolume
