// Thumbnails of opened files.
#include "app/window/help/thumbnails.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPixmap>
#include <QSaveFile>
#include <QStandardPaths>

namespace isolume {
namespace {

constexpr int most_files = 200;

QString folder() {
  return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails");
}

QString place_of(const QString& path) {
  const QByteArray hash = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
  return QStringLiteral("%1/%2.png").arg(folder(), QString::fromLatin1(hash));
}

}  // namespace

QImage small_picture(const QImage& picture, QSize size) {
  const QSize wanted = 2 * size;  // for dense screens
  QImage whole = picture;
  whole.setDevicePixelRatio(1);
  const QImage covering = whole.scaled(wanted, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
  QImage result = covering.copy(
      QRect(QPoint((covering.width() - wanted.width()) / 2, (covering.height() - wanted.height()) / 2), wanted));
  result.setDevicePixelRatio(2);
  return result;
}

void keep_thumbnail(const QString& path, const QImage& picture) {
  if (picture.isNull() || !QDir().mkpath(folder())) return;
  QSaveFile file(place_of(path));
  if (!file.open(QIODevice::WriteOnly)) return;
  small_picture(picture).save(&file, "PNG");
  file.commit();
  // The oldest go, so that the cache stays small.
  const QFileInfoList all = QDir(folder()).entryInfoList({QStringLiteral("*.png")}, QDir::Files, QDir::Time);
  for (const QFileInfo& old : all.mid(most_files)) QFile::remove(old.absoluteFilePath());
}

QIcon thumbnail(const QString& path) {
  const QFileInfo picture(place_of(path)), file(path);
  if (!picture.exists() || !file.exists() || file.lastModified() > picture.lastModified()) return {};
  QPixmap pixmap(picture.absoluteFilePath());
  pixmap.setDevicePixelRatio(2);
  return QIcon(pixmap);
}

}  // namespace isolume
