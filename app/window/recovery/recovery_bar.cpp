// Offers scenes saved before a crash.
#include "app/window/recovery/recovery_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "app/window/widgets/icons.h"

namespace isolume {

RecoveryBar::RecoveryBar(QWidget* parent) : QFrame(parent), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("recovery"));
  setAccessibleName(tr("Recovery"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  text_->setAccessibleName(tr("Autosaved scenes"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setMinimumHeight(2 * text_->fontMetrics().lineSpacing() + 4);  // two lines, else the layout clips the first
  const auto button = [this](const QString& text, const QString& tip) {
    auto* made = new QPushButton(text, this);
    made->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    made->setToolTip(tip);
    return made;
  };
  recover_ = button(tr("&Recover"), tr("Open the autosaved scene and its files"));
  discard_ = button(tr("&Discard"), tr("Delete the autosave; molecule files stay"));
  later_ = button(tr("&Later"), tr("Keep the autosave and ask again at the next start"));
  auto* picture = new QLabel(this);
  picture->setPixmap(icon(QStringLiteral("info")).pixmap(20, 20));
  picture->setAccessibleName(tr("Note"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->addWidget(picture);
  layout->addWidget(text_, 1);
  layout->addWidget(recover_);
  layout->addWidget(discard_);
  layout->addWidget(later_);
  hide();
  connect(recover_, &QPushButton::clicked, this, [this] {
    const Recovery::Found found = found_.takeFirst();
    show_first();
    Q_EMIT recover(found);
  });
  connect(discard_, &QPushButton::clicked, this, [this] {
    Recovery::discard(found_.takeFirst());
    show_first();
  });
  connect(later_, &QPushButton::clicked, this, [this] {
    found_.removeFirst();  // its lock goes with it, and its folder stays
    show_first();
  });
}

void RecoveryBar::offer(QList<Recovery::Found> found) {
  found_ = std::move(found);
  show_first();
}

QString RecoveryBar::text() const {
  return text_->text();
}

void RecoveryBar::show_first() {
  setVisible(!found_.isEmpty());
  if (found_.isEmpty()) return;
  const Recovery::Found& found = found_.first();
  QString text =
      found.asked_to_end ? tr("Isolume was terminated with unsaved changes") : tr("Isolume closed unexpectedly");
  if (!found.reading.isEmpty()) text += tr(" while reading %1").arg(found.reading);
  text += QStringLiteral(". ");
  if (found.scene.isEmpty()) {
    text += tr("There was no scene to save.");
  } else {
    text += tr("An autosave of %1 (%2) can be restored.")
                .arg(QLocale().toString(found.when, QLocale::ShortFormat), found.files);
  }
  text_->setText(text);
  recover_->setEnabled(!found.scene.isEmpty());
}

}  // namespace isolume
