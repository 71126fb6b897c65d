// The 3-D view's mouse and keyboard.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "app/window/viewport.h"

namespace isolume {

void Viewport::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  clicking_ = true;
  hover_.stop();
  const bool pan = event->button() == Qt::MiddleButton || event->button() == Qt::RightButton;
  if (event->button() == Qt::LeftButton || pan) {
    navigator_.begin(pan ? Navigator::Drag::pan : Navigator::Drag::rotate, press_);
  }
  event->accept();
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  if (navigator_.drag() == Navigator::Drag::none) {
    hover_point_ = event->position();
    hover_.start();
    return;
  }
  const QPointF way = event->position() - press_;
  if (clicking_ && way.manhattanLength() <= click_reach) return;
  clicking_ = false;
  if (navigator_.move(event->position())) moved();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  navigator_.end();
  if (!clicking_) return;
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

void Viewport::wheelEvent(QWheelEvent* event) {
  // Alt and some platforms' Shift turn the wheel sideways.
  const QPoint angle = event->angleDelta();
  const double steps = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
  if (steps == 0) return;
  navigator_.wheel(steps, event->position(), event->modifiers().testFlag(Qt::ShiftModifier));
  moved();
  event->accept();
}

void Viewport::keyPressEvent(QKeyEvent* event) {
  if (navigator_.key(event->key(), event->modifiers())) {
    moved();
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
      QOpenGLWidget::keyPressEvent(event);
  }
}

void Viewport::leaveEvent(QEvent* event) {
  hover_.stop();
  Q_EMIT hovered({});
  QOpenGLWidget::leaveEvent(event);
}

}  // namespace isolume
