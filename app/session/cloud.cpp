// Fields as clouds: their volume with the colours of the transfer function.
#include "app/session/cloud.h"

#include <algorithm>
#include <utility>

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

Cloud cloud_of(const Field& field, std::shared_ptr<const Volume> volume) {
  Cloud cloud;
  cloud.volume = std::move(volume);
  const auto range = static_cast<float>(effective_cloud_range(field));
  cloud.lower = field.both_signs ? -range : 0;
  cloud.upper = range;
  const std::vector<TransferPoint> points = transfer_of(field);
  for (int i = 0; i < table_size; ++i) {
    const float t = static_cast<float>(i) / (table_size - 1);
    cloud.transfer.push_back(colour_at(points, field.both_signs ? 2 * t - 1 : t));
  }
  return cloud;
}

FieldLegend cloud_legend(const Field& field, const FieldLegend& base) {
  FieldLegend legend = base;
  const double range =
      effective_cloud_range(field) * (field.kind == Field::Kind::potential ? per_volt(field.potential) : 1);
  legend.isosurfaces = false;
  legend.upper = range;
  legend.lower = field.both_signs ? -range : 0;
  legend.colours.clear();
  const std::vector<TransferPoint> points = transfer_of(field);
  // What is clear in the picture is white in the legend.
  constexpr int steps = 32;
  for (int i = 0; i <= steps; ++i) {
    const float t = static_cast<float>(i) / steps;
    const glm::vec4 c = colour_at(points, field.both_signs ? 2 * t - 1 : t);
    legend.colours.push_back(glm::mix(glm::vec3(1), glm::vec3(c), std::clamp(4 * c.a, 0.0f, 1.0f)));
  }
  return legend;
}

}  // namespace isolume
