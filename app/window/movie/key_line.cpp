// The time axis of a movie: its key frames as marks.
#include "app/window/movie/key_line.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/scene/movie.h"

namespace isolume {
namespace {

constexpr double margin = 16, mark = 6, reach = 9;  // pixels
constexpr double same = 5e-4;                       // seconds
const QColor time_colour(213, 94, 0);

/// Seconds of a round number between ticks that are at least `room` pixels apart.
double tick_step(double per_pixel, double room) {
  const double least = room * per_pixel;
  for (double power = 0.01;; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= least) return factor * power;
}

/// Times of the mouse, in hundredths of a second.
double rounded(double seconds) {
  return std::round(100 * std::clamp(seconds, 0.0, longest_movie)) / 100;
}

}  // namespace

KeyLine::KeyLine(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Time axis of the movie"));
  setToolTip(
      tr("Click: go to a time. Drag a mark: move the key frame. Double click: add one.\nLeft, Right: neighbours; with "
         "Shift: move by 0.1 s; Del: remove"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  describe();
}

void KeyLine::set_keys(const std::vector<MovieKey>& keys) {
  keys_ = keys;
  const double last = keys_.empty() ? 0 : keys_.back().time;
  if (drag_ == Drag::none) span_ = std::max(5.0, 1.15 * last);
  describe();
  update();
}

void KeyLine::set_time(double seconds) {
  time_ = seconds;
  if (drag_ == Drag::none && time_ > span_) span_ = 1.15 * time_;
  describe();
  update();
}

std::optional<std::size_t> KeyLine::current() const {
  for (std::size_t i = 0; i < keys_.size(); ++i)
    if (std::abs(keys_[i].time - time_) < same) return i;
  return std::nullopt;
}

double KeyLine::place(double seconds) const {
  return margin + (width() - 2 * margin) * seconds / span_;
}

double KeyLine::time_at(double x) const {
  return std::clamp((x - margin) / std::max(1.0, width() - 2 * margin), 0.0, 1.0) * span_;
}

std::optional<std::size_t> KeyLine::key_at(QPointF place_of) const {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const double distance = std::abs(place(keys_[i].time) - place_of.x());
    if (distance <= reach && (!nearest || distance < std::abs(place(keys_[*nearest].time) - place_of.x()))) nearest = i;
  }
  return nearest;
}

void KeyLine::describe() {
  const auto at = current();
  setAccessibleDescription(keys_.empty() ? tr("No key frames")
                           : at          ? tr("Key frame %1 of %2 at %3 s").arg(*at + 1).arg(keys_.size()).arg(time_)
                                         : tr("%1 s; %2 key frames").arg(time_).arg(keys_.size()));
}

void KeyLine::paint_axis(QPainter& painter) const {
  const double base = height() - fontMetrics().height() - 8;
  QColor faint = palette().color(QPalette::WindowText);
  faint.setAlphaF(0.55F);
  painter.setPen(faint);
  painter.drawLine(QPointF(margin, base), QPointF(width() - margin, base));
  const double step =
      tick_step(span_ / std::max(1.0, width() - 2 * margin), fontMetrics().horizontalAdvance("00.00 s"));
  for (int i = 0; i * step <= span_ * (1 + 1e-9); ++i) {
    const double x = place(i * step);
    painter.drawLine(QPointF(x, base), QPointF(x, base + 4));
    const QString text = i == 0 ? tr("0 s") : QString::number(i * step);
    painter.drawText(QRectF(x - 40, base + 5, 80, fontMetrics().height()), Qt::AlignHCenter | Qt::AlignTop, text);
  }
}

void KeyLine::paint_course(QPainter& painter) const {
  const double base = height() - fontMetrics().height() - 8, top = 14;
  QColor colour = palette().color(QPalette::Highlight);
  for (std::size_t i = 0; i + 1 < keys_.size(); ++i) {
    const double x0 = place(keys_[i].time), x1 = place(keys_[i + 1].time);
    QPainterPath course(QPointF(x0, base));
    for (int s = 1; s <= 32; ++s) {
      const double u = s / 32.0;
      course.lineTo(x0 + (x1 - x0) * u, base - (base - top) * 0.8 * eased(keys_[i].easing, u));
    }
    course.lineTo(x1, base);
    QColor fill = colour;
    fill.setAlphaF(0.18F);
    painter.fillPath(course, fill);
    painter.setPen(QPen(colour, 1.5, keys_[i].easing == Easing::hold ? Qt::DotLine : Qt::SolidLine));
    painter.drawPath(course);
  }
}

void KeyLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  const double base = height() - fontMetrics().height() - 8;
  paint_course(painter);
  paint_axis(painter);
  if (keys_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(12, 2, -12, -fontMetrics().height() - 14), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No key frames. Set up the view and add one; change the view and add the next"));
  }
  painter.setPen(QPen(time_colour, 2));
  painter.drawLine(QPointF(place(time_), 2), QPointF(place(time_), base));
  const auto at = current();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const QPointF middle(place(keys_[i].time), base);
    const QPolygonF diamond{middle + QPointF(0, -mark), middle + QPointF(mark, 0), middle + QPointF(0, mark),
                            middle + QPointF(-mark, 0)};
    painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
    painter.setBrush(at == i ? time_colour : palette().color(QPalette::WindowText));
    painter.drawPolygon(diamond);
  }
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void KeyLine::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressed_ = event->position();
  const auto key = key_at(pressed_);
  drag_ = key ? Drag::key : Drag::time;
  Q_EMIT time_asked(key ? keys_[*key].time : rounded(time_at(pressed_.x())));
}

void KeyLine::mouseMoveEvent(QMouseEvent* event) {
  if (drag_ == Drag::none) {
    setCursor(key_at(event->position()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
    return;
  }
  const double seconds = rounded(time_at(event->position().x()));
  if (drag_ == Drag::time) {
    Q_EMIT time_asked(seconds);
  } else if (const auto key = current(); key && (pressed_.isNull() || std::abs(event->position().x() - pressed_.x()) >=
                                                                          QApplication::startDragDistance())) {
    pressed_ = {};  // the drag has begun
    Q_EMIT move_asked(*key, seconds);
  }
}

void KeyLine::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  drag_ = Drag::none;
  set_keys(std::vector<MovieKey>(keys_));
}

void KeyLine::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !key_at(event->position()))
    Q_EMIT add_asked(rounded(time_at(event->position().x())));
}

void KeyLine::keyPressEvent(QKeyEvent* event) {
  const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
  const auto at = current();
  if ((left || right) && (event->modifiers() & Qt::ShiftModifier)) {
    if (at) Q_EMIT move_asked(*at, rounded(time_ + (left ? -0.1 : 0.1)));
  } else if (left || right) {
    std::optional<double> next;
    for (const MovieKey& key : keys_) {
      if (left && key.time < time_ - same) next = key.time;
      if (right && key.time > time_ + same && !next) next = key.time;
    }
    if (next) Q_EMIT time_asked(*next);
  } else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End) {
    Q_EMIT time_asked(event->key() == Qt::Key_Home || keys_.empty() ? 0 : keys_.back().time);
  } else if (event->key() == Qt::Key_Delete) {
    Q_EMIT remove_asked();
  } else {
    QWidget::keyPressEvent(event);
  }
}

bool KeyLine::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto key = key_at(help->pos())) {
      QToolTip::showText(
          help->globalPos(),
          tr("Key frame %1 at %2 s, frame %3").arg(*key + 1).arg(keys_[*key].time).arg(keys_[*key].frame), this);
      return true;
    }
  }
  return QWidget::event(event);
}

}  // namespace isolume
