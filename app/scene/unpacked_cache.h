// The cache of unpacked sessions (packed_session.h): what is in use is locked, and what is old or too much is removed.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// A folder of the cache.
struct UnpackedSession {
  std::string folder;
  std::uint64_t bytes = 0;
  std::int64_t used = 0;  ///< when it was opened last, seconds
  bool open = false;      ///< some program has it open
};

struct UnpackedLimits {
  std::uint64_t bytes = std::uint64_t{8} << 30;
  std::int64_t seconds = 30 * 24 * 3600;
};

/// Which of them go: those that were not opened for that long, then, the oldest first, as many as it takes until the
/// others are within the bytes. Never one that is open, whose bytes count.
std::vector<std::size_t> sessions_to_remove(std::span<const UnpackedSession> all, std::int64_t now,
                                            const UnpackedLimits& limits);

/// Locks the folder of an unpacked session until the program ends, and notes that it is used now. False where there is
/// no such session, or no more.
bool hold_unpacked(const std::filesystem::path& folder);

/// The same for those that files of a scene are in: one that was saved after a crash names them itself.
void hold_unpacked(const Scene& scene);

/// Removes from the cache what sessions_to_remove() says, and what programs that were killed left there a day ago.
/// Takes the time of removing; any thread may call, and several programs.
void tidy_unpacked(const UnpackedLimits& limits = {}, std::int64_t now = std::time(nullptr));

}  // namespace isolume
