// Which orbital a field means in a frame: by name, or by identity along the frames.
#include "app/fields/inputs/orbital_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "app/documents/frames.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Tracks of the molecules that live.
class Known {
 public:
  std::shared_ptr<const OrbitalTracks> find(const std::shared_ptr<const Molecule>& molecule) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.first.expired(); });
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.first.lock() == molecule; });
    return found == entries_.end() ? nullptr : found->second;
  }
  void keep(const std::shared_ptr<const Molecule>& molecule, std::shared_ptr<const OrbitalTracks> tracks) {
    const std::lock_guard lock(mutex_);
    entries_.emplace_back(molecule, std::move(tracks));
  }
  std::mutex computing;  ///< one thread at a time: the second finds what the first made

 private:
  using Entry = std::pair<std::weak_ptr<const Molecule>, std::shared_ptr<const OrbitalTracks>>;
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

Known& known() {
  static Known instance;
  return instance;
}

}  // namespace

std::shared_ptr<const OrbitalTracks> known_orbital_tracks(const std::shared_ptr<const Molecule>& molecule) {
  return molecule ? known().find(molecule) : nullptr;
}

std::shared_ptr<const OrbitalTracks> orbital_tracks(const std::shared_ptr<const Molecule>& molecule, Job& job) {
  if (auto tracks = known_orbital_tracks(molecule)) return tracks;
  const std::lock_guard lock(known().computing);
  if (auto tracks = known_orbital_tracks(molecule)) return tracks;
  auto tracks = std::make_shared<const OrbitalTracks>(molecule->orbitals, job);
  known().keep(molecule, tracks);
  return tracks;
}

FoundOrbital find_orbital(const std::shared_ptr<const Molecule>& molecule, const Field& field, std::size_t frame,
                          Job& job) {
  FoundOrbital found;
  found.orbitals = orbitals_of(*molecule, frame);
  if (!field.follow || molecule->orbitals.size() < 2) {
    found.which = found.orbitals->find(field.orbital, field.spin);
    return found;
  }
  const std::size_t last = molecule->orbitals.size() - 1;
  const std::size_t from = std::min<std::size_t>(field.follow_from, last), to = std::min(frame, last);
  const std::size_t start = orbitals_of(*molecule, from)->find(field.orbital, field.spin);
  const auto tracked = orbital_tracks(molecule, job)->follow(from, start, to);
  if (!tracked) {
    throw Error(fmt::format("orbital {} of frame {} has no successor in frame {}: it was lost on the way",
                            field.orbital, from, to),
                Error::Kind::usage);
  }
  found.which = tracked->index;
  found.sign = tracked->sign;
  found.overlap = tracked->overlap;
  found.weak = tracked->weak;
  found.followed = true;
  return found;
}

}  // namespace isolume
