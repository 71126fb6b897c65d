// Thumbnails of opened files.
#pragma once

#include <QIcon>
#include <QImage>
#include <QString>

namespace isolume {

/// Kept in the user's cache, named by a hash of the path; a file that changed since has none.
void keep_thumbnail(const QString& path, const QImage& picture);
/// The picture of a file, a null icon where there is none.
QIcon thumbnail(const QString& path);
/// Width and height of thumbnails, in logical pixels.
inline constexpr QSize thumbnail_size{96, 64};

/// The middle of a picture, of the shape of a thumbnail, small.
QImage small_picture(const QImage& picture, QSize size = thumbnail_size);

}  // namespace isolume
