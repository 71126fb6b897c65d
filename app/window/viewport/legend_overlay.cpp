// The legends of the fields' colours, over the picture.
#include "app/window/viewport/legend_overlay.h"

#include <QEvent>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

#include "app/fields/legend.h"
#include "app/models/labels.h"

namespace isolume {
namespace {

constexpr int margin = 10, padding = 8, bar_width = 170, bar_height = 10, gap = 4, most_entries = 12;

QColor to_colour(glm::vec3 c) {
  return QColor::fromRgbF(std::clamp(c.r, 0.0f, 1.0f), std::clamp(c.g, 0.0f, 1.0f), std::clamp(c.b, 0.0f, 1.0f));
}

QString number(double value, bool sign) {
  QString text = QString::number(value, 'g', 4);
  if (sign && value > 0) text.prepend(QLatin1Char('+'));
  return text.replace(QLatin1Char('-'), QChar(0x2212));
}

// The value of an isosurface.
QString value_of(const FieldLegend& legend, std::size_t i) {
  return number(legend.colours.size() > 1 && i == 0 ? legend.lower : legend.upper, true);
}

QString title_of(const FieldLegend& legend) {
  QString title = to_qt(legend_title(legend));
  const bool file = title.section(QLatin1Char(' '), 0, 0).contains(QLatin1Char('.'));  // "esp.dx"
  if (!title.isEmpty() && !file) title[0] = title[0].toUpper();
  return title;
}

}  // namespace

LegendOverlay::LegendOverlay(QWidget* viewport) : QWidget(viewport) {
  setObjectName(QStringLiteral("legends"));
  setAccessibleName(tr("Legends"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  viewport->installEventFilter(this);
  hide();
}

QFont LegendOverlay::letters() const {
  QFont letters = font();
  if (points_ > 0) letters.setPointSizeF(points_);
  return letters;
}

int LegendOverlay::scaled(int pixels) const {
  return points_ > 0 ? qRound(pixels * points_ / font().pointSizeF()) : pixels;
}

// From one isosurface's patch to the next: half of the bar, more where a value needs it.
int LegendOverlay::patch_width(const FieldLegend& legend) const {
  int widest = 0;
  for (std::size_t i = 0; i < legend.colours.size(); ++i)
    widest = std::max(widest, metrics().horizontalAdvance(value_of(legend, i)));
  return std::max(scaled(bar_width) / 2, 2 * scaled(bar_height) + scaled(6) + widest + scaled(8));
}

void LegendOverlay::set_legends(std::vector<FieldLegend> legends, bool dark, double points) {
  if (legends == legends_ && dark == dark_ && points == points_) return;
  points_ = points;
  legends_ = std::move(legends);
  dark_ = dark;
  QStringList spoken;
  for (const FieldLegend& legend : legends_) {
    if (legend.entries.empty()) {
      spoken +=
          tr("%1 from %2 to %3")
              .arg(title_of(legend), number(legend.lower, legend.lower < 0), number(legend.upper, legend.lower < 0));
    } else {
      QStringList names;
      for (const auto& entry : legend.entries) names += to_qt(entry.first);
      spoken += tr("%1: %2").arg(title_of(legend), names.join(QStringLiteral(", ")));
    }
  }
  setAccessibleDescription(spoken.join(QStringLiteral("; ")));
  place();
  setVisible(!legends_.empty());
  update();
}

QStringList LegendOverlay::title_lines(const FieldLegend& legend) const {
  const QRect around = room_.isNull() ? parentWidget()->rect() : room_;
  const int room = around.width() - 2 * margin - 2 * scaled(padding) - 1;
  QStringList lines;
  for (const QString& word : title_of(legend).split(QLatin1Char(' '))) {
    const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (lines.isEmpty() || bold_metrics().horizontalAdvance(longer) > room) {
      lines += word;
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

QSize LegendOverlay::size_of_legends() const {
  const int bar_width = scaled(isolume::bar_width), bar_height = scaled(isolume::bar_height);
  const int padding = scaled(isolume::padding), gap = scaled(isolume::gap);
  const int line = metrics().height() + 1;
  int width = bar_width;
  int height = padding;
  for (const FieldLegend& legend : legends_) {
    const QStringList title = title_lines(legend);
    for (const QString& text : title) width = std::max(width, bold_metrics().horizontalAdvance(text));
    if (const std::string error = legend_error(legend); !error.empty()) {
      width = std::max(width, metrics().horizontalAdvance(to_qt(error)));
      height += line;
    }
    for (const auto& entry : legend.entries)
      width = std::max(width, bar_height + 8 + metrics().horizontalAdvance(to_qt(entry.first)));
    if (legend.entries.empty() && legend.isosurfaces)
      width = std::max(width, static_cast<int>(legend.colours.size()) * patch_width(legend));
    height += line * static_cast<int>(title.size()) + gap;
    if (!legend.entries.empty()) {
      height += line * static_cast<int>(std::min<std::size_t>(legend.entries.size(), most_entries));
    } else {
      height += bar_height + gap + (legend.isosurfaces ? 0 : line);
    }
    height += padding;
  }
  return {width + 1 + 2 * padding, height};  // widths are rounded, and text is cut where it is wider by a fraction
}

QFontMetrics LegendOverlay::bold_metrics() const {
  QFont bold = letters();
  bold.setBold(true);
  return QFontMetrics(bold, this);
}

void LegendOverlay::place() {
  const QSize wanted = size_of_legends();
  const QRect around = room_.isNull() ? parentWidget()->rect() : room_;
  const QSize room = around.size() - QSize(2 * margin, 2 * margin);
  const QSize size(std::min(wanted.width(), room.width()), std::min(wanted.height(), room.height()));
  setGeometry(around.left() + margin, around.top() + around.height() - margin - size.height(), size.width(),
              size.height());
}

void LegendOverlay::set_room(const QRect& room) {
  if (room == room_) return;
  room_ = room;
  place();
}

bool LegendOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == parentWidget()) place();
  return QWidget::eventFilter(watched, event);
}

void LegendOverlay::paintEvent(QPaintEvent*) {
  const int bar_width = scaled(isolume::bar_width), bar_height = scaled(isolume::bar_height);
  const int padding = scaled(isolume::padding), gap = scaled(isolume::gap);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = dark_ ? QColor(240, 240, 240) : QColor(25, 25, 25);
  const QColor paper = dark_ ? QColor(20, 22, 26, 150) : QColor(255, 255, 255, 170);
  painter.setPen(Qt::NoPen);
  painter.setBrush(paper);
  painter.drawRoundedRect(rect(), 6, 6);
  const int line = metrics().height() + 1;
  QFont bold = letters();
  bold.setBold(true);
  int y = padding;
  const int x = padding;
  const int room = width() - 2 * padding;
  const auto text = [&](const QString& what) {
    painter.setPen(ink);
    painter.drawText(QRect(x, y, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics().elidedText(what, Qt::ElideRight, room));
    y += line;
  };
  for (const FieldLegend& legend : legends_) {
    painter.setFont(bold);
    for (const QString& part : title_lines(legend)) text(part);
    painter.setFont(letters());
    y += gap;
    painter.setPen(QPen(ink, 1));
    if (!legend.entries.empty()) {
      for (std::size_t i = 0; i < legend.entries.size() && i < most_entries; ++i) {
        const bool more = i + 1 == most_entries && legend.entries.size() > most_entries;
        painter.setPen(QPen(ink, 1));
        painter.setBrush(to_colour(legend.entries[i].second));
        if (!more) painter.drawRect(QRectF(x + 0.5, y + 0.5 * (line - bar_height) + 0.5, bar_height, bar_height));
        painter.drawText(QRect(x + bar_height + scaled(8), y, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                         more ? tr("and %1 more").arg(legend.entries.size() - i) : to_qt(legend.entries[i].first));
        y += line;
      }
    } else if (legend.isosurfaces) {
      int left = x;
      for (std::size_t i = 0; i < legend.colours.size(); ++i) {
        painter.setBrush(to_colour(legend.colours[i]));
        painter.drawRect(QRectF(left + 0.5, y + 0.5, 2 * bar_height, bar_height));
        painter.drawText(QRect(left + 2 * bar_height + scaled(6), y - line, bar_width, bar_height + 2 * line),
                         Qt::AlignLeft | Qt::AlignVCenter, value_of(legend, i));
        left += patch_width(legend);
      }
      y += bar_height + gap;
    } else {
      QLinearGradient gradient(x, 0, x + bar_width, 0);
      const auto last = static_cast<double>(std::max<std::size_t>(1, legend.colours.size() - 1));
      for (std::size_t i = 0; i < legend.colours.size(); ++i)
        gradient.setColorAt(static_cast<double>(i) / last, to_colour(legend.colours[i]));
      painter.setBrush(gradient);
      painter.drawRect(QRectF(x + 0.5, y + 0.5, bar_width, bar_height));
      y += bar_height + gap;
      const QRect ticks(x, y, bar_width, line);
      const bool sign = legend.lower < 0;
      painter.drawText(ticks, Qt::AlignLeft, number(legend.lower, sign));
      painter.drawText(ticks, Qt::AlignHCenter, number(0.5 * (legend.lower + legend.upper), sign));
      painter.drawText(ticks, Qt::AlignRight, number(legend.upper, sign));
      y += line;
    }
    if (const std::string error = legend_error(legend); !error.empty()) text(to_qt(error));
    y += padding;
  }
}

}  // namespace isolume
