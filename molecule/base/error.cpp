// The one exception type of Isolume.
#include "molecule/base/error.h"

namespace isolume {

Error Error::in_file(const std::string& path, std::int64_t line, const std::string& message, std::int64_t byte) {
  std::string where = path.empty() ? std::string("input") : path;
  if (line > 0) where += ":" + std::to_string(line);
  if (byte >= 0) where += ": byte " + std::to_string(byte);
  Error error(where + ": " + message, Kind::input);
  error.path_ = path;
  error.line_ = line;
  return error;
}

}  // namespace isolume
