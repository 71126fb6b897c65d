// Where the program keeps what it can make again.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace isolume {

/// The folder of this part of the user's caches: $XDG_CACHE_HOME/isolume/PART, else ~/.cache/isolume/PART. Empty where
/// neither is known. It need not exist.
inline std::filesystem::path cache_folder(const char* part) {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return std::filesystem::path(cache) / "isolume" / part;
  const char* const home = std::getenv("HOME");
  if (home && *home == '/') return std::filesystem::path(home) / ".cache" / "isolume" / part;
  return {};
}

}  // namespace isolume
