// The mean of maps that come one after another, with its standard error and how it converges.
#include "app/fields/averages/running_mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/base/memory.h"
#include "compute/over_time/significance.h"
#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"

namespace isolume {

std::string squared_unit(const std::string& unit) {
  if (unit.empty()) return {};
  const bool compound = unit.find_first_of("/ ^") != std::string::npos;
  return compound ? "(" + unit + ")^2" : unit + "^2";
}

void RunningMean::add_next(const std::shared_ptr<const Molecule>& molecule, Job& job) {
  const std::size_t number = static_cast<std::size_t>(frames());
  if (number >= molecule->frame_count())
    throw Error(fmt::format("frame {}: there are {} so far", number, molecule->frame_count()), Error::Kind::usage);
  if (number == 0) require_same_atoms(*molecule, "an average over frames");
  add_frame(molecule, number, job);
  note_convergence();
}

void RunningMean::begin(const Grid& grid, std::string name, std::string unit, Device place, std::size_t frames) {
  require_memory(RunningStatistics::memory(grid.size(), std::max<std::size_t>(1, frames)), place,
                 "the average over frames");
  statistics_.emplace(grid.size(), place);
  grid_ = grid;
  name_ = std::move(name);
  unit_ = std::move(unit);
}

void RunningMean::add(Span<const float> values, double factor, Job& job) {
  statistics_->add(values, factor, job);
}

void RunningMean::note_convergence() {
  const std::uint64_t n = frames();
  // The last point is of now; those before stay where a point is due.
  if (!convergence_.empty() && convergence_.back().frames != next_check_ && convergence_.back().frames + 1 == n)
    convergence_.pop_back();
  if (n > next_check_) next_check_ = std::max(n, next_check_ + std::max<std::uint64_t>(1, next_check_ / 6));
  const StatisticsSummary summary = statistics_->summary(4000);
  const auto part = [&](std::size_t points) {
    return summary.points == 0 ? 0.0 : static_cast<double>(points) / static_cast<double>(summary.points);
  };
  convergence_.push_back({n, summary.rms_error, summary.inefficiency, part(summary.without), part(summary.rough)});
}

std::vector<std::shared_ptr<const Volume>> RunningMean::maps(Job& job) const {
  if (frames() == 0) throw Error("an average of no frame", Error::Kind::usage);
  std::vector<std::shared_ptr<Volume>> made;
  const char* const kinds[] = {"mean", "faded mean", "standard error of the mean", "variance"};  // read in legends
  for (const char* const kind : kinds) {
    auto volume = std::make_shared<Volume>();
    volume->grid = grid_;
    volume->values.resize(grid_.size());
    volume->name = fmt::format("{}: {} of {} frames", name_, kind, frames());
    volume->unit = unit_;
    made.push_back(std::move(volume));
  }
  made[3]->unit = squared_unit(unit_);
  statistics_->fill(made[0]->values, made[2]->values, job, made[3]->values);
  fade_insignificant(made[0]->values, made[2]->values, made[1]->values);
  for (float& error : made[2]->values)
    if (std::isnan(error)) error = -1;
  return {made.begin(), made.end()};
}

}  // namespace isolume
