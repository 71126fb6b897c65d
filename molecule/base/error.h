// The one exception type of Isolume.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace isolume {

/// What went wrong, for the user: thrown anywhere, caught once per program (the command line turns it into a line and
/// an exit code, the window into a message next to the thing that failed).
class Error : public std::runtime_error {
 public:
  /// Says who has to act, and is the exit code of the command line.
  enum class Kind {
    failed = 1,       ///< something failed while running (device, disk, memory)
    usage = 2,        ///< the request itself makes no sense ("orbital 99: the file has 1 to 84")
    input = 3,        ///< a file is not what it should be
    cancelled = 130,  ///< the user stopped it; no message is shown
  };

  explicit Error(std::string message, Kind kind = Kind::failed) : std::runtime_error(std::move(message)), kind_(kind) {}

  /// A fault in a file. `message` names what was expected and what was found; `line` counts from 1, 0 where it does
  /// not apply; `byte` counts from 0, -1 where it does not apply. what() is "path:line: message", "path: byte N:
  /// message" or "path: message".
  static Error in_file(const std::string& path, std::int64_t line, const std::string& message, std::int64_t byte = -1);

  Kind kind() const { return kind_; }
  const std::string& path() const { return path_; }
  std::int64_t line() const { return line_; }

 private:
  Kind kind_;
  std::string path_;
  std::int64_t line_ = 0;
};

}  // namespace isolume
