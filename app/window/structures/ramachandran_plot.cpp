// The square of the Ramachandran plot.
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPalette>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "app/window/structures/ramachandran_panel.h"

namespace isolume {
namespace {

constexpr int step = 5;      // degrees of the shades
constexpr double reach = 8;  // pixels from a dot that belong to it
constexpr double dot = 3, big = 4.5;

bool is_dark(const QPalette& palette) {
  return palette.color(QPalette::Base).lightness() < 128;
}

QColor mixed(const QColor& a, const QColor& b, double part) {
  return QColor::fromRgbF(float(a.redF() * (1 - part) + b.redF() * part),
                          float(a.greenF() * (1 - part) + b.greenF() * part),
                          float(a.blueF() * (1 - part) + b.blueF() * part));
}

}  // namespace

RamachandranPlot::RamachandranPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Ramachandran plot"));
  setAccessibleDescription(tr("phi to the right and psi upwards, in degrees; the arrow keys go through the residues"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void RamachandranPlot::set_residues(std::vector<PlottedResidue> residues) {
  residues_ = std::move(residues);
  update();
}

void RamachandranPlot::set_class(std::optional<RamachandranClass> shown) {
  class_ = shown;
  background_ = {};
  update();
}

bool RamachandranPlot::is_shown(const PlottedResidue& residue) const {
  return !class_ || residue.point.kind == *class_;
}

double RamachandranPlot::left() const {
  return 3.6 * fontMetrics().horizontalAdvance(QLatin1Char('0')) + 18;
}

double RamachandranPlot::below() const {
  return 2.3 * fontMetrics().height();
}

int RamachandranPlot::width_for(int height) const {
  return static_cast<int>(std::ceil(left() + std::max(20.0, height - below() - 8) + 10));
}

QRectF RamachandranPlot::square() const {
  const double left = this->left(), below = this->below();
  const double side = std::max(20.0, std::min(width() - left - 10, height() - below - 8));
  return {left, 8, side, side};
}

QPointF RamachandranPlot::place(double phi, double psi) const {
  const QRectF area = square();
  return {area.left() + (phi + 180) / 360 * area.width(), area.bottom() - (psi + 180) / 360 * area.height()};
}

const QImage& RamachandranPlot::background() {
  if (!background_.isNull()) return background_;
  constexpr int count = 360 / step;
  const auto regions = ramachandran_map(class_.value_or(RamachandranClass::general), step);
  const QColor base = palette().color(QPalette::Base), tint(0, 114, 178);
  const QColor colours[] = {base, mixed(base, tint, is_dark(palette()) ? 0.28 : 0.14),
                            mixed(base, tint, is_dark(palette()) ? 0.55 : 0.36)};
  background_ = QImage(count, count, QImage::Format_RGB32);
  for (int y = 0; y < count; ++y)
    for (int x = 0; x < count; ++x)
      background_.setPixelColor(
          x, count - 1 - y,
          colours[static_cast<int>(regions[static_cast<std::size_t>(y) * count + static_cast<std::size_t>(x)])]);
  return background_;
}

void RamachandranPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF area = square();
  painter.drawImage(area, background());
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor text = palette().color(QPalette::WindowText);
  painter.setPen(QPen(mixed(palette().color(QPalette::Base), text, 0.25), 1));
  painter.drawLine(place(0, -180), place(0, 180));
  painter.drawLine(place(-180, 0), place(180, 0));
  painter.setPen(QPen(text, 1));
  painter.drawRect(area);
  for (const int value : {-180, -90, 0, 90, 180}) {
    const QString number = QString::number(value);
    const QPointF below = place(value, -180), left = place(-180, value);
    const double w = fontMetrics().horizontalAdvance(number), h = fontMetrics().height();
    painter.drawLine(below, below + QPointF(0, 4));
    painter.drawLine(left, left - QPointF(4, 0));
    painter.drawText(QPointF(std::min(below.x() - w / 2, area.right() - w + 8), below.y() + 4 + fontMetrics().ascent()),
                     number);
    painter.drawText(QPointF(left.x() - 7 - w, std::clamp(left.y() + h / 3, area.top() + h / 2, area.bottom())),
                     number);
  }
  painter.drawText(
      QRectF(area.left(), area.bottom() + 4 + fontMetrics().height(), area.width(), fontMetrics().height()),
      Qt::AlignHCenter, QString::fromUtf8("\u03c6 (\u00b0)"));
  painter.save();
  painter.translate(fontMetrics().ascent(), area.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-60, -double(fontMetrics().ascent()), 120, fontMetrics().height()), Qt::AlignHCenter,
                   QString::fromUtf8("\u03c8 (\u00b0)"));
  painter.restore();
  const QColor ink = is_dark(palette()) ? QColor(225, 225, 225) : QColor(40, 40, 40), mark(213, 94, 0);
  for (const bool selected : {false, true}) {
    for (const PlottedResidue& residue : residues_) {
      if (residue.selected != selected || !is_shown(residue)) continue;
      const QPointF at = place(residue.point.phi, residue.point.psi);
      const double r = selected ? big : dot;
      painter.setPen(QPen(palette().color(QPalette::Base), 1));
      painter.setBrush(selected ? mark : ink);
      if (residue.point.kind == RamachandranClass::glycine) {
        painter.drawPolygon(QPolygonF{at + QPointF(0, -r - 1), at + QPointF(r + 1, r), at + QPointF(-r - 1, r)});
      } else if (residue.point.kind == RamachandranClass::proline) {
        painter.drawRect(QRectF(at - QPointF(r, r), QSizeF(2 * r, 2 * r)));
      } else {
        painter.drawEllipse(at, r, r);
      }
    }
  }
  if (press_) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(*press_, now_).normalized());
  }
  if (hasFocus()) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

std::optional<std::size_t> RamachandranPlot::residue_at(QPointF at) const {
  std::optional<std::size_t> found;
  double nearest = reach;
  for (std::size_t i = 0; i < residues_.size(); ++i) {
    if (!is_shown(residues_[i])) continue;
    const QPointF d = place(residues_[i].point.phi, residues_[i].point.psi) - at;
    const double distance = std::hypot(d.x(), d.y());
    if (distance < nearest) nearest = distance, found = i;
  }
  return found;
}

void RamachandranPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  press_ = now_ = event->position();
  setFocus(Qt::MouseFocusReason);
}

void RamachandranPlot::mouseMoveEvent(QMouseEvent* event) {
  now_ = event->position();
  if (press_) update();
  const auto under = residue_at(now_);
  Q_EMIT hovered(under ? residues_[*under].text : QString());
}

void RamachandranPlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !press_) return;
  const QRectF box = QRectF(*press_, event->position()).normalized();
  press_.reset();
  update();
  const bool add = event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers().testFlag(Qt::ShiftModifier);
  std::vector<std::size_t> found;
  if (box.width() + box.height() < QApplication::startDragDistance()) {
    if (const auto under = residue_at(event->position())) found.push_back(*under);
  } else {
    for (std::size_t i = 0; i < residues_.size(); ++i)
      if (is_shown(residues_[i]) && box.contains(place(residues_[i].point.phi, residues_[i].point.psi)))
        found.push_back(i);
  }
  Q_EMIT chosen(found, add);
}

void RamachandranPlot::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                 : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                               : 0;
  if (by == 0 || residues_.empty()) return QWidget::keyPressEvent(event);
  const auto marked = std::find_if(residues_.begin(), residues_.end(), [](const auto& r) { return r.selected; });
  const auto count = static_cast<std::ptrdiff_t>(residues_.size());
  std::ptrdiff_t next = marked == residues_.end() ? (by > 0 ? -1 : count) : marked - residues_.begin();
  do next += by;
  while (next >= 0 && next < count && !is_shown(residues_[static_cast<std::size_t>(next)]));
  if (next < 0 || next >= count) return;
  Q_EMIT hovered(residues_[static_cast<std::size_t>(next)].text);
  Q_EMIT chosen({static_cast<std::size_t>(next)}, false);
}

void RamachandranPlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) background_ = {};
}

}  // namespace isolume
