// Icons: our own line drawings in the colour of the theme's text.
#include "app/window/widgets/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

// Outside any namespace: the macro names a function of the generated code.
static void init_icon_resources() {
  Q_INIT_RESOURCE(isolume_icons);
}

namespace isolume {
namespace {

class ThemedSvg final : public QIconEngine {
 public:
  explicit ThemedSvg(QByteArray svg) : svg_(std::move(svg)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const QPalette palette = QApplication::palette();
    QColor colour =
        palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::WindowText);
    if (mode == QIcon::Selected) colour = palette.color(QPalette::HighlightedText);
    if (state == QIcon::On && mode != QIcon::Disabled) colour = palette.color(QPalette::Link);
    QByteArray text = svg_;
    text.replace("currentColor", colour.name().toUtf8());
    QSvgRenderer(text).render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap result(size);
    result.fill(Qt::transparent);
    QPainter painter(&result);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return result;
  }

  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    return pixmap(size, mode, state);
  }

  QIconEngine* clone() const override { return new ThemedSvg(svg_); }

 private:
  QByteArray svg_;
};

}  // namespace

QIcon icon(const QString& name) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QIcon(new ThemedSvg(file.readAll()));
}

QIcon list_icon(const QIcon& own) {
  if (!own.isNull()) return own;
  QPixmap nothing(16, 16);
  nothing.fill(Qt::transparent);
  return nothing;
}

void load_icons() {
  init_icon_resources();
}

}  // namespace isolume
