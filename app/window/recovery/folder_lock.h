// A lock on a folder that ends with the program, however it ends.
#pragma once

#include <QString>

namespace isolume {

/// Holds a lock of the system (flock) on a file in a folder. Numbers of processes say nothing here: in containers every
/// start may have the same one.
class FolderLock {
 public:
  explicit FolderLock(const QString& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// False where another holds it, or where the file cannot be made.
  bool held() const { return held_; }
  void unlock();

 private:
  int file_ = -1;
  bool held_ = false;
};

}  // namespace isolume
