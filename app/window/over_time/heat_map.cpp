// A table of numbers as a picture: a cell for each row and column, linked with what is selected.
#include "app/window/over_time/heat_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

constexpr int band = 5, tick = 4;
constexpr double zoom_step = 1.2;  ///< of one notch of the wheel
constexpr double least_seen = 4;   ///< rows and columns
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
std::size_t label_step(double count, double room, double label) {
  const double least = label * count / std::max(1.0, room);
  double power = 1;
  for (;; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= least) return static_cast<std::size_t>(factor * power);
}

/// The first multiple of a step in what is seen, or the one before.
std::size_t first_label(double from, std::size_t step) {
  return static_cast<std::size_t>(std::max(0.0, from)) / step * step;
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
      if (colours.signs) {
        float largest = 0;
        for (std::size_t r = r0; r < r1; ++r)
          for (std::size_t c = c0; c < c1; ++c)
            if (const float value = picture.at(r, c); std::abs(value) > std::abs(largest)) largest = value;
        const glm::vec3 colour = 255.0f * red_white_blue(largest / static_cast<float>(colours.high));
        line[x] = qRgb(qRound(colour.r), qRound(colour.g), qRound(colour.b));
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
  const bool same = picture.rows == picture_.rows && picture.columns == picture_.columns;
  picture_ = std::move(picture);
  if (!same) show_all();
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
  const double h = all.height() / seen_.height(), w = all.width() / seen_.width();
  const auto [r0, r1] = std::minmax(a.first, b.first);
  const auto [c0, c1] = std::minmax(a.second, b.second);
  return {all.left() + (static_cast<double>(c0) - seen_.left()) * w,
          all.top() + (static_cast<double>(r0) - seen_.top()) * h, static_cast<double>(c1 - c0 + 1) * w,
          static_cast<double>(r1 - r0 + 1) * h};
}

QPointF HeatMap::place_at(QPointF place) const {
  const QRectF all = area();
  return {seen_.left() + std::clamp((place.x() - all.left()) / all.width(), 0.0, 1.0) * seen_.width(),
          seen_.top() + std::clamp((place.y() - all.top()) / all.height(), 0.0, 1.0) * seen_.height()};
}

void HeatMap::see(QRectF part) {
  const auto rows = static_cast<double>(picture_.rows), columns = static_cast<double>(picture_.columns);
  part.setWidth(std::clamp(part.width(), std::min(least_seen, columns), columns));
  part.setHeight(std::clamp(part.height(), std::min(least_seen, rows), rows));
  part.moveTo(std::clamp(part.left(), 0.0, columns - part.width()), std::clamp(part.top(), 0.0, rows - part.height()));
  seen_ = part;
  update();
}

void HeatMap::show_all() {
  see({0, 0, static_cast<double>(picture_.columns), static_cast<double>(picture_.rows)});
}

void HeatMap::zoom(double factor, QPointF about, bool columns_alone) {
  if (picture_.rows == 0 || picture_.columns == 0 || !(factor > 0)) return;
  const QPointF at = place_at(about);
  const QSizeF before = seen_.size();
  QRectF part = seen_;
  part.setWidth(std::clamp(before.width() / factor, std::min(least_seen, static_cast<double>(picture_.columns)),
                           static_cast<double>(picture_.columns)));
  if (!columns_alone || picture_.square)
    part.setHeight(std::clamp(before.height() / factor, std::min(least_seen, static_cast<double>(picture_.rows)),
                              static_cast<double>(picture_.rows)));
  // What was under the pointer stays there.
  part.moveTo(at.x() - (at.x() - seen_.left()) * part.width() / before.width(),
              at.y() - (at.y() - seen_.top()) * part.height() / before.height());
  see(part);
}

QPointF HeatMap::place(std::size_t row, std::size_t column) const {
  return cells_rect({row, column}, {row, column}).center();
}

HeatMap::Cell HeatMap::cell_at(QPointF place) const {
  const QPointF at = place_at(place);
  return {std::min(picture_.rows - 1, static_cast<std::size_t>(at.y())),
          std::min(picture_.columns - 1, static_cast<std::size_t>(at.x()))};
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
    const double x = picture_.image.width() / static_cast<double>(picture_.columns),
                 y = picture_.image.height() / static_cast<double>(picture_.rows);
    const QRectF from(seen_.left() * x, seen_.top() * y, seen_.width() * x, seen_.height() * y);
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          all.width() * ratio < from.width() || all.height() * ratio < from.height());
    painter.drawImage(all, picture_.image, from);
    painter.save();
    painter.setClipRect(all.adjusted(-band - 1, -band - 1, 1, 1));
    paint_marks(painter);
    painter.restore();
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
    if (at.top() < all.top() || at.top() > all.bottom()) continue;
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
    if (rows.bottom() <= all.top() || rows.top() >= all.bottom()) {
      first = last;
      continue;
    }
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
    if (x >= all.left() && x <= all.right()) {
      painter.setPen(QPen(mark_colour, 1.5));
      painter.drawLine(QPointF(x, all.top() - band), QPointF(x, all.bottom()));
    }
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
  const std::size_t down = label_step(seen_.height(), all.height(), line + 2);
  for (std::size_t r = first_label(seen_.top(), down); r < picture_.rows; r += down) {
    const double y = cells_rect({r, 0}, {r, 0}).center().y();
    if (y > all.bottom()) break;
    if (y < all.top()) continue;
    const double right = all.left() - band - tick - 2;
    painter.drawLine(QPointF(right, y), QPointF(right + tick - 1, y));
    const QString text = metrics.elidedText(picture_.row_names.value(static_cast<int>(r)), Qt::ElideMiddle, 110);
    painter.drawText(QRectF(line, y - line / 2, right - line - 2, line), Qt::AlignRight | Qt::AlignVCenter, text);
  }
  int widest = metrics.horizontalAdvance(QStringLiteral("00"));
  const auto some = std::max<qsizetype>(1, picture_.column_names.size() / 50);
  for (qsizetype i = 0; i < picture_.column_names.size(); i += some)
    widest = std::max(widest, metrics.horizontalAdvance(picture_.column_names[i]));
  const std::size_t along = label_step(seen_.width(), all.width(), widest + 14);
  for (std::size_t c = first_label(seen_.left(), along); c < picture_.columns; c += along) {
    const double x = cells_rect({0, c}, {0, c}).center().x();
    if (x > all.right()) break;
    if (x < all.left()) continue;
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
  if (event->button() == Qt::MiddleButton) {
    moved_from_ = event->position();
    moving_ = true;
    setCursor(Qt::ClosedHandCursor);
    return;
  }
  if (event->button() != Qt::LeftButton || picture_.rows == 0 || picture_.columns == 0) return;
  from_ = to_ = cell_at(event->position());
  dragging_ = true;
  adding_ = event->modifiers() & Qt::ControlModifier;
  update();
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
  if (picture_.rows == 0 || picture_.columns == 0) return;
  if (moving_) {
    const QRectF all = area();
    const QPointF by = event->position() - moved_from_;
    moved_from_ = event->position();
    return see(seen_.translated(-by.x() * seen_.width() / all.width(), -by.y() * seen_.height() / all.height()));
  }
  const Cell cell = cell_at(event->position());
  if (dragging_) {
    to_ = cell;
    update();
  }
  Q_EMIT hovered(words_ && (dragging_ || area().contains(event->position())) ? words_(cell.first, cell.second)
                                                                             : QString());
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton && moving_) {
    moving_ = false;
    return unsetCursor();
  }
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = false;
  announce(adding_);
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) show_all();
}

void HeatMap::wheelEvent(QWheelEvent* event) {
  // Alt and Shift turn the wheel sideways on some desktops.
  const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (turned == 0 || picture_.rows == 0 || picture_.columns == 0) return event->ignore();
  zoom(std::pow(zoom_step, turned / 120.0), event->position(), event->modifiers().testFlag(Qt::ShiftModifier));
  event->accept();
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
    case Qt::Key_Plus:
    case Qt::Key_Minus: {
      const QPointF about = from_ ? place(to_.first, to_.second) : area().center();
      return zoom(event->key() == Qt::Key_Plus ? zoom_step : 1 / zoom_step, about);
    }
    case Qt::Key_0:
      return show_all();
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
  // What is moved to is seen.
  const auto row = static_cast<double>(to_.first), column = static_cast<double>(to_.second);
  QRectF part = seen_;
  part.moveTop(std::clamp(part.top(), row + 1 - part.height(), row));
  part.moveLeft(std::clamp(part.left(), column + 1 - part.width(), column));
  see(part);
  if (words_) {
    const QString text = words_(to_.first, to_.second);
    setAccessibleDescription(text);
    Q_EMIT hovered(text);
  }
  announce(false);
}

}  // namespace isolume
