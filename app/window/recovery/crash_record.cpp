// How many sessions in a row ended without saying so.
#include "app/window/recovery/crash_record.h"

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "app/window/recovery/recovery.h"

namespace isolume {
namespace {

const QString count_name = QStringLiteral("crashes");
const QString mark_pattern = QStringLiteral("*.session");

int read_count(const QString& folder) {
  QFile file(folder + QLatin1Char('/') + count_name);
  return file.open(QIODevice::ReadOnly) ? std::clamp(file.read(16).trimmed().toInt(), 0, 1000) : 0;
}

void write_count(const QString& folder, int count) {
  QFile file(folder + QLatin1Char('/') + count_name);
  if (file.open(QIODevice::WriteOnly | QIODevice::Truncate)) file.write(QByteArray::number(count));
}

}  // namespace

QString CrashRecord::default_folder() {
  return QFileInfo(Recovery::default_root()).path() + QStringLiteral("/sessions");
}

CrashRecord::CrashRecord(const QString& folder) : folder_(folder) {
  // A home that cannot be written to is no reason not to work: nothing is counted then.
  if (!QDir().mkpath(folder_)) return;
  int dead = 0;
  for (const QString& name : QDir(folder_).entryList({mark_pattern}, QDir::Files | QDir::NoSymLinks)) {
    const QString mark = folder_ + QLatin1Char('/') + name;
    FolderLock lock(mark);
    if (!lock.held()) continue;  // it lives
    ++dead;
    QFile::remove(mark);
  }
  crashes_ = read_count(folder_) + dead;
  write_count(folder_, crashes_);
  for (int number = 1; number < 1000 && !lock_; ++number) {
    mark_ = QStringLiteral("%1/%2-%3.session").arg(folder_).arg(getpid()).arg(number);
    if (QFile::exists(mark_)) continue;  // in containers every session has the same number
    lock_ = std::make_unique<FolderLock>(mark_);
    if (!lock_->held()) lock_.reset();
  }
}

CrashRecord::~CrashRecord() = default;

void CrashRecord::finish() {
  if (!lock_) return;
  QFile::remove(mark_);
  lock_.reset();
  crashes_ = 0;
  write_count(folder_, 0);
}

}  // namespace isolume
