// The mean of a volume map over frames, while they come.
#include "app/cli/over_time/running_volume_map.h"

#include <utility>

#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {

RunningVolumeMap::RunningVolumeMap(VolmapChoice choice, std::string align)
    : choice_(std::move(choice)), align_(std::move(align)) {
  check_volmap_choice(choice_);
  if (choice_.kind == "residence")
    throw Error("the time that residues stay is no mean over frames: Volume map over frames has it",
                Error::Kind::usage);
}

void RunningVolumeMap::add_frame(const std::shared_ptr<const Molecule>& molecule, std::size_t number, Job& job) {
  if (!molecule->topology) throw Error(missing_positions(*molecule), Error::Kind::usage);
  if (!maps_) {
    maps_.emplace(molecule, choice_, align_, 0);
  } else {
    maps_->follow(molecule);
  }
  const VolmapFrame map = maps_->map_of(number, job);
  if (!begun()) begin(maps_->grid(), maps_->title(), maps_->unit(), Device::cpu(), molecule->frame_count());
  add({map.values.data(), map.values.size(), Device::cpu()}, 1, job);
}

std::string RunningVolumeMap::text() const {
  return maps_ ? maps_->text() : std::string();
}

}  // namespace isolume::cli
