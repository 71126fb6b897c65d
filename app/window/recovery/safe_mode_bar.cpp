// Says that the window is in safe mode, and the way back.
#include "app/window/recovery/safe_mode_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/window/widgets/icons.h"

namespace isolume {

SafeModeBar::SafeModeBar(SafeMode mode, QWidget* parent) : QFrame(parent), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("safe_mode"));
  setAccessibleName(tr("Safe mode"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  const QString what =
      tr("Safe mode: no CUDA, images are drawn by the processor, and the panels have their first layout.");
  text_->setText(mode == SafeMode::crashed
                     ? tr("Isolume ended unexpectedly %1 times in a row. %2").arg(crash_budget).arg(what)
                     : what);
  text_->setAccessibleName(tr("Safe mode"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setMinimumHeight(2 * text_->fontMetrics().lineSpacing() + 4);  // two lines, else the layout clips the first
  start_ = new QPushButton(tr("&Start normally"), this);
  start_->setAccessibleName(tr("Start normally"));
  start_->setToolTip(tr("Start Isolume as usual, in another window; this one stays open"));
  auto* close = new QPushButton(tr("&Close"), this);
  close->setAccessibleName(tr("Close"));
  close->setToolTip(tr("Hide this message; safe mode ends with this window"));
  auto* picture = new QLabel(this);
  picture->setPixmap(icon(QStringLiteral("info")).pixmap(20, 20));
  picture->setAccessibleName(tr("Note"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->addWidget(picture);
  layout->addWidget(text_, 1);
  layout->addWidget(start_);
  layout->addWidget(close);
  connect(start_, &QPushButton::clicked, this, &SafeModeBar::start_asked);
  connect(close, &QPushButton::clicked, this, &QWidget::hide);
}

QString SafeModeBar::text() const {
  return text_->text();
}

}  // namespace isolume
