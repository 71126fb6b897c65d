// Fields as clouds: their volume with the colours of the transfer function.
#include "app/fields/cloud.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace isolume {
namespace {

constexpr int table_size = 256;

/// Colour and opacity at a part of the range.
glm::vec4 colour_at(const std::vector<TransferPoint>& points, float at) {
  const auto value = [](const TransferPoint& p) { return glm::vec4(p.colour) / 255.0f; };
  const auto after =
      std::upper_bound(points.begin(), points.end(), at, [](float a, const TransferPoint& p) { return a < p.at; });
  if (after == points.begin()) return value(points.front());
  if (after == points.end()) return value(points.back());
  const TransferPoint &low = *std::prev(after), &high = *after;
  return glm::mix(value(low), value(high), high.at > low.at ? (at - low.at) / (high.at - low.at) : 0.0f);
}

}  // namespace

bool is_cloud(const Field& field) {
  return field.show == Field::Show::cloud && !wraps_atoms(field.kind) && field.slice.kind == SlicePlane::Kind::none;
}

double automatic_cloud_range(const Field& field, const Volume& volume) {
  if (field.kind != Field::Kind::potential) return 0;
  // A net charge fills the space around it: the range follows the values, not the isovalue.
  constexpr std::size_t samples = 20'000;
  const std::size_t step = volume.values.size() / samples | 1;  // odd: seldom in step with the rows
  std::vector<float> sizes;
  for (std::size_t i = 0; i < volume.values.size(); i += step)
    if (std::isfinite(volume.values[i])) sizes.push_back(std::abs(volume.values[i]));
  if (sizes.empty()) return 0;
  const auto part = [&](double p) {
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), at, sizes.end());
    return static_cast<double>(*at);
  };
  if (part(1) <= 0) return 0;
  // The usual transfer function is clear up to a third of the range.
  const double range = std::min(part(1), std::max(part(0.97), 3 * part(0.85)));
  // Two digits, so that the legend is easily read and a moving system's colours stay.
  const double digit = std::pow(10, std::floor(std::log10(range)) - 1);
  return digit * std::ceil(range / digit - 1e-6);
}

double cloud_range(const Field& field, double automatic) {
  return field.cloud_range > 0 || automatic <= 0 ? effective_cloud_range(field) : automatic;
}

Cloud cloud_of(const Field& field, double automatic, std::shared_ptr<const Volume> volume) {
  Cloud cloud;
  cloud.volume = std::move(volume);
  const auto range = static_cast<float>(cloud_range(field, automatic));
  cloud.lower = field.both_signs ? -range : 0;
  cloud.upper = range;
  const std::vector<TransferPoint> points = transfer_of(field);
  for (int i = 0; i < table_size; ++i) {
    const float t = static_cast<float>(i) / (table_size - 1);
    cloud.transfer.push_back(colour_at(points, field.both_signs ? 2 * t - 1 : t));
  }
  return cloud;
}

FieldLegend cloud_legend(const Field& field, double range, const FieldLegend& base) {
  FieldLegend legend = base;
  range *= shown_factor(field);
  legend.isosurfaces = false;
  legend.upper = range;
  legend.lower = field.both_signs ? -range : 0;
  legend.colours.clear();
  const std::vector<TransferPoint> points = transfer_of(field);
  // Transparent parts of the picture are white in the legend.
  constexpr int steps = 32;
  for (int i = 0; i <= steps; ++i) {
    const float t = static_cast<float>(i) / steps;
    const glm::vec4 c = colour_at(points, field.both_signs ? 2 * t - 1 : t);
    legend.colours.push_back(glm::mix(glm::vec3(1), glm::vec3(c), std::clamp(4 * c.a, 0.0f, 1.0f)));
  }
  return legend;
}

}  // namespace isolume
