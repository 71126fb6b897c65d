// Residence: how long atoms stay at the points of a grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace isolume {

/// Counts stays: runs of consecutive frames in which the same occupant is at a point.
class ResidenceCounter {
 public:
  explicit ResidenceCounter(std::size_t points);

  /// Who is at each point in the next frame; -1: nobody.
  void add(std::span<const std::int32_t> occupants);

  /// The mean length of the stays at each point, in frames, and its standard error as of independent stays. Stays that
  /// the first frame or the last cuts off count with the length that was seen. Where there was no stay the mean is 0;
  /// with fewer than 10 the error is NaN.
  void fill(std::span<float> means, std::span<float> errors) const;
  /// The number of frames with somebody, over all frames, and of stays, over all points.
  double occupied() const;
  std::uint64_t stays() const;

 private:
  struct Point {
    std::int32_t occupant = -1;
    std::uint32_t length = 0;     ///< of the stay that goes on
    std::uint32_t stays = 0;      ///< that have ended
    double sum = 0, squares = 0;  ///< of their lengths
  };
  static Point ended(Point point);

  std::vector<Point> points_;
  std::uint64_t frames_ = 0;
};

}  // namespace isolume
