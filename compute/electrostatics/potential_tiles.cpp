// One device at work on tiles of a potential map.
#include "compute/electrostatics/potential_tiles.h"

#include <algorithm>
#include <cmath>
#include <future>

#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double preparation = 0.3;  // of the progress: the lattices of multilevel summation

bool has_mesh(const PotentialOptions& options) {
  return std::holds_alternative<MsmMethod>(options) || std::holds_alternative<SpmeMethod>(options);
}

// The direct sum over all charges: of the interpolated sum too, it is what a spot check compares with.
bool is_plain_sum(const PotentialOptions& options) {
  return method_of(options) == PotentialMethod::direct && !has_sigmoidal_dielectric(options);
}

// The same sum without what a spot check need not repeat: it has a point alone.
PotentialOptions for_one_point(PotentialOptions options) {
  if (auto* const direct = std::get_if<DirectOptions>(&options)) direct->accuracy = 0;
  return options;
}

// What a value may be off in any case, in volts: a ten-thousandth of the largest charge's at 1 angstrom. Rows far from
// all charges are small, and the errors of the methods are not.
double floor_of(std::span<const ChargedSphere> spheres, const PotentialOptions& options) {
  float largest = 0;
  for (const ChargedSphere& sphere : spheres) largest = std::max(largest, std::abs(sphere.charge));
  return 1e-4 * units::coulomb_volt_angstrom * static_cast<double>(largest) / charge_divisor(options);
}

// How far a value may be from the spot check's, of the larger of itself and the RMS around it.
double tolerance_of(const PotentialOptions& options) {
  const auto* const direct = std::get_if<DirectOptions>(&options);
  return std::max(1e-3, direct != nullptr ? 30 * direct->accuracy : 0.0);
}

}  // namespace

std::size_t map_grain(const Grid& grid, const PotentialOptions& options, std::size_t charges) {
  // A call has work of its own: charges are sorted, and for the interpolated sum and multilevel summation much more.
  const bool dear = has_mesh(options) || is_fast_direct(options) || has_sigmoidal_dielectric(options);
  const int most = dear ? 24 : 64;
  const auto eights = [](double layers) { return std::max(8, static_cast<int>(std::ceil(layers / 8)) * 8); };
  const int usual = eights(std::ceil(static_cast<double>(grid.counts.z) / most));  // blocks' and tiles' rows divide 8
  if (dear || method_of(options) != PotentialMethod::direct) return static_cast<std::size_t>(usual);
  // At the end one device waits for another's last grain: some hundredths of a second of a fast one.
  constexpr double pairs = 1e11;
  const double of_layer = std::max(1.0, static_cast<double>(charges)) * static_cast<double>(grid.counts.x) *
                          static_cast<double>(grid.counts.y);
  return static_cast<std::size_t>(pairs / of_layer < usual ? std::min(usual, eights(pairs / of_layer)) : usual);
}

MapWorker::MapWorker(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                     Device device, std::span<float> values, bool alone, PotentialRoom* room)
    : spheres_(spheres),
      grid_(grid),
      options_(options),
      device_(device),
      values_(values),
      alone_(alone),
      room_(room),
      msm_(std::get_if<MsmMethod>(&options)),
      floor_(alone ? 0 : floor_of(spheres, options)) {
  if (has_mesh(options) || (!alone && is_plain_sum(options)))
    charges_ = point_charges_of(spheres, charge_divisor(options));
  layers_ = grid.counts.z;
  // Parts travel to the host while the next are computed, and several devices have them on their own.
  const std::size_t part = std::size_t{64} << 20;
  if (!alone || travels()) layers_ = std::clamp(static_cast<int>(part / (plane() * sizeof(float))), 1, layers_);
  wanted_ = layers_;
  if (method_of(options) == PotentialMethod::pb) {
    require_memory(bytes(), device, "electrostatic potential");
    return;
  }
  // The most layers whose bytes are there. Where a device fails at being asked, its first tile says so.
  try {
    const std::size_t available = available_memory(device);
    while (layers_ > 1 && bytes() > available) layers_ = (layers_ + 1) / 2;
  } catch (const Error& error) {
    if (alone || error.kind() != Error::Kind::failed) throw;
  }
  if (alone) require_memory(bytes(), device, "electrostatic potential");
}

std::size_t MapWorker::plane() const {
  return static_cast<std::size_t>(grid_.counts.x) * static_cast<std::size_t>(grid_.counts.y);
}

Grid MapWorker::part(int first, int count) const {
  Grid layers = grid_;
  layers.origin = grid_.point(0, 0, first);
  layers.counts.z = count;
  return layers;
}

std::size_t MapWorker::bytes() const {
  const Grid slab = part(0, layers_);
  if (msm_ == nullptr) return potential_memory(spheres_, slab, options_, device_);
  const std::size_t slabs = travels() && alone_ && layers_ < grid_.counts.z ? 2 : 1;
  return slabs * slab.size() * sizeof(float) + MsmField::memory(charges_, grid_, msm_->msm, device_, layers_);
}

std::size_t MapWorker::most() const {
  // Alone, multilevel summation cuts its map itself, so that one slab travels while the next is made.
  return alone_ && msm_ != nullptr ? TileBook::no_limit : static_cast<std::size_t>(layers_);
}

void MapWorker::prepare(Job& job) {
  if (!alone_) require_memory(bytes(), device_, "electrostatic potential");
  JobPart part(job, 0, alone_ && msm_ != nullptr ? preparation : 0);
  if (msm_ != nullptr) msm_field_.emplace(charges_, grid_, msm_->msm, device_, part);
  if (const auto* const mesh = std::get_if<SpmeMethod>(&options_)) {
    spme_field_ = room_ ? &room_->spme : &own_spme_;
    spme_field_->reset(charges_, mesh->cell, mesh->spme, SpmeMap::full, device_, part);
  }
}

float* MapWorker::room_for(int layers) {
  const std::size_t size = plane() * static_cast<std::size_t>(layers);
  if (slab_.size() < size) {
    slab_ = {};
    slab_ = DeviceArray<float>(size, device_, "potential map");
  }
  return slab_.data();
}

void MapWorker::compute(Tile tile, Job& job) {
  const int first = static_cast<int>(tile.begin), count = static_cast<int>(tile.size());
  float* const place = values_.data() + plane() * tile.begin;
  if (alone_) {
    if (msm_ != nullptr) {
      JobPart rest(job, preparation, 1);
      return msm_field_->map_to_host(first, count, layers_,
                                     values_.subspan(plane() * tile.begin, plane() * tile.size()), rest);
    }
    float* const to = device_.is_cuda() ? room_for(count) : place;
    make(first, count, to, job);
    const std::size_t bytes = plane() * tile.size() * sizeof(float);
    if (device_.is_cuda()) copy_memory(place, Device::cpu(), to, device_, bytes);
    return;
  }
  begin_check(tile);
  // Grain by grain, wherever the tile begins.
  const int grain = static_cast<int>(map_grain(grid_, options_, spheres_.size()));
  float* const to = room_for(count);
  for (int at = 0; at < count;) {
    const int next = std::min(count, (first + at) / grain * grain + grain - first);
    JobPart some(job, static_cast<double>(at) / count, static_cast<double>(next) / count);
    make(first + at, next - at, to + plane() * static_cast<std::size_t>(at), some);
    job.check();
    at = next;
  }
}

void MapWorker::make(int first, int count, float* to, Job& job) {
  const Span<float> out(to, plane() * static_cast<std::size_t>(count), device_);
  if (msm_field_) return msm_field_->map(first, count, out, job);
  const Grid layers = part(first, count);
  if (spme_field_) return spme_field_->map(layers, out, job);
  if (alone_ || !std::holds_alternative<CutoffOptions>(options_))
    return potential(spheres_, layers, options_, out, job, room_);
  potential(in_reach(layers), layers, options_, out, job, room_);
}

// The charges within the cutoff of some point of a slab, in their order: sorting all for each would take longer than
// the sums.
std::vector<ChargedSphere> MapWorker::in_reach(const Grid& part) const {
  const glm::dvec3 normal = glm::normalize(glm::cross(part.step[0], part.step[1]));
  const double reach = std::get<CutoffOptions>(options_).cutoff + 1e-3;
  const double end = glm::dot(normal, part.step[2]) * (part.counts.z - 1);
  const double lower = std::min(0.0, end) - reach, upper = std::max(0.0, end) + reach;
  std::vector<ChargedSphere> near;
  for (const ChargedSphere& sphere : spheres_) {
    const double height = glm::dot(normal, glm::dvec3(sphere.position) - part.origin);
    if (!(height < lower || height > upper)) near.push_back(sphere);
  }
  if (near.empty() && !spheres_.empty()) near.push_back(spheres_.front());
  return near;
}

// The charges that a cutoff sum takes at a point; none for other methods.
std::vector<ChargedSphere> MapWorker::around(glm::dvec3 point) const {
  const auto* const cutoff = std::get_if<CutoffOptions>(&options_);
  std::vector<ChargedSphere> near;
  if (cutoff == nullptr) return near;
  for (const ChargedSphere& sphere : spheres_)
    if (glm::distance(glm::dvec3(sphere.position), point) < cutoff->cutoff + 1e-3) near.push_back(sphere);
  return near;
}

// The points of the spot check, and their sums on the host, which are made while the device makes the tile.
void MapWorker::begin_check(Tile tile) {
  if (!device_.is_cuda()) return;  // the check is by the same body
  if (expecting_.valid()) expecting_.wait();
  spots_.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(tile.begin + (tile.begin * 31 + i * 17) % tile.size());
    const int j = static_cast<int>((tile.begin * 131 + i * 977) % static_cast<std::size_t>(grid_.counts.y));
    const auto n = static_cast<std::size_t>(grid_.counts.x);
    spots_.push_back({{static_cast<int>(static_cast<std::size_t>(j + k) * 7919 % n), j, k}});
  }
  if (has_mesh(options_)) return;  // one point would take a mesh of its own
  expecting_ = std::async(std::launch::async, [this] {
    if (is_plain_sum(options_)) return expect_plain_sums();
    for (Spot& spot : spots_) spot.expected = exact_at(spot.point);
  });
}

// All points in one pass over the charges: a last tile may take less time than a body of maps takes to begin.
void MapWorker::expect_plain_sums() {
  std::vector<glm::dvec3> points;
  for (const Spot& spot : spots_) points.push_back(grid_.point(spot.point.x, spot.point.y, spot.point.z));
  std::vector<double> sums(points.size());
  Job job;
  exact_potential(charges_, points, sums, Device::cpu(), job);
  for (std::size_t i = 0; i < sums.size(); ++i) spots_[i].expected = static_cast<float>(sums[i]);
}

// The same sum at one point on the host.
float MapWorker::exact_at(glm::ivec3 at) const {
  Grid point = grid_;
  point.origin = grid_.point(at.x, at.y, at.z);
  point.counts = glm::ivec3(1);
  float expected = 0;
  Job job;
  const std::vector<ChargedSphere> near = around(point.origin);
  potential(near.empty() ? spheres_ : near, point, for_one_point(options_), Span<float>(&expected, 1, Device::cpu()),
            job);
  return expected;
}

// A row of the tile against the sum at one of its points.
bool MapWorker::row_is_right(const Spot& spot, int first) const {
  const auto n = static_cast<std::size_t>(grid_.counts.x);
  std::vector<float> row(n);
  const std::size_t at =
      plane() * static_cast<std::size_t>(spot.point.z - first) + n * static_cast<std::size_t>(spot.point.y);
  copy_memory(row.data(), Device::cpu(), slab_.data() + at, device_, n * sizeof(float));
  double squares = 0;
  for (const float v : row) squares += static_cast<double>(v) * static_cast<double>(v);
  if (!std::isfinite(squares)) return false;
  if (has_mesh(options_)) return true;
  const double rms = std::sqrt(squares / static_cast<double>(n)), expected = static_cast<double>(spot.expected);
  const double value = static_cast<double>(row[static_cast<std::size_t>(spot.point.x)]);
  return std::abs(value - expected) <= floor_ + tolerance_of(options_) * std::max(rms, std::abs(expected));
}

bool MapWorker::right(Tile tile) {
  if (!device_.is_cuda()) return true;
  if (expecting_.valid()) expecting_.get();
  // Wrong where most of three rows are: a point may be on a charge, to rounding.
  const auto wrong = std::count_if(spots_.begin(), spots_.end(),
                                   [&](const Spot& spot) { return !row_is_right(spot, static_cast<int>(tile.begin)); });
  return wrong < 2;
}

void MapWorker::hand_over(Tile tile) {
  if (alone_) return;
  copy_memory(values_.data() + plane() * tile.begin, Device::cpu(), slab_.data(), device_,
              plane() * tile.size() * sizeof(float));
}

bool MapWorker::lost() {
  return is_gone(device_);
}

}  // namespace isolume
