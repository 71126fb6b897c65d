// Dialogs for the files that tables of states and modes come from and are written to.
#include "app/window/quantum/table_files.h"

#include <QFileDialog>
#include <QSettings>

namespace isolume {
namespace {

QFileDialog* made_dialog(QWidget* parent, const QString& title, const QString& filter,
                         const std::function<void(const QString&)>& done) {
  auto* dialog = new QFileDialog(parent, title, QSettings().value(QStringLiteral("folder")).toString(), filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, done);
  return dialog;
}

}  // namespace

void ask_file(QWidget* parent, const QString& title, const QString& kind,
              const std::function<void(const QString&)>& open) {
  QFileDialog* dialog = made_dialog(parent, title, QStringLiteral("%1 (*)").arg(kind), open);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->open();
}

void ask_table(QWidget* parent, const QString& title, const std::function<void(const QString&)>& write) {
  QFileDialog* dialog = made_dialog(parent, title, QFileDialog::tr("Tables (*.csv)"), write);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  dialog->open();
}

}  // namespace isolume
