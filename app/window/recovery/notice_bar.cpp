// A line above the picture with a text and buttons.
#include "app/window/recovery/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/window/widgets/icons.h"

namespace isolume {

NoticeBar::NoticeBar(const QString& name, const QString& title, const QString& what, QWidget* parent)
    : QFrame(parent), text_(new QLabel(this)) {
  setObjectName(name);
  setAccessibleName(title);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  text_->setAccessibleName(what);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setMinimumHeight(2 * text_->fontMetrics().lineSpacing() + 4);  // two lines, else the layout clips the first
  auto* picture = new QLabel(this);
  picture->setPixmap(icon(QStringLiteral("info")).pixmap(20, 20));
  picture->setAccessibleName(tr("Note"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->addWidget(picture);
  layout->addWidget(text_, 1);
}

void NoticeBar::set_text(const QString& text) {
  text_->setText(text);
}

QString NoticeBar::text() const {
  return text_->text();
}

QPushButton* NoticeBar::add_button(const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
  button->setToolTip(tip);
  layout()->addWidget(button);
  return button;
}

}  // namespace isolume
