// A button that shows a colour and lets it be chosen.
#include "app/window/widgets/colour_button.h"

#include <QColorDialog>
#include <QPainter>
#include <QPixmap>

namespace isolume {

ColourButton::ColourButton(const QString& what, QWidget* parent) : QToolButton(parent) {
  setAccessibleName(what);
  setToolTip(what);
  setIconSize(QSize(36, 16));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(this, &QToolButton::clicked, this, &ColourButton::choose);
}

void ColourButton::set_colour(glm::u8vec4 colour) {
  const QColor next(colour.r, colour.g, colour.b);
  if (next == colour_) return;
  colour_ = next;
  QPixmap pixmap(72, 32);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(128, 128, 128), 1));
  painter.setBrush(colour_);
  painter.drawRoundedRect(QRectF(0.5, 0.5, 35, 15), 3, 3);
  painter.end();
  setIcon(QIcon(pixmap));
  setAccessibleDescription(colour_.name());
}

glm::u8vec4 ColourButton::colour() const {
  return {colour_.red(), colour_.green(), colour_.blue(), 255};
}

void ColourButton::choose() {
  auto* dialog = new QColorDialog(colour_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  dialog->setWindowTitle(accessibleName());
  connect(dialog, &QColorDialog::colorSelected, this, &ColourButton::chosen);
  dialog->open();
}

}  // namespace isolume
