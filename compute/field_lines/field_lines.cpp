// Lines of a field: where they begin, and which are kept.
#include "compute/field_lines/field_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "compute/field_lines/line_tracing.h"
#include "molecule/base/error.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr std::size_t most_candidates = 20000;  // from which seeds are chosen
constexpr double least_field = 1e-9;            // of the largest difference of values, per angstrom
constexpr std::size_t check_every = 256;

// Which spheres a place is in.
class Inside {
 public:
  explicit Inside(std::span<const glm::vec4> spheres)
      : spheres_(spheres), grid_(centres(spheres), static_cast<double>(largest(spheres))) {}
  // `part` of each radius; the sphere `but` does not count.
  bool any(glm::dvec3 place, double part, std::size_t but = std::numeric_limits<std::size_t>::max()) const {
    return grid_.visit(glm::vec3(place), [&](std::uint32_t i, double squared) {
      const double r = part * static_cast<double>(spheres_[i].w);
      return i != but && squared < r * r;
    });
  }

 private:
  static std::vector<glm::vec3> centres(std::span<const glm::vec4> spheres) {
    std::vector<glm::vec3> points;
    points.reserve(spheres.size());
    for (const glm::vec4& s : spheres) points.emplace_back(s);
    return points;
  }
  static float largest(std::span<const glm::vec4> spheres) {
    float radius = 0;
    for (const glm::vec4& s : spheres) radius = std::max(radius, s.w);
    return radius;
  }
  std::span<const glm::vec4> spheres_;
  NeighbourGrid grid_;
};

/// How lines through a field are followed; `least` is the gradient at which it counts as vanished.
LineTracing tracing_of(const Grid& grid, const FieldLineOptions& options, double least) {
  const glm::dvec3 edges = glm::dvec3(grid.counts - 1);
  const double shortest = std::min({glm::length(grid.step[0]), glm::length(grid.step[1]), glm::length(grid.step[2])});
  LineTracing tracing;
  tracing.step = options.step * shortest;
  const double longest = options.longest > 0 ? options.longest : 3 * glm::length(grid.step * edges);
  tracing.most = static_cast<std::size_t>(longest / tracing.step);
  tracing.least = least;
  return tracing;
}

/// The field's values where lines are followed.
Span<const float> values_for(const FieldSampler& field, const FieldLineOptions& options) {
  if (!options.there.empty()) return options.there;
  return {field.values().data(), field.values().size(), Device::cpu()};
}

void reverse(FieldLine& line) {
  std::reverse(line.points.begin(), line.points.end());
  std::reverse(line.values.begin(), line.values.end());
}

std::vector<FieldLine> kept(std::vector<FieldLine> lines) {
  std::erase_if(lines, [](const FieldLine& line) { return line.points.size() < 2; });
  return lines;
}

double weakest(std::span<const float> weights) {
  float largest = 0;
  for (const float w : weights) largest = std::max(largest, w);
  return least_field * static_cast<double>(largest);
}

// Evenly spread directions: those of the golden angle.
glm::dvec3 direction(std::size_t i, std::size_t count) {
  const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
  const double angle = static_cast<double>(i) * std::numbers::pi * (3 - std::sqrt(5.0));
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace

std::vector<std::size_t> spread_places(std::span<const glm::vec3> places, std::span<const float> weights,
                                       std::size_t count, Job& job) {
  std::vector<std::size_t> taken;
  std::vector<float> nearest(places.size(), std::numeric_limits<float>::max());
  std::size_t next = places.size();
  for (std::size_t i = 0; i < places.size(); ++i)
    if (weights[i] > 0 && (next == places.size() || weights[i] > weights[next])) next = i;
  while (taken.size() < count && next < places.size()) {
    job.check();
    taken.push_back(next);
    const glm::vec3 at = places[next];
    float best = 0;
    next = places.size();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const glm::vec3 d = places[i] - at;
      nearest[i] = std::min(nearest[i], glm::dot(d, d));
      const float score = nearest[i] * weights[i];
      if (score > best) {
        best = score;
        next = i;
      }
    }
  }
  return taken;
}

std::vector<FieldLine> field_lines_of_spheres(const FieldSampler& field, std::span<const glm::vec4> spheres,
                                              const FieldLineOptions& options, Job& job) {
  if (spheres.empty() || options.lines == 0) return {};
  const Inside inside(spheres);
  // Candidates: the bare parts of the spheres. Of very many spheres some have to do.
  const std::size_t every = std::max<std::size_t>(1, spheres.size() * 6 / most_candidates);
  const std::size_t used = (spheres.size() + every - 1) / every;
  const std::size_t on_each =
      std::clamp<std::size_t>(most_candidates / used, 6, std::max<std::size_t>(64, 8 * options.lines));
  std::vector<glm::vec3> places;
  std::vector<float> through;     // what of the field goes through the surface there
  std::vector<std::uint8_t> out;  // the field comes out here
  for (std::size_t s = 0; s < spheres.size(); s += every) {
    if (s % check_every == 0) job.check();
    const auto radius = static_cast<double>(spheres[s].w);
    if (!(radius > 0)) continue;
    for (std::size_t i = 0; i < on_each; ++i) {
      const glm::dvec3 normal = direction(i, on_each);
      const glm::dvec3 place = glm::dvec3(glm::vec3(spheres[s])) + radius * normal;
      FieldSampler::Sample sample;
      if (!field.at(place, sample) || inside.any(place, 1, s)) continue;
      const double along = -glm::dot(sample.gradient, normal);
      places.emplace_back(place);
      through.push_back(static_cast<float>(std::abs(along)));
      out.push_back(along > 0 ? 1 : 0);
    }
  }
  const std::vector<std::size_t> seeds = spread_places(places, through, options.lines, job);
  std::vector<LineSeed> starts;
  for (const std::size_t seed : seeds) starts.push_back({glm::dvec3(places[seed]), out[seed] != 0 ? -1.0 : 1.0});
  std::vector<TracedLine> traced = trace_lines(field.grid(), values_for(field, options), starts, spheres,
                                               tracing_of(field.grid(), options, weakest(through)), job);
  std::vector<FieldLine> lines;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const bool outward = out[seeds[i]] != 0;
    // What comes from another part of the surface has a seed there.
    if (!outward && traced[i].end == LineEnd::surface) continue;
    if (!outward) reverse(traced[i].line);
    lines.push_back(std::move(traced[i].line));
  }
  return kept(std::move(lines));
}

std::vector<FieldLine> field_lines_through(const FieldSampler& field, std::span<const glm::vec3> places,
                                           const FieldLineOptions& options, Job& job) {
  const std::size_t every = std::max<std::size_t>(1, (places.size() + most_candidates - 1) / most_candidates);
  std::vector<glm::vec3> candidates;
  std::vector<float> strength;
  for (std::size_t i = 0; i < places.size(); i += every) {
    FieldSampler::Sample sample;
    if (!field.at(glm::dvec3(places[i]), sample)) continue;
    candidates.push_back(places[i]);
    strength.push_back(static_cast<float>(glm::length(sample.gradient)));
  }
  const std::vector<std::size_t> seeds = spread_places(candidates, strength, options.lines, job);
  std::vector<LineSeed> starts;
  for (const double sign : {1.0, -1.0})
    for (const std::size_t seed : seeds) starts.push_back({glm::dvec3(candidates[seed]), sign});
  std::vector<TracedLine> traced = trace_lines(field.grid(), values_for(field, options), starts, {},
                                               tracing_of(field.grid(), options, 1e3 * weakest(strength)), job);
  std::vector<FieldLine> lines;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    FieldLine line = std::move(traced[i].line);
    const FieldLine& rest = traced[seeds.size() + i].line;
    reverse(line);
    if (!rest.points.empty()) {
      line.points.insert(line.points.end(), rest.points.begin() + 1, rest.points.end());
      line.values.insert(line.values.end(), rest.values.begin() + 1, rest.values.end());
    }
    lines.push_back(std::move(line));
  }
  return kept(std::move(lines));
}

std::vector<glm::vec3> places_on_plane(glm::dvec3 centre, glm::dvec3 normal, double half_width, int count) {
  if (!(glm::length(normal) > 0) || count < 1)
    throw Error("field lines: a plane without a direction, or without places", Error::Kind::usage);
  const glm::dvec3 n = glm::normalize(normal);
  const glm::dvec3 other = std::abs(n.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
  const glm::dvec3 u = glm::normalize(glm::cross(n, other)), v = glm::cross(n, u);
  std::vector<glm::vec3> places;
  const double step = 2 * half_width / count, first = step / 2 - half_width;
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < count; ++i) places.emplace_back(centre + (first + step * i) * u + (first + step * j) * v);
  return places;
}

std::vector<glm::vec3> places_around(glm::dvec3 centre, double radius, std::size_t count) {
  std::vector<glm::vec3> places;
  for (std::size_t i = 0; i < count; ++i) places.emplace_back(centre + radius * direction(i, count));
  return places;
}

}  // namespace isolume
