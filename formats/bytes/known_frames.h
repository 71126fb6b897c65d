// What earlier readings of a file found of its frames, in memory and on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/bytes/frames.h"

namespace isolume {

/// What one reading of a file found, up to its last frame, which may not have been whole.
struct KnownFrames {
  std::string reader;  ///< who found them
  std::vector<FramePlace> places;
  std::vector<LeftOut> left_out;
  FramePlace last;           ///< where the last frame begins, which is in neither list
  std::string title;         ///< that far
  std::uint64_t atoms = 0;   ///< of the first frame
  std::uint64_t passed = 0;  ///< frames before `last` that are in neither list
};

/// Where indices of frames are kept for the next run of the program.
struct IndexKeeping {
  enum class Where : std::uint8_t {
    nowhere,
    cache,   ///< $XDG_CACHE_HOME/isolume/frames, else ~/.cache/isolume/frames
    beside,  ///< next to the file, ".NAME.isolume-frames"
  };
  Where where = Where::nowhere;
  std::uint64_t smallest = std::uint64_t{32} << 20;  ///< bytes of a file that is worth it
  std::uint64_t total = std::uint64_t{256} << 20;    ///< of all indices in the cache; a single one has a quarter
};

/// Nowhere before the first call: libraries and tests write no files unasked. Any thread may call.
void keep_indices(const IndexKeeping& keeping);
IndexKeeping indices_kept();

/// What `reader` found in the file before. In the same process it is taken where nothing before its last frame has
/// changed since, by samples of the bytes. From disk it is taken where size, time of modification and samples are the
/// same, or where the file is longer and the samples are the same. Null where there is nothing, or it is damaged or of
/// something else. The caller makes sure that frames are where they should be. Any thread may ask.
std::shared_ptr<const KnownFrames> known_frames(const ByteSource& source, const std::string& reader);

/// Keeps what was found for the next reading: of the 16 files that were read last in memory, and on disk where that is
/// wanted and the file is large enough. Whatever goes wrong on disk is passed over.
void remember_frames(const ByteSource& source, KnownFrames frames);

/// Forgets what is in memory, as a new process would.
void forget_frames();

/// The file in which the index of `path` is kept; empty where none is.
std::string index_path(const std::string& path);

}  // namespace isolume
