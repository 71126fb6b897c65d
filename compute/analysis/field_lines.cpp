// Lines of a field: seeds, and Runge-Kutta through its gradient.
#include "compute/analysis/field_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "compute/base/parallel_for.h"
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

enum class End { border, surface, nowhere };

// Follows sign * grad from a place, where `inside` says that a surface is met (not at the place itself).
class Tracer {
 public:
  Tracer(const FieldSampler& field, const FieldLineOptions& options) : field_(field) {
    const Grid& grid = field.grid();
    const glm::dvec3 edges = glm::dvec3(grid.counts - 1);
    step_ = options.step * std::min({glm::length(grid.step[0]), glm::length(grid.step[1]), glm::length(grid.step[2])});
    longest_ = options.longest > 0 ? options.longest : 3 * glm::length(grid.step * edges);
  }
  void set_least(double least) { least_ = least; }

  template <class Met>
  End follow(glm::dvec3 place, double sign, FieldLine& line, const Met& met, const Job& job) const {
    const auto most = static_cast<std::size_t>(longest_ / step_);
    for (std::size_t n = 0; n < most; ++n) {
      if (n % check_every == 0) job.check();
      FieldSampler::Sample here;
      if (!field_.at(place, here)) return End::border;
      line.points.emplace_back(place);
      line.values.push_back(static_cast<float>(here.value));
      if (n > 0 && met(place)) return End::surface;
      const auto direction = [&](glm::dvec3 at, glm::dvec3& to) {
        FieldSampler::Sample s;
        if (!field_.at(at, s)) return false;
        const double length = glm::length(s.gradient);
        if (!(length > least_)) return false;
        to = sign * s.gradient / length;
        return true;
      };
      const double length = glm::length(here.gradient);
      if (!(length > least_)) return End::nowhere;
      const glm::dvec3 k1 = sign * here.gradient / length;
      glm::dvec3 k2, k3, k4;
      if (!direction(place + 0.5 * step_ * k1, k2) || !direction(place + 0.5 * step_ * k2, k3) ||
          !direction(place + step_ * k3, k4))
        return End::border;
      const glm::dvec3 along = (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
      // Where the field turns round within a step it vanishes between: a line goes no further.
      if (glm::length(along) < 0.5) return End::nowhere;
      place += step_ * along;
    }
    return End::nowhere;
  }

 private:
  const FieldSampler& field_;
  double step_ = 0, longest_ = 0, least_ = 0;
};

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
  Tracer tracer(field, options);
  tracer.set_least(weakest(through));
  std::vector<FieldLine> lines(seeds.size());
  constexpr double within = 0.98;  // a line that begins on a sphere is not inside it
  parallel_for(seeds.size(), job, "field lines", [&](std::size_t i) {
    FieldLine& line = lines[i];
    const bool outward = out[seeds[i]] != 0;
    const End end = tracer.follow(
        glm::dvec3(places[seeds[i]]), outward ? -1 : 1, line, [&](glm::dvec3 p) { return inside.any(p, within); }, job);
    // What comes from another part of the surface has a seed there.
    if (!outward && end == End::surface) line = {};
    if (!outward) reverse(line);
  });
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
  Tracer tracer(field, options);
  tracer.set_least(1e3 * weakest(strength));
  std::vector<FieldLine> lines(seeds.size());
  parallel_for(seeds.size(), job, "field lines", [&](std::size_t i) {
    const auto never = [](glm::dvec3) { return false; };
    const glm::dvec3 seed(candidates[seeds[i]]);
    FieldLine& line = lines[i];
    tracer.follow(seed, 1, line, never, job);
    reverse(line);
    FieldLine rest;
    tracer.follow(seed, -1, rest, never, job);
    if (rest.points.empty()) return;
    line.points.insert(line.points.end(), rest.points.begin() + 1, rest.points.end());
    line.values.insert(line.values.end(), rest.values.begin() + 1, rest.values.end());
  });
  return kept(std::move(lines));
}

}  // namespace isolume
