// A dialog's background computation: its progress, its result, and the buttons that start and stop it.
#include "app/window/widgets/dialog_work.h"

#include <QBoxLayout>
#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <atomic>

namespace isolume {

DialogWork::DialogWork(const Words& words, QDialog* dialog)
    : QObject(dialog),
      cancelled_(words.cancelled),
      // The dialog's when it is given its place, and so behind what is above it when Tab is pressed.
      progress_(new QProgressBar),
      message_(new QLabel),
      go_(new QPushButton(words.go)),
      cancel_(new QPushButton(tr("Ca&ncel"))),
      close_(new QPushButton(tr("Cl&ose"))) {
  progress_->setAccessibleName(tr("Progress"));
  progress_->setRange(0, 100);
  progress_->hide();
  message_->setAccessibleName(tr("Result"));
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  go_->setToolTip(words.go_tip);
  cancel_->setToolTip(words.cancel_tip);
  cancel_->hide();
  close_->setToolTip(words.close_tip);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (!job_) return;
    job_->cancel();
    end();
    say(cancelled_);
  });
  connect(close_, &QPushButton::clicked, dialog, &QDialog::close);
}

DialogWork::~DialogWork() {
  if (job_) job_->cancel();
}

void DialogWork::add_progress(QBoxLayout* to) {
  to->addWidget(progress_);
  to->addWidget(message_);
}

void DialogWork::add_buttons(QBoxLayout* to, const QList<QPushButton*>& others) {
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  for (QPushButton* button : QList<QPushButton*>{cancel_, go_} + others + QList<QPushButton*>{close_}) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")));
    if (button != go_) button->setAutoDefault(false);
    row->addWidget(button);
  }
  to->addLayout(row);
  go_->setDefault(true);
}

void DialogWork::begin(const QString& doing) {
  auto last = std::make_shared<std::atomic<int>>(-1);  // a hundred reports at most
  job_ = std::make_shared<Job>([guard = QPointer<DialogWork>(this), last](double part, const std::string& what) {
    const int percent = static_cast<int>(100 * part);
    if (last->exchange(percent) == percent) return;
    QMetaObject::invokeMethod(
        qApp,
        [guard, percent, text = to_qt(what)] {
          if (!guard || !guard->job_) return;
          guard->progress_->setValue(percent);
          if (!text.isEmpty()) guard->say(text);
        },
        Qt::QueuedConnection);
  });
  progress_->setValue(0);
  progress_->show();
  cancel_->show();
  say(doing);
  Q_EMIT changed();
}

void DialogWork::end() {
  job_.reset();
  progress_->hide();
  cancel_->hide();
  Q_EMIT changed();
}

bool DialogWork::may_write(const QStringList& paths) {
  QStringList there;
  for (const QString& path : paths)
    if (QFileInfo::exists(path) && !replaced_.contains(path)) there += path;
  if (there.isEmpty()) return true;
  say(tr("%1 exists already. Press the button again to replace it, or choose another name.").arg(there.join(tr(", "))));
  replaced_ = paths;
  return false;
}

QPushButton* DialogWork::make_browse(const QString& title, const QString& filter, QLineEdit* file) {
  auto* browse = new QPushButton(tr("&Browse..."));
  browse->setAccessibleName(tr("Browse"));
  browse->setToolTip(tr("Choose the file"));
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, [this, title, filter, file] {
    auto* dialog = new QFileDialog(file->window(), title, file->text(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, file, &QLineEdit::setText);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { replaced_ = {path}; });
    dialog->open();
  });
  return browse;
}

void DialogWork::say(const QString& text) {
  message_->setText(text);
}

}  // namespace isolume
