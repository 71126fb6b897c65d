// What a widget shows as a vector drawing in a file.
#include "app/window/widgets/drawing_file.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QWidget>
#include <ostream>

#include "app/window/widgets/theme.h"
#include "formats/write/write.h"

namespace isolume {
namespace {

/// Of widgets and of the drawing: what takes so many pixels of a usual screen is as large on paper.
constexpr int dots_per_inch = 96;

QByteArray pdf_of(QWidget& widget, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(title);
  writer.setCreator(QStringLiteral("Isolume"));
  writer.setResolution(dots_per_inch);
  writer.setPageLayout(
      QPageLayout(QPageSize(QSizeF(widget.size()) * 72.0 / dots_per_inch, QPageSize::Point, {}, QPageSize::ExactMatch),
                  QPageLayout::Portrait, QMarginsF(0, 0, 0, 0)));
  QPainter painter(&writer);
  widget.render(&painter);
  painter.end();
  buffer.close();
  return bytes;
}

QByteArray svg_of(QWidget& widget, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(widget.size());
  generator.setViewBox(widget.rect());
  generator.setTitle(title);
  widget.render(&generator);
  return bytes;
}

}  // namespace

void write_drawing(const QString& path, QWidget& widget, const QString& title) {
  const bool own = widget.testAttribute(Qt::WA_SetPalette);
  const QPalette before = widget.palette();
  const bool focus = widget.hasFocus();
  if (focus) widget.clearFocus();
  widget.setPalette(light_palette());
  const bool pdf = path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
  const QByteArray bytes = pdf ? pdf_of(widget, title) : svg_of(widget, title);
  widget.setPalette(own ? before : QPalette());
  if (focus) widget.setFocus();
  write_atomically(path.toStdString(), [&](std::ostream& out) { out.write(bytes.data(), bytes.size()); });
}

}  // namespace isolume
