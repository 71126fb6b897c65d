// Recently opened files, and those pinned by the user.
#include "app/window/help/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace isolume {
namespace {

constexpr int most = 12;

QString recent_key() {
  return QStringLiteral("recent");
}
QString pinned_key() {
  return QStringLiteral("pinned");
}
QStringList stored(const QString& key) {
  return QSettings().value(key).toStringList();
}

}  // namespace

QStringList recent_files() {
  QStringList all = stored(pinned_key());
  for (const QString& path : stored(recent_key()))
    if (!all.contains(path)) all += path;
  return all;
}

bool is_pinned(const QString& path) {
  return stored(pinned_key()).contains(QFileInfo(path).absoluteFilePath());
}

void remember_file(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  const QStringList pinned = stored(pinned_key());
  QStringList recent = stored(recent_key());
  recent.removeAll(full);
  if (!pinned.contains(full)) recent.prepend(full);
  QSettings().setValue(recent_key(), recent.mid(0, most));
}

void pin_file(const QString& path, bool pinned) {
  const QString full = QFileInfo(path).absoluteFilePath();
  QStringList kept = stored(pinned_key());
  kept.removeAll(full);
  if (pinned) kept += full;
  QSettings().setValue(pinned_key(), kept);
  remember_file(full);
}

}  // namespace isolume
