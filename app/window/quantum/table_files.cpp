// Dialogs for the files that tables of states and modes come from and are written to.
#include "app/window/quantum/table_files.h"

#include <QFileDialog>
#include <QSettings>

#include "app/window/widgets/save_dialog.h"

namespace isolume {

void ask_file(QWidget* parent, const QString& title, const QString& kind,
              const std::function<void(const QString&)>& open) {
  auto* dialog = new QFileDialog(parent, title, QSettings().value(QStringLiteral("folder")).toString(),
                                 QStringLiteral("%1 (*)").arg(kind));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, open);
  dialog->open();
}

void ask_table(QWidget* parent, const QString& title, const QString& stem,
               const std::function<void(const QString&)>& write) {
  ask_where_to_save(parent, {title, QFileDialog::tr("Tables (*.csv)"), QStringLiteral("csv"), stem, {}}, write);
}

}  // namespace isolume
