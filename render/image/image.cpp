// How alike two pictures are.
#include "render/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

ImageDifference compare(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.rgba.size() != b.rgba.size())
    throw Error(
        fmt::format("pictures of {} x {} and {} x {} pixels cannot be compared", a.width, a.height, b.width, b.height),
        Error::Kind::usage);
  ImageDifference difference;
  if (a.rgba.empty()) return difference;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
  difference.mean = sum / static_cast<double>(a.rgba.size());

  // Luma (BT.601) over white, so that transparent pixels compare by what is seen.
  const auto luma = [](const Image& image) {
    std::vector<double> values(image.rgba.size() / 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint8_t* p = &image.rgba[4 * i];
      const double alpha = p[3] / 255.0;
      values[i] = alpha * (0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]) + (1 - alpha) * 255;
    }
    return values;
  };
  const std::vector<double> x = luma(a), y = luma(b);
  constexpr double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
  const int side_x = std::min(8, a.width), side_y = std::min(8, a.height);
  double total = 0;
  std::size_t windows = 0;
  // Windows overlap by half.
  for (int top = 0; top + side_y <= a.height; top += 4)
    for (int left = 0; left + side_x <= a.width; left += 4) {
      double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
      for (int j = 0; j < side_y; ++j)
        for (int i = 0; i < side_x; ++i) {
          const std::size_t at = static_cast<std::size_t>(top + j) * static_cast<std::size_t>(a.width) +
                                 static_cast<std::size_t>(left + i);
          sx += x[at], sy += y[at], sxx += x[at] * x[at], syy += y[at] * y[at], sxy += x[at] * y[at];
        }
      const double n = side_x * side_y;
      const double mx = sx / n, my = sy / n;
      const double vx = sxx / n - mx * mx, vy = syy / n - my * my, covariance = sxy / n - mx * my;
      total += (2 * mx * my + c1) * (2 * covariance + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
      ++windows;
    }
  if (windows) difference.dissimilarity = std::max(0.0, 1 - total / static_cast<double>(windows));
  return difference;
}

}  // namespace isolume
