// Messages next to the picture, which block nothing.
#include "app/window/shell/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <algorithm>

#include "app/window/widgets/icons.h"
#include "app/window/widgets/theme.h"

namespace isolume {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      picture_(new QLabel(this)),
      text_(new QLabel(this)),
      more_(new QLabel(this)),
      close_(new QToolButton(this)) {
  setObjectName(QStringLiteral("message_bar"));
  setAccessibleName(tr("Message"));
  setAutoFillBackground(true);
  picture_->setAccessibleName(tr("Kind of message"));
  text_->setAccessibleName(tr("Message text"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  more_->setAccessibleName(tr("Further messages"));
  close_->setAccessibleName(tr("Close the message"));
  close_->setToolTip(tr("Close the message"));
  close_->setIcon(icon(QStringLiteral("close")));
  close_->setAutoRaise(true);
  close_->setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 8, 8, 8);
  layout->setSpacing(10);
  layout->addWidget(picture_, 0, Qt::AlignTop);
  layout->addWidget(text_, 1);
  layout->addWidget(more_);
  layout->addWidget(close_, 0, Qt::AlignTop);
  connect(close_, &QToolButton::clicked, this, &MessageBar::close_one);
  hide();
}

void MessageBar::show_message(Kind kind, const QString& text) {
  const Message message{kind, text};
  std::erase(messages_, message);
  messages_.push_back(message);
  if (messages_.size() > 20) messages_.erase(messages_.begin());
  refresh();
}

QString MessageBar::message() const {
  return messages_.empty() ? QString() : messages_.back().text;
}

void MessageBar::clear() {
  messages_.clear();
  refresh();
}

void MessageBar::dismiss(const QString& text) {
  if (std::erase_if(messages_, [&](const Message& message) { return message.text == text; }) > 0) refresh();
}

void MessageBar::close_one() {
  if (!messages_.empty()) messages_.pop_back();
  refresh();
}

void MessageBar::refresh() {
  setVisible(!messages_.empty());
  if (messages_.empty()) return;
  const Message& message = messages_.back();
  const bool fault = message.kind == Kind::fault;
  picture_->setPixmap(icon(fault ? QStringLiteral("warning") : QStringLiteral("info")).pixmap(20, 20));
  picture_->setAccessibleDescription(fault ? tr("Error") : tr("Note"));
  text_->setText(message.text);
  more_->setVisible(messages_.size() > 1);
  more_->setText(tr("and %1 more").arg(messages_.size() - 1));
  QPalette colours = palette();
  const bool dark = dark_palette();
  colours.setColor(QPalette::Window,
                   fault ? (dark ? QColor(0x4a2a26) : QColor(0xfbe6e2)) : (dark ? QColor(0x26374a) : QColor(0xe4eefa)));
  if (colours != palette()) setPalette(colours);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Only windows are told of the application's palette; what hangs on them is told of its own.
  if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace isolume
