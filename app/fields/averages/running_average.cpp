// The mean of a field over the frames of a trajectory.
#include "app/fields/averages/running_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/fields/device_volume.h"
#include "app/fields/difference.h"
#include "app/scene/density_name.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

/// The field itself, whatever it is shown as.
Field bare(Field field) {
  if (values_differ(field))
    throw Error("averages are of fields, not of differences: take off nothing, and subtract the means",
                Error::Kind::usage);
  if (!can_be_averaged(field))
    throw Error("averages are of potentials, of Gaussian density and of the density of electrons or spins",
                Error::Kind::usage);
  field.slice = {};
  field.show = Field::Show::surfaces;
  field.paint = Field::Paint::atoms;
  field.minus = {};
  field.colouring = Colouring::uniform;
  return field;
}

/// The orbitals of a frame where the field is of them, moved with the atoms.
std::vector<std::shared_ptr<const Orbitals>> moved_orbitals(const Field& field, const Molecule& molecule,
                                                            std::size_t frame, const RigidMotion& motion) {
  if (field.kind != Field::Kind::orbital) return {};
  if (frame >= molecule.orbitals.size())  // else those of the last one would count once more
    throw Error(fmt::format("frame {} has no orbitals: there are those of {} frames", frame, molecule.orbitals.size()),
                Error::Kind::usage);
  const auto orbitals = orbitals_of(molecule, frame);
  if (motion.none()) return {orbitals};
  return {std::make_shared<const Orbitals>(moved(*orbitals, motion))};
}

}  // namespace

bool can_be_averaged(const Field& field) {
  if (values_differ(field)) return false;
  return field.kind == Field::Kind::potential || field.kind == Field::Kind::gaussian ||
         (field.kind == Field::Kind::orbital && names_density(field.orbital));
}

RunningAverage::RunningAverage(Field field, std::string align, Device device)
    : field_(bare(std::move(field))),
      align_(std::move(align)),
      device_(device),
      memory_(std::make_unique<FieldMemory>()) {
  if (field_.kind == Field::Kind::potential) factor_ = per_volt(field_.potential);
}

void RunningAverage::add_field(const std::shared_ptr<const Molecule>& moved, std::size_t frames, Job& job) {
  FieldRequest request;
  request.field = field_;
  request.molecule = moved;
  request.device = device_;
  if (begun()) request.grid = grid();
  DeviceVolume volume = compute_on_device(request, job, memory_.get());
  const std::vector<float> in_slabs = volume.slabs ? volume.host_values(job) : std::vector<float>();
  if (volume.legend) {
    method_ = volume.legend->method;
    worst_error_ = std::max(worst_error_, volume.legend->relative_error);
  }
  if (!begun()) {
    const std::size_t bytes = RunningStatistics::memory(volume.grid.size(), std::max<std::size_t>(1, frames));
    // On the device half of what is left is for what is shown.
    const bool there = device_.is_cuda() && !volume.slabs && bytes <= available_memory(device_) / 2;
    begin(volume.grid, volume.name,
          field_.kind == Field::Kind::potential ? std::string(name(field_.potential.unit)) : volume.unit,
          there ? device_ : Device::cpu(), frames);
  }
  Span<const float> values = volume.slabs ? Span<const float>{in_slabs.data(), in_slabs.size(), Device::cpu()}
                                          : Span<const float>(volume.values.span());
  std::vector<float> host;
  if (values.device.is_cuda() && !place().is_cuda()) {
    host = volume.host_values(job);
    values = {host.data(), host.size(), Device::cpu()};
  }
  add(values, factor_, job);
  memory_->of(0, device_).keep(std::move(volume.values), std::move(volume.colours), std::move(volume.scalars));
}

void RunningAverage::add_frame(const std::shared_ptr<const Molecule>& molecule, std::size_t number, Job& job) {
  if (!alignment_) alignment_.emplace(*molecule, align_, 0);
  Frame frame = whole_frame(*molecule, number);
  const FrameMotion motion = alignment_->motion(frame, number);
  if (!align_.empty()) move_positions(frame, motion.motion);
  auto one = std::make_shared<Molecule>(*molecule);
  one->trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  one->orbitals = moved_orbitals(field_, *molecule, number, align_.empty() ? RigidMotion{} : motion.motion);
  one->volumes.clear();
  add_field(one, molecule->frame_count(), job);
}

std::string RunningAverage::text() const {
  std::string text = alignment_ ? alignment_->text() : std::string();
  if (!method_.empty()) text += "; " + method_;
  if (worst_error_ > 0) text += fmt::format(", error {:.2g} % of the RMS in the worst frame", 100 * worst_error_);
  return text;
}

}  // namespace isolume
