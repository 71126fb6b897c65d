// Frames as a picture: the RMSD of all pairs as colours, or each frame as a point of two principal components.
#include "app/window/frames/frame_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/window/widgets/plot.h"

namespace isolume {
namespace {

constexpr int margin = 44, edge = 5;

/// Light where frames are alike, dark blue where they are far apart; lightness falls evenly.
QRgb colour_of(double part) {
  constexpr double stops[][3] = {{247, 251, 255}, {158, 202, 225}, {66, 146, 198}, {8, 69, 148}, {8, 30, 70}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const auto low = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  const double t = at - static_cast<double>(low);
  int c[3];
  for (std::size_t k = 0; k < 3; ++k) c[k] = qRound((1 - t) * stops[low][k] + t * stops[low + 1][k]);
  return qRgb(c[0], c[1], c[2]);
}

}  // namespace

QColor FrameMap::cluster_colour(std::uint32_t cluster) {
  return cluster < 8 ? plot_colour(static_cast<int>(cluster)) : QColor(150, 150, 150);
}

FrameMap::FrameMap(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Frames compared"));
  setToolTip(tr("Click to show a frame. In the matrix the column is shown; Left and Right move by a frame"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FrameMap::set_frames(std::vector<std::size_t> frames, std::vector<std::uint32_t> clusters) {
  frames_ = std::move(frames);
  clusters_ = std::move(clusters);
  update();
}

void FrameMap::set_matrix(RmsdMatrix matrix) {
  matrix_ = std::move(matrix);
  largest_ = matrix_.values.empty() ? 0 : *std::max_element(matrix_.values.begin(), matrix_.values.end());
  // A picture of at most so many pixels a side; of more frames every n-th is drawn.
  constexpr std::size_t most = 1500;
  const std::size_t step = (matrix_.frames + most - 1) / most;
  const std::size_t side = step == 0 ? 0 : (matrix_.frames + step - 1) / step;
  image_ = QImage(static_cast<int>(side), static_cast<int>(side), QImage::Format_RGB32);
  for (std::size_t i = 0; i < side; ++i) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(static_cast<int>(side - 1 - i)));
    for (std::size_t j = 0; j < side; ++j)
      line[j] = colour_of(largest_ > 0 ? static_cast<double>(matrix_.at(i * step, j * step) / largest_) : 0);
  }
  update();
}

void FrameMap::set_points(std::vector<double> x, std::vector<double> y) {
  x_ = std::move(x);
  y_ = std::move(y);
  update();
}

void FrameMap::set_show(Show show) {
  show_ = show;
  update();
}

void FrameMap::set_current(std::size_t frame) {
  current_ = frame;
  const auto row = current_row();
  setAccessibleDescription(
      row && *row < clusters_.size() ? tr("Frame %1, cluster %2").arg(frame).arg(clusters_[*row] + 1) : QString());
  update();
}

std::optional<std::size_t> FrameMap::current_row() const {
  const auto found = std::lower_bound(frames_.begin(), frames_.end(), current_);
  if (found == frames_.end() || *found != current_) return std::nullopt;
  return static_cast<std::size_t>(found - frames_.begin());
}

QRectF FrameMap::area() const {
  const QRectF room = QRectF(rect()).adjusted(margin, 10, -12, -margin);
  if (show_ == Show::projection) return room;
  const double side = std::min(room.width(), room.height());
  return {room.left() + (room.width() - side) / 2, room.top() + (room.height() - side) / 2, side, side};
}

QPointF FrameMap::place_of(std::size_t row) const {
  const QRectF a = area();
  if (show_ == Show::matrix) {
    const double t = (static_cast<double>(row) + 0.5) / static_cast<double>(std::max<std::size_t>(1, frames_.size()));
    return {a.left() + t * a.width(), a.bottom() - t * a.height()};
  }
  if (row >= x_.size()) return a.center();
  const auto [x0, x1] = std::minmax_element(x_.begin(), x_.end());
  const auto [y0, y1] = std::minmax_element(y_.begin(), y_.end());
  const auto part = [](double v, double low, double high) { return high > low ? (v - low) / (high - low) : 0.5; };
  return {a.left() + part(x_[row], *x0, *x1) * a.width(), a.bottom() - part(y_[row], *y0, *y1) * a.height()};
}

void FrameMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (frames_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter, tr("Frames compared with each other"));
    return;
  }
  painter.setPen(palette().text().color());
  const QRectF a = area();
  show_ == Show::matrix ? paint_matrix(painter) : paint_points(painter);
  painter.setPen(palette().text().color());
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(a);
  const bool matrix = show_ == Show::matrix;
  const auto ends = [&](const std::vector<double>& v) {
    const auto [low, high] = std::minmax_element(v.begin(), v.end());
    return std::pair(QString::number(*low, 'f', 1), QString::number(*high, 'f', 1));
  };
  const auto frame_ends = std::pair(QString::number(frames_.front()), QString::number(frames_.back()));
  const auto x = matrix || x_.empty() ? frame_ends : ends(x_), y = matrix || y_.empty() ? frame_ends : ends(y_);
  const QRectF below(a.left(), a.bottom() + 4, a.width(), 18);
  painter.drawText(below, Qt::AlignLeft, x.first);
  painter.drawText(below, Qt::AlignRight, x.second);
  painter.drawText(
      below.translated(0, 18), Qt::AlignHCenter,
      matrix ? tr("Frame; white 0 to dark %1 \u00c5").arg(double(largest_), 0, 'f', 2) : tr("Component 1 (\u00c5)"));
  const double left = a.left() - 4;
  painter.drawText(QRectF(0, a.bottom() - 16, left, 16), Qt::AlignRight, y.first);
  painter.drawText(QRectF(0, a.top(), left, 16), Qt::AlignRight, y.second);
  painter.save();
  painter.translate(a.left() - margin + 4, a.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-80, 0, 160, 18), Qt::AlignHCenter, matrix ? tr("Frame") : tr("Component 2 (\u00c5)"));
  painter.restore();
  if (!hasFocus()) return;
  painter.setPen(QPen(palette().highlight().color(), 1));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void FrameMap::paint_matrix(QPainter& painter) const {
  const QRectF a = area();
  painter.drawImage(a, image_);
  painter.setPen(Qt::NoPen);
  const double width = a.width() / static_cast<double>(frames_.size());
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    painter.setBrush(cluster_colour(clusters_[i]));
    painter.drawRect(QRectF(a.left() + static_cast<double>(i) * width, a.top() - edge - 1, width + 0.5, edge));
  }
  if (const auto row = current_row()) {
    const QPointF at = place_of(*row);
    painter.setPen(QPen(QColor(213, 94, 0), 1.5));
    painter.drawLine(QPointF(at.x(), a.top()), QPointF(at.x(), a.bottom()));
    painter.drawLine(QPointF(a.left(), at.y()), QPointF(a.right(), at.y()));
  }
}

void FrameMap::paint_points(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const double size = frames_.size() > 2000 ? 1.5 : 3;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    QColor colour = cluster_colour(i < clusters_.size() ? clusters_[i] : 0);
    colour.setAlpha(200);
    painter.setBrush(colour);
    painter.drawEllipse(place_of(i), size, size);
  }
  if (const auto row = current_row()) {
    painter.setPen(QPen(palette().text().color(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(place_of(*row), 6, 6);
  }
}

std::optional<std::size_t> FrameMap::row_at(QPointF place, bool by_column) const {
  const QRectF a = area();
  if (frames_.empty()) return std::nullopt;
  if (show_ == Show::matrix) {
    if (!a.contains(place)) return std::nullopt;
    const double t = by_column ? (place.x() - a.left()) / a.width() : (a.bottom() - place.y()) / a.height();
    return std::min(frames_.size() - 1, static_cast<std::size_t>(t * static_cast<double>(frames_.size())));
  }
  std::optional<std::size_t> best;
  double least = 12;  // pixels
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const QPointF d = place_of(i) - place;
    const double distance = std::hypot(d.x(), d.y());
    if (distance < least) least = distance, best = i;
  }
  return best;
}

void FrameMap::mousePressEvent(QMouseEvent* event) {
  if (const auto row = row_at(event->position(), true)) Q_EMIT frame_chosen(frames_[*row]);
}

void FrameMap::mouseMoveEvent(QMouseEvent* event) {
  const auto column = row_at(event->position(), true);
  if (event->buttons() & Qt::LeftButton) {
    if (column) Q_EMIT frame_chosen(frames_[*column]);
    return;
  }
  const auto row = row_at(event->position(), false);
  if (!column || !row || show_ != Show::matrix || matrix_.frames != frames_.size()) return;
  QToolTip::showText(event->globalPosition().toPoint(), tr("Frames %1 and %2: %3 \u00c5")
                                                            .arg(frames_[*column])
                                                            .arg(frames_[*row])
                                                            .arg(double(matrix_.at(*column, *row)), 0, 'f', 3));
}

void FrameMap::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (by == 0 || frames_.empty()) return QWidget::keyPressEvent(event);
  const auto row = current_row();
  const auto next = static_cast<std::ptrdiff_t>(row.value_or(0)) + (row ? by : 0);
  const auto last = static_cast<std::ptrdiff_t>(frames_.size()) - 1;
  Q_EMIT frame_chosen(frames_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, last))]);
}

}  // namespace isolume
