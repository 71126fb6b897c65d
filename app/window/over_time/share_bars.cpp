// Contributions of groups as bars, sorted.
#include "app/window/over_time/share_bars.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/window/widgets/plot.h"
#include "app/window/widgets/plot_frame.h"

namespace isolume {
namespace {

constexpr int margin = 6, gap = 8;  // pixels

}  // namespace

ShareBars::ShareBars(const QString& what, QWidget* parent) : QAbstractScrollArea(parent) {
  setAccessibleName(what);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalScrollBar()->setAccessibleName(what);
  viewport()->setAccessibleName(what);
}

void ShareBars::set_shares(std::vector<QString> names, std::vector<double> values, const QString& unit) {
  names_ = std::move(names);
  values_ = std::move(values);
  unit_ = unit;
  order_.resize(values_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [this](std::size_t a, std::size_t b) { return std::abs(values_[a]) > std::abs(values_[b]); });
  if (marked_.size() != names_.size()) marked_.assign(names_.size(), false);
  if (chosen_ && *chosen_ >= names_.size()) chosen_.reset();
  lay_out();
  viewport()->update();
}

void ShareBars::set_empty(const QString& text) {
  empty_ = text;
  viewport()->update();
}

void ShareBars::set_marked(std::vector<bool> groups) {
  marked_ = std::move(groups);
  marked_.resize(names_.size(), false);
  viewport()->update();
}

void ShareBars::set_chosen(std::optional<std::size_t> group) {
  chosen_ = group;
  viewport()->update();
}

int ShareBars::row_height() const {
  return fontMetrics().height() + 4;
}

QRect ShareBars::row_rect(std::size_t row) const {
  return {0, static_cast<int>(row) * row_height() - verticalScrollBar()->value(), viewport()->width(), row_height()};
}

void ShareBars::lay_out() {
  const int all = static_cast<int>(order_.size()) * row_height();
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(row_height());
  verticalScrollBar()->setRange(0, std::max(0, all - viewport()->height()));
}

void ShareBars::resizeEvent(QResizeEvent*) {
  lay_out();
}

QString ShareBars::number(std::size_t group) const {
  return QString::number(values_[group], 'g', 4);
}

void ShareBars::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
  if (order_.empty()) return draw_nothing(painter, *viewport(), empty_);
  double least = 0, most = 0;
  int names = 0, numbers = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (std::isfinite(values_[i])) {
      least = std::min(least, values_[i]);
      most = std::max(most, values_[i]);
    }
    names = std::max(names, fontMetrics().horizontalAdvance(names_[i]));
    numbers = std::max(numbers, fontMetrics().horizontalAdvance(number(i)));
  }
  // Widths are rounded, and text is cut where it is wider by a fraction.
  names = std::min(names + 1, 9 * viewport()->width() / 20);
  const double left = margin + names + gap, right = viewport()->width() - margin - numbers - gap;
  const double scale = most > least && right > left ? (right - left) / (most - least) : 0;
  const double zero = left - least * scale;
  const QColor text = palette().color(QPalette::Text);
  for (std::size_t row = 0; row < order_.size(); ++row) {
    const QRect rect = row_rect(row);
    if (rect.bottom() < 0) continue;
    if (rect.top() > viewport()->height()) break;
    const std::size_t group = order_[row];
    const bool chosen = chosen_ == group;
    // Behind the name alone: bars would not be seen on it.
    if (chosen)
      painter.fillRect(QRect(0, rect.top(), margin + names + margin, rect.height()),
                       palette().color(QPalette::Highlight));
    painter.setPen(chosen ? palette().color(QPalette::HighlightedText) : text);
    painter.drawText(QRect(margin, rect.top(), names, rect.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(names_[group], Qt::ElideRight, names));
    painter.setPen(text);
    painter.drawText(QRect(rect.right() - margin - numbers, rect.top(), numbers, rect.height()),
                     Qt::AlignVCenter | Qt::AlignRight, number(group));
    const double end = zero + (std::isfinite(values_[group]) ? values_[group] : 0.0) * scale;
    const QRectF bar(std::min(zero, end), rect.top() + 3, std::max(1.0, std::abs(end - zero)), rect.height() - 6);
    painter.fillRect(bar, plot_colour(values_[group] < 0 ? 1 : 0));
    if (marked_[group]) {
      painter.setPen(QPen(text, 1));
      painter.drawRect(bar.adjusted(0, 0, -1, -1));
    }
  }
  painter.setPen(grid_pen(*viewport()));
  painter.drawLine(QPointF(zero, 0), QPointF(zero, std::min(viewport()->height(), row_rect(order_.size()).top())));
}

std::optional<std::size_t> ShareBars::row_at(QPoint place) const {
  const int row = (place.y() + verticalScrollBar()->value()) / row_height();
  if (row < 0 || static_cast<std::size_t>(row) >= order_.size()) return std::nullopt;
  return static_cast<std::size_t>(row);
}

void ShareBars::announce(std::size_t row) {
  chosen_ = order_[row];
  const QRect rect = row_rect(row);
  if (rect.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top());
  if (rect.bottom() > viewport()->height())
    verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() - viewport()->height());
  viewport()->update();
  Q_EMIT group_clicked(static_cast<int>(*chosen_));
}

void ShareBars::mousePressEvent(QMouseEvent* event) {
  const auto row = row_at(event->position().toPoint());
  if (row && event->button() == Qt::LeftButton) announce(*row);
}

void ShareBars::keyPressEvent(QKeyEvent* event) {
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if ((!up && !down) || order_.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const auto found = chosen_ ? std::find(order_.begin(), order_.end(), *chosen_) : order_.end();
  if (found == order_.end()) return announce(0);
  const auto row = static_cast<std::size_t>(found - order_.begin());
  announce(up ? (row > 0 ? row - 1 : 0) : std::min(row + 1, order_.size() - 1));
}

bool ShareBars::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto row = row_at(help->pos());
  if (!row) return QAbstractScrollArea::viewportEvent(event);
  const std::size_t group = order_[*row];
  QToolTip::showText(help->globalPos(), QStringLiteral("%1: %2 %3").arg(names_[group], number(group), unit_),
                     viewport());
  return true;
}

}  // namespace isolume
