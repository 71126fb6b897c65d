// Asks where to save a file, and proposes a folder and a name.
#include "app/window/widgets/save_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <utility>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/scene/scene.h"

namespace isolume {

QString last_save_folder() {
  const QSettings settings;
  const QString last = settings.value(QStringLiteral("save_folder")).toString();
  return !last.isEmpty() && QFileInfo(last).isDir() ? last : settings.value(QStringLiteral("folder")).toString();
}

QString new_file(const QString& folder, const QString& stem, const QString& extension, const QStringList& taken) {
  for (int number = 1;; ++number) {
    const QString name = number == 1 ? stem : QStringLiteral("%1-%2").arg(stem).arg(number);
    const QString path = QDir(folder).filePath(name + QLatin1Char('.') + extension);
    if (!QFileInfo::exists(path) && !taken.contains(path)) return path;
  }
}

QString stem_of(const Scene& scene) {
  const QString title = scene.molecules.empty() ? QString() : to_qt(file_title(scene.molecules.front().paths));
  const QString stem = title.left(title.indexOf(QLatin1Char('.'), 1));
  return stem.isEmpty() ? QStringLiteral("isolume") : stem;
}

QFileDialog* ask_where_to_save(QWidget* parent, const SaveQuestion& question,
                               std::function<void(const QString&)> save) {
  const QString folder = question.folder.isEmpty() ? last_save_folder() : question.folder;
  auto* dialog = new QFileDialog(parent, question.title, folder, question.filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(question.suffix);
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    static const QRegularExpression first(QStringLiteral("\\*\\.(\\w+)"));
    const QRegularExpressionMatch match = first.match(filter);
    if (match.hasMatch()) dialog->setDefaultSuffix(match.captured(1));
  });
  if (!question.stem.isEmpty())
    dialog->selectFile(QFileInfo(new_file(dialog->directory().path(), question.stem, question.suffix)).fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, [save = std::move(save)](const QString& path) {
    QSettings().setValue(QStringLiteral("save_folder"), QFileInfo(path).absolutePath());
    save(path);
  });
  dialog->open();
  return dialog;
}

}  // namespace isolume
