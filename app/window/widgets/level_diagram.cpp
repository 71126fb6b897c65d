// The energy levels of a molecule's orbitals: where they lie, mouse and keyboard.
#include "app/window/widgets/level_diagram.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/models/labels.h"
#include "molecule/base/units.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume {
namespace {

constexpr double degenerate = 2e-3;  ///< eV within which levels stand side by side
constexpr int frontier = 6;          ///< levels on either side of the gap that are seen at first
constexpr double frontier_ev = 15;   ///< and no farther than this
constexpr double near_enough = 7;    ///< pixels

}  // namespace

LevelDiagram::LevelDiagram(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Energy levels"));
  setToolTip(tr("Click a level to show its orbital; scroll to zoom, double-click to show the levels around the gap"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LevelDiagram::set_orbitals(std::shared_ptr<const Orbitals> orbitals) {
  if (orbitals == orbitals_) return;
  const bool first = !orbitals_ || !orbitals || orbitals->count() != orbitals_->count();
  natural_ = orbitals && !FrontierOrder(*orbitals, Spin::alpha).energies;
  orbitals_ = natural_ ? nullptr : std::move(orbitals);
  const std::size_t count = orbitals_ ? orbitals_->count() : 0;
  levels_.assign(count, {});
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) levels_[i].energy = orbitals_->orbitals[i].energy * units::hartree_in_ev;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return levels_[a].energy < levels_[b].energy; });
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    std::vector<std::size_t> group;
    double below = -1e9;  // the last level of the group before
    const auto close = [&] {
      for (const std::size_t i : group) levels_[i].gap = levels_[group.front()].energy - below;
      below = group.empty() ? below : levels_[group.back()].energy;
      for (std::size_t i = 0; i < group.size(); ++i) {
        levels_[group[i]].place = static_cast<int>(i);
        levels_[group[i]].of = static_cast<int>(group.size());
      }
      group.clear();
    };
    for (const std::size_t i : order_) {
      if (orbitals_->orbitals[i].spin != spin) continue;
      if (!group.empty() && levels_[i].energy - levels_[group.back()].energy > degenerate) {
        const std::vector<std::size_t> lower =
            group;  // NOLINT(performance-unnecessary-copy-initialization): close() clears it
        close();
        for (const std::size_t j : lower) levels_[j].gap = std::min(levels_[j].gap, levels_[i].energy - below);
      }
      group.push_back(i);
    }
    close();
  }
  if (first) {
    show_frontier();
  } else {
    update();  // another frame of the same molecule: what was zoomed to stays
  }
}

void LevelDiagram::set_shown(std::vector<std::size_t> shown) {
  if (shown == shown_) return;
  shown_ = std::move(shown);
  update();
}

void LevelDiagram::show_frontier() {
  if (orbitals_ && !order_.empty()) {
    // Between the levels that are some places below the highest occupied one and above it.
    std::size_t gap = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (orbitals_->orbitals[order_[i]].occupation > 0.5) gap = i;
    }
    const int columns = orbitals_->unrestricted ? 2 : 1;
    const auto at = [&](std::ptrdiff_t place) {
      const auto last = static_cast<std::ptrdiff_t>(order_.size()) - 1;
      return levels_[order_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, last))]].energy;
    };
    const auto centre = static_cast<std::ptrdiff_t>(gap);
    // Core levels far below would press the others together.
    range_ = roomy(std::max(at(centre - frontier * columns), at(centre) - frontier_ev),
                   std::min(at(centre + 1 + frontier * columns), at(centre + 1) + frontier_ev), 0.08);
  }
  update();
}

QRectF LevelDiagram::area() const {
  const QFontMetricsF metrics(font());
  const double left = 14 + metrics.height() + metrics.horizontalAdvance(QStringLiteral("-00.0"));
  const double top = orbitals_ && orbitals_->unrestricted ? metrics.height() + 8 : 8;
  return QRectF(left, top, std::max(20.0, width() - left - 12), std::max(20.0, height() - top - 8));
}

PlotAxis LevelDiagram::axis() const {
  const QRectF a = area();
  return {range_.lower, range_.upper, a.bottom(), a.top()};
}

QRectF LevelDiagram::place(std::size_t orbital) const {
  const QRectF a = area();
  const Level& level = levels_.at(orbital);
  const bool two = orbitals_->unrestricted;
  const double column = two ? a.width() / 2 : a.width();
  const double left = a.left() + (orbitals_->orbitals[orbital].spin == Spin::beta ? column : 0);
  // Room for the name of the role at the right.
  const double room = std::max(30.0, (two ? 0.62 : 0.7) * column);
  const double each = room / level.of;
  const double y = axis().pixel(level.energy);
  return QRectF(left + 10 + each * level.place, y - 2, std::max(4.0, each - 5), 4);
}

int LevelDiagram::hit(QPointF position) const {
  int best = -1;
  double nearest = near_enough;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const QRectF p = place(i).adjusted(-2, 0, 2, 0);
    if (position.x() < p.left() || position.x() > p.right()) continue;
    const double distance = std::abs(position.y() - p.center().y());
    if (distance > nearest) continue;
    nearest = distance;
    best = static_cast<int>(i);
  }
  return best;
}

void LevelDiagram::wheelEvent(QWheelEvent* event) {
  const int turned = event->angleDelta().y();
  if (turned == 0 || levels_.empty()) return;
  range_.zoom(std::pow(1.2, turned / 120.0), axis().value(event->position().y()));
  event->accept();
  update();
}

void LevelDiagram::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressed_ = event->position();
  dragging_ = false;
}

void LevelDiagram::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) {
    setCursor(hit(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  const QPointF moved = event->position() - pressed_;
  if (!dragging_ && std::abs(moved.y()) < QApplication::startDragDistance()) return;
  dragging_ = true;
  const double by = axis().value(0) - axis().value(moved.y());
  range_.lower += by;
  range_.upper += by;
  pressed_ = event->position();
  update();
}

void LevelDiagram::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  if (std::exchange(dragging_, false)) return;
  if (const int orbital = hit(event->position()); orbital >= 0) Q_EMIT chosen(orbital);
}

void LevelDiagram::mouseDoubleClickEvent(QMouseEvent*) {
  show_frontier();
}

void LevelDiagram::step(int by) {
  if (order_.empty()) return;
  auto at = static_cast<std::ptrdiff_t>(order_.size()) - 1;
  if (!shown_.empty()) {
    at = std::find(order_.begin(), order_.end(), shown_.front()) - order_.begin() + by;
  }
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(order_.size())) return;
  const std::size_t orbital = order_[static_cast<std::size_t>(at)];
  // Levels beyond the edge come into view.
  const double energy = levels_[orbital].energy;
  if (energy < range_.lower || energy > range_.upper) {
    const double half = 0.5 * (range_.upper - range_.lower);
    range_.lower = energy - half;
    range_.upper = energy + half;
  }
  Q_EMIT chosen(static_cast<int>(orbital));
}

void LevelDiagram::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return step(1);
    case Qt::Key_Down:
      return step(-1);
    case Qt::Key_Home:
      return show_frontier();
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      range_.zoom(event->key() == Qt::Key_Plus ? 1.2 : 1 / 1.2, 0.5 * (range_.lower + range_.upper));
      return update();
    default:
      QWidget::keyPressEvent(event);
  }
}

bool LevelDiagram::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int orbital = hit(help->pos());
  if (orbital < 0) return QWidget::event(event);
  const auto i = static_cast<std::size_t>(orbital);
  const Orbital& o = orbitals_->orbitals[i];
  QToolTip::showText(
      help->globalPos(),
      tr("%1%2\n%3 eV, %4 electrons")
          .arg(to_qt(orbitals_->role(i)),
               orbitals_->unrestricted ? (o.spin == Spin::alpha ? tr(", alpha") : tr(", beta")) : QString(),
               QString::number(levels_[i].energy, 'f', 3), QString::number(o.occupation, 'g', 4)),
      this);
  return true;
}

}  // namespace isolume
