// What is around compared surfaces: titles, scales, methods, times and errors.
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

#include "app/window/dialogs/compare_view.h"
#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

constexpr double gap = 6, bar = 10;

QString number(double value) {
  return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

/// Under scale `which`.
QString scale_title(const CompareTexts& texts, int which) {
  if (texts.rows() == 1) return texts.unit;
  return which == 0 ? CompareView::tr("potential, %1").arg(texts.unit)
                    : CompareView::tr("difference, %1").arg(texts.unit);
}

QColor to_colour(glm::vec3 c) {
  return QColor::fromRgbF(std::clamp(c.r, 0.0f, 1.0f), std::clamp(c.g, 0.0f, 1.0f), std::clamp(c.b, 0.0f, 1.0f));
}

}  // namespace

double compare_beneath_height(const QFont& font) {
  return 3 * QFontMetricsF(font).height() + gap;
}

QRectF compare_picture_rect(QSizeF size, const QFont& font, bool beneath) {
  const double line = QFontMetricsF(font).height();
  const double above = line + gap, under = line + bar + 2 * gap + (beneath ? compare_beneath_height(font) : 0);
  return {0, above, size.width(), std::max(1.0, size.height() - above - under)};
}

void paint_comparison(QPainter& painter, QSizeF size, const QImage& picture, const CompareTexts& texts,
                      const CompareStyle& style) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(style.font);
  const double line = metrics.height();
  const QRectF room = compare_picture_rect(size, style.font, !texts.beneath.empty());
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.fillRect(room, style.background);
  if (!picture.isNull()) painter.drawImage(room, picture);
  painter.setPen(QPen(style.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(room.adjusted(0.5, 0.5, -0.5, -0.5));
  const double width = size.width() / texts.columns;
  constexpr int stops = 32;
  const std::vector<glm::vec3> colours = diverging_colours(texts.negative, texts.positive, stops + 1);
  const auto write = [&](QRectF column, double top, Qt::Alignment side, const QString& text) {
    const QRectF place(column.left(), top, column.width(), line);
    painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, place.width()));
  };
  painter.setPen(style.text);
  QFont bold = style.font;
  bold.setBold(true);
  painter.setFont(bold);
  for (std::size_t k = 0; k < texts.titles.size(); ++k) {
    const int tile = static_cast<int>(k), row = tile / texts.columns;
    const QRectF column((tile % texts.columns) * width + gap, 0, width - 2 * gap, size.height());
    // Above the picture; those of the second row are at the top of their tiles.
    write(column, row == 0 ? 0 : room.top() + row * room.height() / texts.rows() + gap / 2, Qt::AlignHCenter,
          texts.titles[k]);
  }
  painter.setFont(style.font);
  // One scale for each column, or of two rows one for each row.
  const int scales = texts.rows() == 1 ? texts.columns : 2;
  const double scale_width = size.width() / scales;
  for (int number_of = 0; number_of < scales && !texts.ranges.empty(); ++number_of) {
    const auto k = static_cast<std::size_t>(texts.rows() == 1 ? number_of : number_of * texts.columns);
    const QRectF column(number_of * scale_width + gap, 0, scale_width - 2 * gap, size.height());
    const QRectF scale(column.left(), room.bottom() + gap, column.width(), bar);
    QLinearGradient gradient(scale.topLeft(), scale.topRight());
    for (int i = 0; i <= stops; ++i) {
      gradient.setColorAt(i / double(stops), to_colour(colours[static_cast<std::size_t>(i)]));
    }
    painter.fillRect(scale, gradient);
    painter.setPen(QPen(style.line, 1));
    painter.drawRect(scale);
    painter.setPen(style.text);
    const double under = scale.bottom() + gap / 2;
    write(column, under, Qt::AlignLeft, number(-texts.ranges[k]));
    write(column, under, Qt::AlignHCenter, scale_title(texts, number_of));
    write(column, under, Qt::AlignRight, QLatin1Char('+') + number(texts.ranges[k]));
  }
  paint_beneath(painter, size, size.height() - compare_beneath_height(style.font), texts, style);
}

void paint_beneath(QPainter& painter, QSizeF size, double top, const CompareTexts& texts, const CompareStyle& style) {
  const QFontMetricsF metrics(style.font);
  const double width = size.width() / texts.columns;
  const double line = metrics.height();
  painter.setPen(style.text);
  for (std::size_t k = 0; k < texts.beneath.size(); ++k) {
    const int tile = static_cast<int>(k);
    const auto& [method, figures] = texts.beneath[k];
    QRectF place(tile * width + gap, top, width - 2 * gap, 2 * line);
    painter.drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, method);
    place = QRectF(place.left(), top + 2 * line, place.width(), line);
    painter.drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                     metrics.elidedText(figures, Qt::ElideRight, place.width()));
  }
}

}  // namespace isolume
