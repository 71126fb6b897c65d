// A lock on a folder that ends with the program, however it ends.
#include "app/window/recovery/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QFile>
#include <cerrno>

namespace isolume {

FolderLock::FolderLock(const QString& file)
    : file_(::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  if (file_ < 0) return;
  // A file system without locks protects nothing, and keeps nothing from working.
  held_ = ::flock(file_, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR);
}

FolderLock::~FolderLock() {
  unlock();
}

void FolderLock::unlock() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  held_ = false;
}

}  // namespace isolume
