// A table of numbers as a picture: a cell for each row and column, linked with what is selected.
#include "app/window/over_time/heat_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace isolume {
namespace {

constexpr int band = 5, tick = 4;
const QColor mark_colour(213, 94, 0);

/// White where `part` is 0, dark blue where it is 1; lightness falls evenly.
QRgb shade(double part) {
  constexpr double stops[][3] = {{247, 251, 255}, {158, 202, 225}, {66, 146, 198}, {8, 69, 148}, {8, 30, 70}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const auto low = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  const double t = at - static_cast<double>(low);
  std::array<int, 3> c{};
  for (std::size_t k = 0; k < 3; ++k) c[k] = qRound((1 - t) * stops[low][k] + t * stops[low + 1][k]);
  return qRgb(c[0], c[1], c[2]);
}

/// Numbers between which there are `room` pixels and labels need `label`: every how many-th has one.
std::size_t label_step(std::size_t count, double room, double label) {
  const double least = label * static_cast<double>(count) / std::max(1.0, room);
  double power = 1;
  for (;; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= least) return static_cast<std::size_t>(factor * power);
}

}  // namespace

void draw_heat(HeatPicture& picture, const HeatColours& colours) {
  constexpr std::size_t most = 1500;
  const std::size_t height = std::min(most, picture.rows), width = std::min(most, picture.columns);
  picture.image = QImage(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
  const double span = colours.high - colours.low;
  const double step = colours.step && span != 0 ? (*colours.step - colours.low) / span : 0;
  const auto stepped = [step](double part) {
    if (!(step > 0 && step < 1)) return part;
    return part >= step ? 0.6 + 0.4 * (part - step) / (1 - step) : 0.4 * part / step;
  };
  for (std::size_t y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(static_cast<int>(y)));
    const std::size_t r0 = y * picture.rows / height, r1 = std::max(r0 + 1, (y + 1) * picture.rows / height);
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t c0 = x * picture.columns / width, c1 = std::max(c0 + 1, (x + 1) * picture.columns / width);
      if (!colours.classes.empty()) {
        const float value = picture.at(r0, c0);
        line[x] = std::isfinite(value)
                      ? colours.classes[std::min(colours.classes.size() - 1, static_cast<std::size_t>(value))].rgb()
                      : shade(0);
        continue;
      }
      double darkest = 0;
      for (std::size_t r = r0; r < r1; ++r)
        for (std::size_t c = c0; c < c1; ++c) {
          const auto value = static_cast<double>(picture.at(r, c));
          if (std::isfinite(value) && span != 0) darkest = std::max(darkest, (value - colours.low) / span);
        }
      line[x] = shade(stepped(darkest));
    }
  }
}

HeatMap::HeatMap(const QString& what, QWidget* parent) : QWidget(parent) {
  setAccessibleName(what);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);  // as high as the dock, rather than scrolled
}

void HeatMap::set_picture(HeatPicture picture) {
  picture_ = std::move(picture);
  if (marked_.size() != picture_.rows) marked_.assign(picture_.rows, 0);
  if (from_ && (from_->first >= picture_.rows || from_->second >= picture_.columns || to_.first >= picture_.rows ||
                to_.second >= picture_.columns))
    from_.reset();
  update();
}

void HeatMap::set_empty(const QString& text) {
  empty_ = text;
  update();
}

void HeatMap::set_marked(std::vector<std::uint8_t> rows) {
  marked_ = std::move(rows);
  marked_.resize(picture_.rows, 0);
  update();
}

void HeatMap::set_current(std::optional<std::size_t> column) {
  if (current_ == column) return;
  current_ = column;
  update();
}

int HeatMap::left_margin() const {
  int widest = 0;
  const auto step = std::max<qsizetype>(1, picture_.row_names.size() / 50);
  for (qsizetype i = 0; i < picture_.row_names.size(); i += step)
    widest = std::max(widest, fontMetrics().horizontalAdvance(picture_.row_names[i]));
  return std::min(widest, 110) + band + tick + 8 + fontMetrics().height();
}

int HeatMap::below() const {
  return 2 * fontMetrics().height() + 12;
}

int HeatMap::width_for(int height) const {
  return height - band - 6 - below() + left_margin() + 10;
}

QRectF HeatMap::area() const {
  const QRectF room = QRectF(rect()).adjusted(left_margin(), band + 6, -10, -below());
  if (!picture_.square) return room;
  const double side = std::max(10.0, std::min(room.width(), room.height()));
  return {room.left(), room.top(), side, side};
}

QRectF HeatMap::cells_rect(Cell a, Cell b) const {
  const QRectF all = area();
  const double h = all.height() / static_cast<double>(picture_.rows),
               w = all.width() / static_cast<double>(picture_.columns);
  const auto [r0, r1] = std::minmax(a.first, b.first);
  const auto [c0, c1] = std::minmax(a.second, b.second);
  return {all.left() + static_cast<double>(c0) * w, all.top() + static_cast<double>(r0) * h,
          static_cast<double>(c1 - c0 + 1) * w, static_cast<double>(r1 - r0 + 1) * h};
}

QPointF HeatMap::place(std::size_t row, std::size_t column) const {
  return cells_rect({row, column}, {row, column}).center();
}

HeatMap::Cell HeatMap::cell_at(QPointF place) const {
  const QRectF all = area();
  const auto part = [](double at, double room, std::size_t count) {
    const double t = std::clamp(at / room, 0.0, 1.0) * static_cast<double>(count);
    return std::min(count - 1, static_cast<std::size_t>(t));
  };
  return {part(place.y() - all.top(), all.height(), picture_.rows),
          part(place.x() - all.left(), all.width(), picture_.columns)};
}

void HeatMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  painter.setPen(palette().text().color());
  if (picture_.rows == 0 || picture_.columns == 0) {
    painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, empty_);
  } else {
    const QRectF all = area();
    const double ratio = devicePixelRatioF();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, all.width() * ratio < picture_.image.width() ||
                                                               all.height() * ratio < picture_.image.height());
    painter.drawImage(all, picture_.image);
    paint_marks(painter);
    paint_axes(painter);
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().highlight().color(), 1));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void HeatMap::paint_marks(QPainter& painter) const {
  const QRectF all = area();
  painter.setPen(QPen(QColor(128, 128, 128, 160), 1));
  for (const std::size_t row : picture_.breaks) {
    const QRectF at = cells_rect({row, 0}, {row, 0});
    painter.drawLine(QPointF(all.left(), at.top()), QPointF(all.right(), at.top()));
    if (!picture_.square) continue;
    const double x = all.left() + at.top() - all.top();
    painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
  }
  painter.setBrush(Qt::NoBrush);
  // A veil would change colours that stand for something: marked rows have an edge, where there is room for one.
  constexpr double least = 6;
  const auto edge = [&painter](const QLineF& from, const QLineF& to) {
    painter.setPen(QPen(mark_colour, 1));
    painter.drawLine(from);
    painter.drawLine(to);
  };
  for (std::size_t first = 0; first < marked_.size(); ++first) {
    if (!marked_[first]) continue;
    std::size_t last = first;
    while (last + 1 < marked_.size() && marked_[last + 1]) ++last;
    const QRectF rows = cells_rect({first, 0}, {last, picture_.columns - 1});
    if (rows.height() >= least) edge({rows.topLeft(), rows.topRight()}, {rows.bottomLeft(), rows.bottomRight()});
    painter.fillRect(QRectF(all.left() - band - 1, rows.top(), band, std::max(1.5, rows.height())), mark_colour);
    if (picture_.square) {
      const QRectF columns = cells_rect({0, first}, {picture_.rows - 1, last});
      if (columns.width() >= least)
        edge({columns.topLeft(), columns.bottomLeft()}, {columns.topRight(), columns.bottomRight()});
      painter.fillRect(QRectF(columns.left(), all.top() - band - 1, std::max(1.5, columns.width()), band), mark_colour);
    }
    first = last;
  }
  if (current_ && *current_ < picture_.columns) {
    const double x = cells_rect({0, *current_}, {0, *current_}).center().x();
    painter.setPen(QPen(mark_colour, 1.5));
    painter.drawLine(QPointF(x, all.top() - band), QPointF(x, all.bottom()));
  }
  if (from_) {
    painter.setPen(QPen(mark_colour, 1.5));
    painter.drawRect(cells_rect(*from_, to_).adjusted(-1, -1, 1, 1));
  }
}

void HeatMap::paint_axes(QPainter& painter) const {
  const QRectF all = area();
  painter.setPen(palette().text().color());
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(all);
  const QFontMetrics metrics = fontMetrics();
  const double line = metrics.height();
  const std::size_t down = label_step(picture_.rows, all.height(), line + 2);
  for (std::size_t r = 0; r < picture_.rows; r += down) {
    const double y = cells_rect({r, 0}, {r, 0}).center().y();
    const double right = all.left() - band - tick - 2;
    painter.drawLine(QPointF(right, y), QPointF(right + tick - 1, y));
    const QString text = metrics.elidedText(picture_.row_names.value(static_cast<int>(r)), Qt::ElideMiddle, 110);
    painter.drawText(QRectF(line, y - line / 2, right - line - 2, line), Qt::AlignRight | Qt::AlignVCenter, text);
  }
  int widest = metrics.horizontalAdvance(QStringLiteral("00"));
  const auto some = std::max<qsizetype>(1, picture_.column_names.size() / 50);
  for (qsizetype i = 0; i < picture_.column_names.size(); i += some)
    widest = std::max(widest, metrics.horizontalAdvance(picture_.column_names[i]));
  const std::size_t along = label_step(picture_.columns, all.width(), widest + 14);
  for (std::size_t c = 0; c < picture_.columns; c += along) {
    const double x = cells_rect({0, c}, {0, c}).center().x();
    painter.drawLine(QPointF(x, all.bottom()), QPointF(x, all.bottom() + tick));
    QRectF at(x - widest / 2.0 - 4, all.bottom() + tick + 1, widest + 8.0, line);
    if (at.left() < 0) at.translate(-at.left(), 0);
    painter.drawText(at, Qt::AlignHCenter, picture_.column_names.value(static_cast<int>(c)));
  }
  // In the middle of the cells, or next to it where it would be cut off.
  const QString along_text = metrics.elidedText(picture_.x, Qt::ElideRight, width());
  const double long_text = metrics.horizontalAdvance(along_text) + 2.0;
  const double left = std::clamp(all.center().x() - long_text / 2, 0.0, std::max(0.0, width() - long_text));
  painter.drawText(QRectF(left, all.bottom() + line + 6, long_text, line), Qt::AlignHCenter, along_text);
  painter.save();
  painter.translate(1, all.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-all.height() / 2, 0, all.height(), line), Qt::AlignHCenter, picture_.y);
  painter.restore();
}

void HeatMap::announce(bool add) {
  if (!from_) return;
  Q_EMIT chosen(std::minmax(from_->first, to_.first), std::minmax(from_->second, to_.second), add);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || picture_.rows == 0 || picture_.columns == 0) return;
  from_ = to_ = cell_at(event->position());
  dragging_ = true;
  adding_ = event->modifiers() & Qt::ControlModifier;
  update();
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
  if (picture_.rows == 0 || picture_.columns == 0) return;
  const Cell cell = cell_at(event->position());
  if (dragging_) {
    to_ = cell;
    update();
  }
  Q_EMIT hovered(words_ && (dragging_ || area().contains(event->position())) ? words_(cell.first, cell.second)
                                                                             : QString());
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = false;
  announce(adding_);
}

void HeatMap::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  Q_EMIT hovered({});
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
  int down = 0, along = 0;
  switch (event->key()) {
    case Qt::Key_Up:
      down = -1;
      break;
    case Qt::Key_Down:
      down = 1;
      break;
    case Qt::Key_Left:
      along = -1;
      break;
    case Qt::Key_Right:
      along = 1;
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  if (picture_.rows == 0 || picture_.columns == 0) return;
  if (!from_) {
    from_ = to_ = Cell{0, current_.value_or(0)};
  } else {
    const auto moved = [](std::size_t at, int by, std::size_t count) {
      return by < 0 ? at - (at > 0 ? 1 : 0) : std::min(count - 1, at + static_cast<std::size_t>(by));
    };
    to_ = {moved(to_.first, down, picture_.rows), moved(to_.second, along, picture_.columns)};
    if (!(event->modifiers() & Qt::ShiftModifier)) from_ = to_;
  }
  update();
  if (words_) {
    const QString text = words_(to_.first, to_.second);
    setAccessibleDescription(text);
    Q_EMIT hovered(text);
  }
  announce(false);
}

}  // namespace isolume
