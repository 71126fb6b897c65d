// A file that is being written: next to its place, compressed where its name says so, renamed when complete.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace isolume {

/// Opens an unfinished file in the folder of `path` (formats/write/unfinished_file.h); finish() makes it durable and
/// gives it its name. Without finish() or publish() nothing is left of it and what was at `path` stays. A path that
/// ends in ".gz" is compressed, unless `compress` is false. All members and the stream throw Error (failed) with the
/// system's reason (disk full, no permission).
class OutputFile {
 public:
  explicit OutputFile(const std::string& path, bool compress = true);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws from its operators, as the badbit raises exceptions.
  std::ostream& stream();
  /// Overwrites bytes that were written before, in files that are not compressed (a count that is known at the end).
  void patch(std::uint64_t offset, std::string_view bytes);
  /// Gives the file its name now, while it goes on growing: what is at `path` from here on is what was flushed. Without
  /// finish() it stays as it is then. Not for compressed files.
  void publish();
  /// Puts what was written so far where a reader sees it.
  void flush();
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The extension of a path in lower case, without the dot and without ".gz".
std::string extension_of(const std::string& path);

}  // namespace isolume
