// Offers scenes saved before a crash.
#include "app/window/recovery/recovery_bar.h"

#include <QLocale>
#include <QPushButton>

namespace isolume {

RecoveryBar::RecoveryBar(QWidget* parent)
    : NoticeBar(QStringLiteral("recovery"), tr("Recovery"), tr("Autosaved scenes"), parent) {
  recover_ = add_button(tr("&Recover"), tr("Open the autosaved scene and its files"));
  discard_ = add_button(tr("&Discard"), tr("Delete the autosave; molecule files stay"));
  later_ = add_button(tr("&Later"), tr("Keep the autosave and ask again at the next start"));
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
  set_text(text);
  recover_->setEnabled(!found.scene.isEmpty());
}

}  // namespace isolume
