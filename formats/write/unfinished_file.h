// A file without its name yet: nothing is left of it unless it is published.
#pragma once

#include <string>

namespace isolume {

/// Opens a file for writing in the folder of `path`, without a name where the system can do that (O_TMPFILE), so that
/// not even a program that is killed leaves anything; else, or where `named`, under "NAME.part-PROCESS-NUMBER", locked
/// while it is written. Files of that name that nobody has locked, which programs that died have left, are removed.
/// Links are followed, also those that lead to nothing yet: publish() replaces what they lead to. Throws Error (usage)
/// where there is something else than a regular file, or a file that the command reads; Error (failed) with the
/// system's reason where it cannot be written.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path, bool named = false);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Where it is while it is written; empty where it has no name.
  const std::string& name() const { return name_; }
  /// What publish() replaces: the path with links followed.
  const std::string& target() const { return target_; }

  /// Makes what was written durable. Throws Error (failed), or (cancelled) where that is asked for meanwhile.
  void sync();
  /// Gives it its name, in one step; it may go on growing. A second call does nothing. Throws Error (failed).
  void publish();
  /// Closes it, so that an error of the last bytes is seen. Throws Error (failed).
  void close();

 private:
  void open_named();
  void link();

  std::string target_, name_;
  int descriptor_ = -1;
  bool published_ = false;
};

/// Removes the names of all unfinished files of this program, for one that is about to be ended.
void remove_unfinished_files() noexcept;

}  // namespace isolume
