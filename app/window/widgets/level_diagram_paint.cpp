// How the energy levels of orbitals are painted.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/plot_frame.h"

namespace isolume {

void LevelDiagram::draw_level(QPainter& painter, std::size_t orbital) const {
  const QRectF p = place(orbital);
  const Orbital& o = orbitals_->orbitals[orbital];
  const auto shown = std::find(shown_.begin(), shown_.end(), orbital);
  const QColor text = palette().color(QPalette::WindowText);
  QColor colour = o.occupation > 0.5 ? text : palette().color(QPalette::PlaceholderText);
  double thickness = o.occupation > 0.5 ? 2.2 : 1.4;
  if (shown != shown_.end()) {
    colour = plot_colour(static_cast<int>(shown - shown_.begin()) * 2);
    thickness = 4;
  }
  const double y = p.center().y();
  painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(p.left(), y), QPointF(p.right(), y));
  // Electrons as arrows, where a level is wide enough to carry them.
  const int electrons =
      orbitals_->unrestricted ? (o.occupation > 0.5 ? 1 : 0) : static_cast<int>(std::lround(o.occupation));
  painter.setPen(QPen(colour, 1.3));
  // Shorter where other levels are near, and left out where they are too near.
  const double half = std::min(6.5, 0.45 * std::abs(axis().pixel(levels_[orbital].gap) - axis().pixel(0)));
  for (int i = 0; i < electrons && p.width() > 16 && half >= 3.5; ++i) {
    const bool up = orbitals_->unrestricted ? o.spin == Spin::alpha : i == 0;
    const double x = p.center().x() + (electrons == 2 ? (i == 0 ? -3.5 : 3.5) : 0);
    const double tip = up ? y - half : y + half, tail = up ? y + half : y - half, barb = up ? 3 : -3;
    painter.drawLine(QPointF(x, tail), QPointF(x, tip));
    painter.drawLine(QPointF(x, tip), QPointF(x - 2.2, tip + barb));
    painter.drawLine(QPointF(x, tip), QPointF(x + 2.2, tip + barb));
  }
}

void LevelDiagram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(font());
  if (natural_) return draw_nothing(painter, *this, tr("Natural orbitals have no energies."));
  if (!orbitals_ || levels_.empty()) return draw_nothing(painter, *this, tr("This frame has no orbitals."));
  const QRectF a = area();
  painter.fillRect(a, palette().color(QPalette::Base));
  draw_value_axis(painter, *this, a, axis(), tr("Energy (eV)"));
  painter.setPen(palette().color(QPalette::PlaceholderText));
  if (orbitals_->unrestricted) {
    painter.drawText(QRectF(a.left(), 2, a.width() / 2, metrics.height()), Qt::AlignCenter, tr("alpha"));
    painter.drawText(QRectF(a.center().x(), 2, a.width() / 2, metrics.height()), Qt::AlignCenter, tr("beta"));
  }
  painter.setClipRect(a);
  for (const bool shown : {false, true}) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const bool is = std::find(shown_.begin(), shown_.end(), i) != shown_.end();
      if (is == shown && levels_[i].energy >= range_.lower && levels_[i].energy <= range_.upper) draw_level(painter, i);
    }
  }
  painter.setPen(palette().color(QPalette::WindowText));
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    for (const auto& frontier_orbital : {orbitals_->homo(spin), orbitals_->lumo(spin)}) {
      if (!frontier_orbital || orbitals_->count(spin) == 0) continue;
      const Level& level = levels_[*frontier_orbital];
      const QRectF p = place(*frontier_orbital);
      const double right = p.left() + (p.width() + 5) * (level.of - level.place);
      painter.drawText(QRectF(right, p.center().y() - metrics.height() / 2, 80, metrics.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, to_qt(orbitals_->role(*frontier_orbital)));
    }
  }
  painter.setClipping(false);
  draw_plot_frame(painter, *this, a);
}

}  // namespace isolume
