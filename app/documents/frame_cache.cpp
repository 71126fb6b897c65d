// The frame that is shown of each molecule of a scene, decoded once.
#include "app/documents/frame_cache.h"

#include <algorithm>

#include "molecule/frames.h"

namespace isolume {

std::shared_ptr<const Frame> FrameCache::get(std::size_t index, const std::shared_ptr<const Molecule>& molecule,
                                             std::size_t frame) {
  if (!molecule || molecule->frame_count() == 0) return nullptr;
  const std::size_t number = std::min(frame, molecule->frame_count() - 1);
  if (entries_.size() <= index) entries_.resize(index + 1);
  Entry& entry = entries_[index];
  if (entry.molecule != molecule || entry.number != number || !entry.frame)
    entry = {molecule, number, std::make_shared<const Frame>(frame_at(*molecule, number))};
  return entry.frame;
}

}  // namespace isolume
