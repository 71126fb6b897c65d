// The 3D view's mouse and keyboard input, and picking.
#include <QGestureEvent>
#include <QInputDevice>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QWheelEvent>

#include "app/window/viewport/label_painter.h"
#include "app/window/viewport/viewport.h"
#include "app/window/viewport/viewport_overlay.h"
#include "app/window/viewport/viewport_renderer.h"

namespace isolume {

QRectF Viewport::tile_rect(std::size_t tile) const {
  return view_ ? isolume::tile_rect(*view_, tile, QSizeF(size()), devicePixelRatioF()) : QRectF(rect());
}

std::size_t Viewport::tile_at(QPointF point) const {
  return view_ ? isolume::tile_at(*view_, point, QSizeF(size()), devicePixelRatioF()) : 0;
}

QPointF Viewport::in_tile(QPointF point) const {
  const std::size_t tile = navigator_.drag() == Drag::none ? tile_at(point) : press_tile_;
  return point - tile_rect(tile).topLeft();
}

void Viewport::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  press_tile_ = tile_at(press_);
  clicking_ = true;
  hover_.stop();
  Drag drag = input_.drag(event->button(), event->modifiers());
  // What another preset keys change is the left drag alone.
  if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && left_drag_ != Drag::none) {
    drag = left_drag_;
  }
  if (drag != Drag::none) navigator_.begin(drag, in_tile(press_));
  event->accept();
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  const Drag drag = navigator_.drag();
  if (drag == Drag::none) {
    hover_point_ = event->position();
    hover_.start();
    return;
  }
  const QPointF way = event->position() - press_;
  if (clicking_ && way.manhattanLength() <= click_reach) return;
  clicking_ = false;
  if (drag == Drag::box_add || drag == Drag::box_remove) {
    overlay_->set_box(QRectF(press_, event->position()).normalized(), drag == Drag::box_add);
  } else if (navigator_.move(in_tile(event->position()))) {
    navigate();
  }
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = navigator_.drag();
  navigator_.end();
  overlay_->set_box({});
  if (!clicking_) {
    if (drag == Drag::box_add || drag == Drag::box_remove) {
      Q_EMIT box_drawn(QRectF(press_, event->position()).normalized(), drag == Drag::box_add);
    }
    return;
  }
  clicking_ = false;
  if (event->button() == Qt::LeftButton) {
    pick(event->position(), [this, modifiers = event->modifiers()](PickId id) { Q_EMIT clicked(id, modifiers); });
  } else if (event->button() == Qt::RightButton) {
    pick(event->position(), [this, at = event->globalPosition().toPoint()](PickId id) { Q_EMIT menu_asked(id, at); });
  }
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  clicking_ = false;
  if (event->button() == Qt::LeftButton) {
    pick(event->position(), [this](PickId id) { Q_EMIT double_clicked(id); });
  }
}

bool Viewport::gesture(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    const auto* native = static_cast<QNativeGestureEvent*>(event);
    const QPointF at = in_tile(native->position());
    switch (native->gestureType()) {
      case Qt::ZoomNativeGesture:
        if (!(native->value() > -0.9)) break;
        navigator_.pinch(1 + native->value(), at);
        break;
      case Qt::RotateNativeGesture:
        navigator_.roll(native->value());
        break;
      case Qt::BeginNativeGesture:
      case Qt::EndNativeGesture:
        break;
      default:
        return false;
    }
    event->accept();
    navigate();
    return true;
  }
  if (event->type() != QEvent::Gesture) return false;
  const auto* pinch = static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
  if (pinch == nullptr) return false;
  navigator_.end();  // the first finger alone has begun a drag
  clicking_ = false;
  if (pinch->changeFlags().testFlag(QPinchGesture::ScaleFactorChanged) && pinch->scaleFactor() > 0.1)
    navigator_.pinch(pinch->scaleFactor(), in_tile(mapFromGlobal(pinch->centerPoint())));
  if (pinch->changeFlags().testFlag(QPinchGesture::RotationAngleChanged))
    navigator_.roll(pinch->rotationAngle() - pinch->lastRotationAngle());
  event->accept();
  navigate();
  return true;
}

void Viewport::wheelEvent(QWheelEvent* event) {
  // What goes on by itself after the fingers have left would overshoot.
  if (event->phase() == Qt::ScrollMomentum) {
    event->accept();
    return;
  }
  const bool fingers = event->phase() != Qt::NoScrollPhase ||
                       (event->device() != nullptr && event->device()->type() == QInputDevice::DeviceType::TouchPad);
  const WheelUse used = input_.wheel_use(event->modifiers());
  if (fingers && scroll_ != ScrollUse::zoom && used == WheelUse::zoom) {
    constexpr double pixels_a_degree = 1.0;  // angles are in eighths of a degree
    const QPointF pixels = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 8 * pixels_a_degree
                                                        : QPointF(event->pixelDelta());
    event->accept();
    if (pixels.isNull()) return;
    navigator_.scroll(pixels, scroll_);
    navigate();
    return;
  }
  // Alt and some platforms' Shift turn the wheel sideways.
  const QPoint angle = event->angleDelta();
  constexpr double pixels_a_step = 40;  // of devices that count pixels alone
  const QPoint pixels = event->pixelDelta();
  const double steps = !angle.isNull() ? (angle.y() != 0 ? angle.y() : angle.x()) / 120.0
                                       : (pixels.y() != 0 ? pixels.y() : pixels.x()) / pixels_a_step;
  if (steps == 0) return;
  event->accept();
  const WheelUse use = input_.wheel_use(event->modifiers());
  if (use == WheelUse::isovalue) {
    Q_EMIT isovalue_turned(steps);
  } else if (use != WheelUse::none) {
    navigator_.wheel(steps, in_tile(event->position()), use == WheelUse::slab);
    navigate();
  }
}

void Viewport::push(const QList<SixAxisMotion>& motions, const SixAxisUse& use) {
  if (!view_) return;
  for (const SixAxisMotion& motion : motions) navigator_.push(motion, use);
  navigate();
}

void Viewport::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Menu) {  // the menu of the object in the middle, for those without a mouse
    const QPoint middle = rect().center();
    pick(middle, [this, at = mapToGlobal(middle)](PickId id) { Q_EMIT menu_asked(id, at); });
    return;
  }
  if (navigator_.key(event->key(), event->modifiers())) {
    navigate();
    return;
  }
  const int by = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      Q_EMIT frame_step(-by);
      return;
    case Qt::Key_Right:
      Q_EMIT frame_step(by);
      return;
    case Qt::Key_Home:
      Q_EMIT frame_step(-1000000);
      return;
    case Qt::Key_End:
      Q_EMIT frame_step(1000000);
      return;
    case Qt::Key_Space:
      Q_EMIT play_toggled();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void Viewport::leaveEvent(QEvent* event) {
  hover_.stop();
  Q_EMIT hovered({});
  QWidget::leaveEvent(event);
}

void Viewport::pick(QPointF point, std::function<void(PickId)> done, bool urgent) {
  if (!renderer_ || !view_ || !rect().contains(point.toPoint())) {
    done({});
    return;
  }
  picks_[++ticket_] = std::move(done);
  renderer_->pick(ticket_, point.x() / width(), point.y() / height(), 3, urgent);
}

void Viewport::describe_selection(const QString& summary) {
  const QString usual = tr("Shows the scene. Shift and arrow keys rotate it, plus and minus zoom, F fits.");
  setAccessibleDescription(summary.isEmpty() ? usual : summary + QStringLiteral(". ") + usual);
}

void Viewport::set_hint(const QString& hint) {
  overlay_->set_hint(hint);
}

}  // namespace isolume
