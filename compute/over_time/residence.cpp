// Residence: how long atoms stay at the points of a grid.
#include "compute/over_time/residence.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "molecule/base/error.h"

namespace isolume {

ResidenceCounter::ResidenceCounter(std::size_t points) : points_(points) {}

ResidenceCounter::Point ResidenceCounter::ended(Point point) {
  if (point.occupant < 0) return point;
  ++point.stays;
  point.sum += point.length;
  point.squares += static_cast<double>(point.length) * point.length;
  point.occupant = -1;
  point.length = 0;
  return point;
}

void ResidenceCounter::add(std::span<const std::int32_t> occupants) {
  if (occupants.size() != points_.size())
    throw Error(fmt::format("residence at {} points: a frame has {}", points_.size(), occupants.size()),
                Error::Kind::usage);
  ++frames_;
  for (std::size_t i = 0; i < occupants.size(); ++i) {
    Point& point = points_[i];
    if (point.occupant != occupants[i]) {
      point = ended(point);
      point.occupant = occupants[i];
    }
    if (point.occupant >= 0) ++point.length;
  }
}

void ResidenceCounter::fill(std::span<float> means, std::span<float> errors) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point point = ended(points_[i]);
    const double count = point.stays, mean = point.stays > 0 ? point.sum / count : 0;
    means[i] = static_cast<float>(mean);
    if (errors.empty()) continue;
    const double variance = point.stays > 1 ? (point.squares - count * mean * mean) / (count - 1) : 0;
    errors[i] = point.stays >= 10 ? static_cast<float>(std::sqrt(std::max(0.0, variance) / count))
                                  : std::numeric_limits<float>::quiet_NaN();
  }
}

double ResidenceCounter::occupied() const {
  double sum = 0;
  for (const Point& point : points_) sum += ended(point).sum;
  return sum / std::max(1.0, static_cast<double>(frames_) * static_cast<double>(points_.size()));
}

std::uint64_t ResidenceCounter::stays() const {
  std::uint64_t sum = 0;
  for (const Point& point : points_) sum += ended(point).stays;
  return sum;
}

}  // namespace isolume
