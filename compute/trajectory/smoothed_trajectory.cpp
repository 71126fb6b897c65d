// A trajectory with its motion smoothed, for pictures.
#include "compute/trajectory/smoothed_trajectory.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/whole_molecules.h"

namespace isolume {
namespace {

constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

std::size_t kept_frames(std::size_t atoms, std::size_t half) {
  const std::size_t frames = 2 * half + 2;  // the window, and the frame that comes next
  return frames * atoms * sizeof(glm::vec3) <= most_kept_bytes ? frames : 0;
}

/// Takes jumps by cell vectors out of `places`, which were at `before` in the frame next to it.
void take_jumps_back(const Cell& cell, const std::vector<std::uint32_t>& groups, const std::vector<glm::dvec3>& before,
                     std::vector<glm::dvec3>& places, std::vector<glm::dvec4>& sums) {
  const glm::dmat3 to_fractions = glm::inverse(cell.vectors);
  const auto jump = [&](glm::dvec3 moved) { return cell.vectors * glm::round(to_fractions * moved); };
  if (groups.empty()) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i] -= jump(places[i] - before[i]);
    return;
  }
  sums.assign(places.size(), glm::dvec4(0));
  for (std::size_t i = 0; i < places.size(); ++i) sums[groups[i]] += glm::dvec4(places[i] - before[i], 1);
  for (glm::dvec4& sum : sums)
    if (sum.w > 0) sum = glm::dvec4(jump(glm::dvec3(sum) / sum.w), 0);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] -= glm::dvec3(sums[groups[i]]);
}

class SmoothedTrajectory final : public Trajectory {
 public:
  SmoothedTrajectory(std::shared_ptr<const Trajectory> source, std::shared_ptr<const Topology> topology,
                     std::size_t half)
      : source_(std::move(source)),
        topology_(std::move(topology)),
        half_(half),
        most_kept_(kept_frames(source_->atom_count(), half)) {}
  std::size_t frame_count() const override { return source_->frame_count(); }
  std::size_t atom_count() const override { return source_->atom_count(); }

  Frame frame(std::size_t index) const override {
    if (index >= frame_count()) return source_->frame(index);  // says what there is
    if (topology_) std::call_once(once_, [this] { groups_ = smoothing_groups(*topology_, *read(0)); });
    return smoothed_frame([this](std::size_t i) { return read(i); }, index, frame_count(), half_, groups_);
  }

 private:
  /// The frame, decoded outside the lock where it is not kept.
  std::shared_ptr<const Frame> read(std::size_t index) const {
    check_stop();
    {
      const std::lock_guard lock(mutex_);
      const auto found =
          std::find_if(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == index; });
      if (found != kept_.end()) return found->second;
    }
    auto frame = std::make_shared<const Frame>(source_->frame(index));
    if (most_kept_ == 0) return frame;
    const std::lock_guard lock(mutex_);
    kept_.emplace_back(index, frame);
    while (kept_.size() > most_kept_) kept_.pop_front();
    return frame;
  }

  std::shared_ptr<const Trajectory> source_;
  std::shared_ptr<const Topology> topology_;
  std::size_t half_, most_kept_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint32_t> groups_;
  mutable std::mutex mutex_;
  mutable std::deque<std::pair<std::size_t, std::shared_ptr<const Frame>>> kept_;
};

}  // namespace

std::vector<std::uint32_t> smoothing_groups(const Topology& topology, const Frame& first) {
  std::vector<std::uint32_t> group(topology.atoms.size());
  std::iota(group.begin(), group.end(), 0U);
  const auto root = [&](std::uint32_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (const Bond& bond : topology.bonds) {
    const std::uint32_t a = root(bond.a), b = root(bond.b);
    if (a != b) group[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t i = 0; i < group.size(); ++i) group[i] = root(i);
  if (!first.cell.exists()) return group;
  const std::vector<std::uint8_t> crosses = endless_bonds(topology, first);
  std::vector<std::uint8_t> endless(group.size(), 0);
  for (std::size_t b = 0; b < crosses.size(); ++b)
    if (crosses[b]) endless[group[topology.bonds[b].a]] = 1;
  const std::vector<std::uint32_t> whole = group;
  for (std::uint32_t i = 0; i < group.size(); ++i)
    if (endless[whole[i]]) group[i] = i;
  return group;
}

std::size_t smoothing_reach(std::size_t index, std::size_t frames, std::size_t half) {
  return frames == 0 ? 0 : std::min({half, index, frames - 1 - std::min(index, frames - 1)});
}

Frame smoothed_frame(const std::function<std::shared_ptr<const Frame>(std::size_t)>& frame_of, std::size_t index,
                     std::size_t frames, std::size_t half, const std::vector<std::uint32_t>& groups) {
  const std::size_t reach = smoothing_reach(index, frames, half);
  Frame result = *frame_of(index);
  if (reach == 0) return result;
  result.precise_positions.clear();
  const std::size_t atoms = result.positions.size();
  const std::vector<glm::dvec3> middle(result.positions.begin(), result.positions.end());
  std::vector<glm::dvec3> sum = middle, places(atoms);
  std::vector<glm::dvec4> sums;
  for (const int side : {-1, 1}) {
    std::vector<glm::dvec3> before = middle;
    for (std::size_t step = 1; step <= reach; ++step) {
      const std::size_t number = side < 0 ? index - step : index + step;
      const std::shared_ptr<const Frame> frame = frame_of(number);
      if (frame->positions.size() != atoms)
        throw Error("smoothing: frame " + std::to_string(number) + " has " + std::to_string(frame->positions.size()) +
                    " atoms, frame " + std::to_string(index) + " has " + std::to_string(atoms));
      std::copy(frame->positions.begin(), frame->positions.end(), places.begin());
      if (frame->cell.exists() && cell_holds(frame->cell, atoms))
        take_jumps_back(frame->cell, groups, before, places, sums);
      for (std::size_t i = 0; i < atoms; ++i) sum[i] += places[i];
      before.swap(places);
    }
  }
  const double count = 2.0 * static_cast<double>(reach) + 1.0;
  for (std::size_t i = 0; i < atoms; ++i) result.positions[i] = glm::vec3(sum[i] / count);
  return result;
}

std::shared_ptr<const Trajectory> smoothed_trajectory(std::shared_ptr<const Trajectory> source,
                                                      std::shared_ptr<const Topology> topology, std::size_t half) {
  if (half < 1 || half > most_smoothing)
    throw Error(
        "smoothing: " + std::to_string(half) + " frames on each side; expected 1 to " + std::to_string(most_smoothing),
        Error::Kind::usage);
  if (topology && topology->atoms.size() != source->atom_count()) topology = nullptr;
  return std::make_shared<SmoothedTrajectory>(std::move(source), std::move(topology), half);
}

std::size_t smoothing_memory(std::size_t atoms, std::size_t half) {
  constexpr std::size_t sums = 4 * sizeof(glm::dvec3) + sizeof(glm::dvec4) + sizeof(std::uint32_t);
  return atoms * (sums + kept_frames(atoms, half) * sizeof(glm::vec3));
}

}  // namespace isolume
