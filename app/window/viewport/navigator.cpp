// Mouse and keyboard to camera.
#include "app/window/viewport/navigator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace isolume {

glm::dvec2 Navigator::unit(QPointF point) const {
  const double half = std::max(size_.height(), 1.0) / 2;
  return {(point.x() - size_.width() / 2) / half, (size_.height() / 2 - point.y()) / half};
}

void Navigator::begin(Drag drag, QPointF point) {
  drag_ = drag;
  last_ = point;
}

bool Navigator::move(QPointF point) {
  if (point == last_) return false;
  const glm::dvec2 from = unit(last_);
  const glm::dvec2 to = unit(point);
  last_ = point;
  switch (drag_) {
    case Drag::rotate:
      camera.rotate(from, to);
      return true;
    case Drag::pan:
      camera.pan(to - from);
      return true;
    case Drag::zoom:  // down comes nearer, as in the programs that have it
      camera.zoom(std::exp(2 * (from.y - to.y)));
      return true;
    case Drag::roll:
      camera.turn({0, 0, 1}, 120 * (from.x - to.x));
      return true;
    case Drag::slab:
      camera.slab_front = std::max(0.0, camera.slab_front + 0.5 * (from.y - to.y) * camera.height);
      return true;
    default:
      return false;
  }
}

void Navigator::wheel(double steps, QPointF point, bool slab) {
  if (slab) {
    camera.slab_front = std::max(0.0, camera.slab_front - steps * 0.05 * camera.height);
  } else {
    camera.zoom(std::pow(1.15, steps), unit(point));
  }
}

void Navigator::scroll(QPointF pixels, ScrollUse use) {
  if (use == ScrollUse::turn) {
    constexpr double degrees_a_pixel = 0.4;
    camera.turn({0, 1, 0}, degrees_a_pixel * pixels.x());
    camera.turn({1, 0, 0}, degrees_a_pixel * pixels.y());
  } else {
    camera.pan(glm::dvec2(pixels.x(), -pixels.y()) / (0.5 * size_.height()));
  }
}

void Navigator::push(const SixAxisMotion& motion, const SixAxisUse& use) {
  // Of the cap as far as it goes, in a second.
  constexpr double furthest = 350, half_heights = 2, powers_of_e = 1.5, degrees = 150;
  constexpr int longest = 40;  // ms: after a rest the daemon counts the rest as well
  const double seconds = std::clamp(motion.milliseconds, 1, longest) / 1000.0;
  const auto strongest = std::max_element(motion.axes.begin(), motion.axes.end(), [](int a, int b) {
    return std::abs(static_cast<double>(a)) < std::abs(static_cast<double>(b));
  });
  std::array<double, 6> way{};
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (use.strongest && i != static_cast<std::size_t>(strongest - motion.axes.begin())) continue;
    const bool back = (use.reversed >> i & 1) != (use.moves_camera ? 1 : 0);
    way[i] = std::clamp(motion.axes[i] / furthest, -2.0, 2.0) * (back ? -1 : 1) * seconds *
             (i < 3 ? use.move : use.turn) / 100;
  }
  camera.pan(half_heights * glm::dvec2(way[0], way[1]));
  camera.zoom(std::exp(-powers_of_e * way[2]));
  // The camera's z is towards the user.
  const glm::dvec3 axis(way[3], way[4], -way[5]);
  camera.turn(axis, degrees * glm::length(axis));
}

bool Navigator::key(int key, Qt::KeyboardModifiers modifiers) {
  const bool shift = modifiers.testFlag(Qt::ShiftModifier);
  const bool alt = modifiers.testFlag(Qt::AltModifier);
  constexpr double angle = 5;       // degrees
  constexpr double shift_by = 0.1;  // half heights
  if (shift && !alt) {
    switch (key) {
      case Qt::Key_Left:
        camera.turn({0, 1, 0}, -angle);
        return true;
      case Qt::Key_Right:
        camera.turn({0, 1, 0}, angle);
        return true;
      case Qt::Key_Up:
        camera.turn({1, 0, 0}, -angle);
        return true;
      case Qt::Key_Down:
        camera.turn({1, 0, 0}, angle);
        return true;
      case Qt::Key_PageUp:
        camera.turn({0, 0, 1}, angle);
        return true;
      case Qt::Key_PageDown:
        camera.turn({0, 0, 1}, -angle);
        return true;
      default:
        break;
    }
  }
  if (alt && !shift) {
    switch (key) {
      case Qt::Key_Left:
        camera.pan({-shift_by, 0});
        return true;
      case Qt::Key_Right:
        camera.pan({shift_by, 0});
        return true;
      case Qt::Key_Up:
        camera.pan({0, shift_by});
        return true;
      case Qt::Key_Down:
        camera.pan({0, -shift_by});
        return true;
      default:
        break;
    }
  }
  if (modifiers.testFlag(Qt::ControlModifier)) return false;
  if (key == Qt::Key_Plus || key == Qt::Key_Equal) {
    camera.zoom(1.15);
    return true;
  }
  if (key == Qt::Key_Minus) {
    camera.zoom(1 / 1.15);
    return true;
  }
  return false;
}

void Navigator::look_from(int side) {
  constexpr double half = 0.70710678118654752440;  // of a right angle: cos 45
  static const glm::dquat views[] = {
      {1, 0, 0, 0},         // front: along -z
      {0, 0, 1, 0},         // back: half a turn about y
      {half, 0, -half, 0},  // right: along -x
      {half, 0, half, 0},   // left
      {half, half, 0, 0},   // top: along -y
      {half, -half, 0, 0},  // bottom
  };
  if (side >= 1 && side <= 6) camera.rotation = views[side - 1];
}

void Navigator::toggle_projection() {
  camera.projection = camera.projection == Camera::Projection::perspective ? Camera::Projection::orthographic
                                                                           : Camera::Projection::perspective;
}

}  // namespace isolume
