// The mean of a field over the frames of a trajectory.
#include "app/fields/averages/running_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/fields/device_volume.h"
#include "app/fields/difference.h"
#include "app/scene/density_name.h"
#include "compute/base/memory.h"
#include "compute/over_time/significance.h"
#include "formats/bytes/left_out.h"
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
  if (field_.kind == Field::Kind::potential) {
    unit_ = name(field_.potential.unit);
    factor_ = per_volt(field_.potential);
  }
}

void RunningAverage::add_field(const std::shared_ptr<const Molecule>& moved, std::size_t frames, Job& job) {
  FieldRequest request;
  request.field = field_;
  request.molecule = moved;
  request.device = device_;
  request.grid = grid_;
  DeviceVolume volume = compute_on_device(request, job, memory_.get());
  const std::vector<float> in_slabs = volume.slabs ? volume.host_values(job) : std::vector<float>();
  if (!grid_) {
    grid_ = volume.grid;
    name_ = volume.name;
    if (field_.kind != Field::Kind::potential) unit_ = volume.unit;
  }
  if (volume.legend) {
    method_ = volume.legend->method;
    worst_error_ = std::max(worst_error_, volume.legend->relative_error);
  }
  if (!statistics_) begin(volume.slabs.has_value(), frames);
  Span<const float> values = volume.slabs ? Span<const float>{in_slabs.data(), in_slabs.size(), Device::cpu()}
                                          : Span<const float>(volume.values.span());
  std::vector<float> host;
  if (values.device.is_cuda() && !statistics_->device().is_cuda()) {
    host = volume.host_values(job);
    values = {host.data(), host.size(), Device::cpu()};
  }
  statistics_->add(values, factor_, job);
  memory_->of(0, device_).keep(std::move(volume.values), std::move(volume.colours), std::move(volume.scalars));
}

void RunningAverage::begin(bool in_slabs, std::size_t frames) {
  const std::size_t bytes = RunningStatistics::memory(grid_->size(), std::max<std::size_t>(1, frames));
  // On the device half of what is left is for what is shown.
  const bool there = device_.is_cuda() && !in_slabs && bytes <= available_memory(device_) / 2;
  const Device place = there ? device_ : Device::cpu();
  require_memory(bytes, place, "the average over frames");
  statistics_.emplace(grid_->size(), place);
}

void RunningAverage::add_next(const std::shared_ptr<const Molecule>& molecule, Job& job) {
  const std::size_t number = static_cast<std::size_t>(frames());
  if (number >= molecule->frame_count())
    throw Error(fmt::format("frame {}: there are {} so far", number, molecule->frame_count()), Error::Kind::usage);
  if (number == 0) require_same_atoms(*molecule, "an average over frames");
  if (!alignment_) alignment_.emplace(*molecule, align_, 0);
  Frame frame = whole_frame(*molecule, number);
  const FrameMotion motion = alignment_->motion(frame, number);
  if (!align_.empty()) move_positions(frame, motion.motion);
  auto one = std::make_shared<Molecule>(*molecule);
  one->trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  one->orbitals = moved_orbitals(field_, *molecule, number, align_.empty() ? RigidMotion{} : motion.motion);
  one->volumes.clear();
  add_field(one, molecule->frame_count(), job);
  note_convergence();
}

void RunningAverage::note_convergence() {
  const std::uint64_t n = frames();
  // The last point is of now; those before stay where a point is due.
  if (!convergence_.empty() && convergence_.back().frames != next_check_ && convergence_.back().frames + 1 == n)
    convergence_.pop_back();
  if (n > next_check_) next_check_ = std::max(n, next_check_ + std::max<std::uint64_t>(1, next_check_ / 6));
  const StatisticsSummary summary = statistics_->summary(4000);
  convergence_.push_back(
      {n, summary.rms_error, summary.inefficiency,
       summary.points == 0 ? 0.0 : static_cast<double>(summary.without) / static_cast<double>(summary.points)});
}

std::vector<std::shared_ptr<const Volume>> RunningAverage::maps(Job& job) const {
  if (frames() == 0) throw Error("an average of no frame", Error::Kind::usage);
  std::vector<std::shared_ptr<Volume>> made;
  const char* const kinds[] = {"mean", "mean, faded where it is within its error", "standard error of the mean",
                               "variance"};
  for (const char* const kind : kinds) {
    auto volume = std::make_shared<Volume>();
    volume->grid = *grid_;
    volume->values.resize(grid_->size());
    volume->name = fmt::format("{}: {} of {} frames", name_, kind, frames());
    volume->unit = unit_;
    made.push_back(std::move(volume));
  }
  const bool compound = unit_.find_first_of("/ ^") != std::string::npos;
  if (!unit_.empty()) made[3]->unit = compound ? "(" + unit_ + ")^2" : unit_ + "^2";
  statistics_->fill(made[0]->values, made[2]->values, job, made[3]->values);
  fade_insignificant(made[0]->values, made[2]->values, made[1]->values);
  for (float& error : made[2]->values)
    if (std::isnan(error)) error = -1;
  return {made.begin(), made.end()};
}

std::string RunningAverage::text() const {
  std::string text = alignment_ ? alignment_->text() : std::string();
  if (!method_.empty()) text += "; " + method_;
  if (worst_error_ > 0) text += fmt::format(", error {:.2g} % of the RMS in the worst frame", 100 * worst_error_);
  return text;
}

}  // namespace isolume
