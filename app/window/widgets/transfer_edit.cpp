// The transfer function of a cloud as a curve.
#include "app/window/widgets/transfer_edit.h"

#include <QColorDialog>
#include <QKeyEvent>
#include <QLinearGradient>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr double reach = 9, bar_height = 12;  // pixels
constexpr std::size_t most_points = 32;

QColor to_colour(glm::u8vec4 c) {
  return {c.r, c.g, c.b};
}

/// Opacities of an angstrom are small where clouds look well: the square root spreads them over the height.
double height_of(int alpha) {
  return std::sqrt(alpha / 255.0);
}

}  // namespace

TransferEdit::TransferEdit(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Colours and opacity of values"));
  setToolTip(
      tr("Drag a point: right for larger values, up for more opaque. Double-click adds a point or changes its colour, "
         "right-click removes it. Arrow keys select, with Ctrl they move; Insert, Delete, Return."));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TransferEdit::set_points(std::vector<TransferPoint> points, bool both_signs) {
  if (points == points_ && both_signs == both_signs_) return;
  points_ = std::move(points);
  both_signs_ = both_signs;
  chosen_ = std::clamp(chosen_, 0, std::max(0, static_cast<int>(points_.size()) - 1));
  describe();
  update();
}

void TransferEdit::describe() {
  if (points_.empty()) return;
  const TransferPoint& p = points_[static_cast<std::size_t>(chosen_)];
  setAccessibleDescription(tr("Point %1 of %2: at %3 % of the range, %4 % opaque")
                               .arg(chosen_ + 1)
                               .arg(points_.size())
                               .arg(qRound(100 * double(p.at)))
                               .arg(qRound(p.colour.a / 2.55)));
}

QRectF TransferEdit::area() const {
  return QRectF(rect()).adjusted(7, 7, -7, -7 - bar_height - 4);
}

QPointF TransferEdit::place_of(const TransferPoint& point) const {
  const QRectF a = area();
  const double t = both_signs_ ? 0.5 + 0.5 * double(point.at) : double(point.at);
  return {a.left() + t * a.width(), a.bottom() - height_of(point.colour.a) * a.height()};
}

TransferPoint TransferEdit::point_at(QPointF place) const {
  const QRectF a = area();
  const double t = std::clamp((place.x() - a.left()) / std::max(1.0, a.width()), 0.0, 1.0);
  const double h = std::clamp((a.bottom() - place.y()) / std::max(1.0, a.height()), 0.0, 1.0);
  TransferPoint point;
  point.at = static_cast<float>(both_signs_ ? 2 * t - 1 : t);
  point.colour.a = static_cast<unsigned char>(std::lround(255 * h * h));
  return point;
}

int TransferEdit::point_near(QPointF place) const {
  int best = -1;
  double least = reach;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF d = place_of(points_[i]) - place;
    const double distance = std::hypot(d.x(), d.y());
    if (distance < least) least = distance, best = static_cast<int>(i);
  }
  return best;
}

void TransferEdit::add(QPointF place) {
  if (points_.size() >= most_points) return;
  TransferPoint point = point_at(place);
  // The colour of the nearest.
  double least = 1e9;
  for (const TransferPoint& p : points_) {
    const double distance = std::abs(double(p.at - point.at));
    if (distance < least) least = distance, point.colour = {p.colour.r, p.colour.g, p.colour.b, point.colour.a};
  }
  const auto after =
      std::find_if(points_.begin(), points_.end(), [&](const TransferPoint& p) { return p.at > point.at; });
  chosen_ = static_cast<int>(after - points_.begin());
  points_.insert(after, point);
  describe();
  update();
  Q_EMIT edited(points_, false);
}

void TransferEdit::remove(int index) {
  if (points_.size() < 2) return;
  points_.erase(points_.begin() + index);
  chosen_ = std::clamp(chosen_, 0, static_cast<int>(points_.size()) - 1);
  describe();
  update();
  Q_EMIT edited(points_, false);
}

void TransferEdit::move(int index, TransferPoint to) {
  const auto i = static_cast<std::size_t>(index);
  // Points keep their order.
  if (i > 0) to.at = std::max(to.at, points_[i - 1].at);
  if (i + 1 < points_.size()) to.at = std::min(to.at, points_[i + 1].at);
  points_[i].at = std::clamp(to.at, both_signs_ ? -1.0f : 0.0f, 1.0f);
  points_[i].colour.a = to.colour.a;
  describe();
  update();
  Q_EMIT edited(points_, true);
}

void TransferEdit::ask_colour(int index) {
  auto* dialog = new QColorDialog(to_colour(points_[static_cast<std::size_t>(index)].colour), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAccessibleName(tr("Colour of these values"));
  connect(dialog, &QColorDialog::colorSelected, this, [this, index](const QColor& colour) {
    if (static_cast<std::size_t>(index) >= points_.size()) return;
    glm::u8vec4& c = points_[static_cast<std::size_t>(index)].colour;
    c = {colour.red(), colour.green(), colour.blue(), c.a};
    update();
    Q_EMIT edited(points_, false);
  });
  dialog->open();
}

void TransferEdit::mousePressEvent(QMouseEvent* event) {
  const int near = point_near(event->position());
  if (near < 0) return;
  chosen_ = near;
  if (event->button() == Qt::RightButton) {
    remove(near);
    return;
  }
  dragging_ = event->button() == Qt::LeftButton;
  describe();
  update();
}

void TransferEdit::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) move(chosen_, point_at(event->position()));
}

void TransferEdit::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = false;
}

void TransferEdit::mouseDoubleClickEvent(QMouseEvent* event) {
  dragging_ = false;
  const int near = point_near(event->position());
  near >= 0 ? ask_colour(near) : add(event->position());
}

void TransferEdit::keyPressEvent(QKeyEvent* event) {
  if (points_.empty()) return QWidget::keyPressEvent(event);
  TransferPoint to = points_[static_cast<std::size_t>(chosen_)];
  const bool moves = event->modifiers().testFlag(Qt::ControlModifier);
  const auto alpha = [&to](double by) {
    const double h = std::clamp(height_of(to.colour.a) + by, 0.0, 1.0);
    to.colour.a = static_cast<unsigned char>(std::lround(255 * h * h));
  };
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int by = event->key() == Qt::Key_Left ? -1 : 1;
      if (moves) {
        to.at += 0.02f * static_cast<float>(by);
        move(chosen_, to);
      } else {
        chosen_ = std::clamp(chosen_ + by, 0, static_cast<int>(points_.size()) - 1);
        describe();
        update();
      }
      break;
    }
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!moves) return QWidget::keyPressEvent(event);
      alpha(event->key() == Qt::Key_Up ? 0.04 : -0.04);
      move(chosen_, to);
      break;
    case Qt::Key_Insert: {
      const QPointF here = place_of(to);
      const auto next = static_cast<std::size_t>(chosen_) + 1;
      add(next < points_.size() ? 0.5 * (here + place_of(points_[next])) : here + QPointF(-20, 0));
      break;
    }
    case Qt::Key_Delete:
      remove(chosen_);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      ask_colour(chosen_);
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void TransferEdit::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF a = area();
  painter.setPen(palette().color(QPalette::Mid));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(a.adjusted(-3, -3, 3, 3), 3, 3);
  if (points_.empty()) return;
  if (both_signs_) painter.drawLine(QPointF(a.center().x(), a.top()), QPointF(a.center().x(), a.bottom()));
  QLinearGradient colours(a.left(), 0, a.right(), 0);
  QPainterPath curve(QPointF(a.left(), place_of(points_.front()).y()));
  for (const TransferPoint& p : points_) {
    const QPointF place = place_of(p);
    colours.setColorAt(std::clamp((place.x() - a.left()) / std::max(1.0, a.width()), 0.0, 1.0), to_colour(p.colour));
    curve.lineTo(place);
  }
  curve.lineTo(a.right(), place_of(points_.back()).y());
  QPainterPath filled = curve;
  filled.lineTo(a.right(), a.bottom());
  filled.lineTo(a.left(), a.bottom());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours);
  painter.setOpacity(0.45);
  painter.drawPath(filled);
  painter.setOpacity(1);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.2));
  painter.drawPath(curve);
  painter.setPen(palette().color(QPalette::Mid));
  painter.setBrush(colours);
  painter.drawRect(QRectF(a.left(), a.bottom() + 8, a.width(), bar_height));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool chosen = static_cast<int>(i) == chosen_;
    painter.setPen(
        QPen(chosen && hasFocus() ? palette().color(QPalette::Highlight) : palette().color(QPalette::WindowText),
             chosen ? 2.4 : 1.2));
    painter.setBrush(to_colour(points_[i].colour));
    painter.drawEllipse(place_of(points_[i]), chosen ? 5.5 : 4.5, chosen ? 5.5 : 4.5);
  }
}

}  // namespace isolume
