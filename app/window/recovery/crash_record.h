// How many sessions in a row ended without saying so.
#pragma once

#include <QString>
#include <memory>

#include "app/window/recovery/folder_lock.h"

namespace isolume {

/// A mark of this session in a folder, with a lock that ends with the program, however it ends: the next session counts
/// the marks that belong to nobody. A session that ends cleanly, or because a signal asked it to, sets the count to 0.
class CrashRecord {
 public:
  explicit CrashRecord(const QString& folder = default_folder());
  ~CrashRecord();
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

  /// $XDG_STATE_HOME/isolume/sessions.
  static QString default_folder();
  /// In a row before this session.
  int crashes() const { return crashes_; }
  /// A clean end.
  void finish();

 private:
  QString folder_, mark_;
  int crashes_ = 0;
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace isolume
