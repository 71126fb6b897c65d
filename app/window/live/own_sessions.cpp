// The sessions that this user has saved here, which may name files anywhere.
#include "app/window/live/own_sessions.h"

#include <QSettings>
#include <QStringList>

#include "app/export/sha256.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int most = 500;

QString key() {
  return QStringLiteral("own_sessions");
}

QString hash_of(const QString& path) {
  try {
    return QString::fromStdString(hash_file(path.toStdString()).sha256);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void remember_session(const QString& path) {
  const QString hash = hash_of(path);
  if (hash.isEmpty()) return;
  QSettings settings;
  QStringList known = settings.value(key()).toStringList();
  known.removeAll(hash);
  known.prepend(hash);
  settings.setValue(key(), known.mid(0, most));
}

bool is_own_session(const QString& path) {
  const QString hash = hash_of(path);
  return !hash.isEmpty() && QSettings().value(key()).toStringList().contains(hash);
}

}  // namespace isolume
