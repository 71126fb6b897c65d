// The search of all turns and shifts of a model in a map: the mesh, the choice of the body, and the places found.
#include "compute/density_maps/map_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/rigid_slopes.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_plan.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// A place of the centre with its best turn.
struct Candidate {
  float value;
  std::uint32_t turn;
  glm::ivec3 at;
};

/// The best places, best first; neighbouring points only where their turns are `apart` (radian) or more.
std::vector<Candidate> candidates_of(const SearchMesh& mesh, const BestTurns& found, std::span<const glm::dquat> turns,
                                     double apart, std::size_t most) {
  std::vector<Candidate> all;
  for (int k = 0; k < mesh.grid.counts.z; ++k) {
    for (int j = 0; j < mesh.grid.counts.y; ++j) {
      for (int i = 0; i < mesh.grid.counts.x; ++i) {
        const std::size_t n = mesh.grid.index(i, j, k);
        if (found.turns[n] != BestTurns::none) all.push_back({found.scores[n], found.turns[n], {i, j, k}});
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  std::vector<Candidate> kept;
  for (const Candidate& c : all) {
    if (kept.size() == most) break;
    const bool near = std::any_of(kept.begin(), kept.end(), [&](const Candidate& k) {
      const glm::ivec3 d = glm::abs(k.at - c.at);
      if (std::max({d.x, d.y, d.z}) > 1) return false;
      const double cosine = std::min(1.0, std::abs(glm::dot(turns[k.turn], turns[c.turn])));
      return 2 * std::acos(cosine) < apart;
    });
    if (!near) kept.push_back(c);
  }
  return kept;
}

/// The map at the points of the mesh.
std::vector<float> values_on(const SearchMesh& mesh, const MapSpline& map) {
  std::vector<float> values(mesh.points(), 0.0f);
  for (int k = 0; k < mesh.grid.counts.z; ++k) {
    for (int j = 0; j < mesh.grid.counts.y; ++j) {
      const std::size_t row =
          static_cast<std::size_t>(mesh.size.x) *
          (static_cast<std::size_t>(j) + static_cast<std::size_t>(mesh.size.y) * static_cast<std::size_t>(k));
      for (int i = 0; i < mesh.grid.counts.x; ++i)
        values[row + static_cast<std::size_t>(i)] = static_cast<float>(map.at(mesh.grid.point(i, j, k)).value);
    }
  }
  return values;
}

}  // namespace

SearchMesh SearchMesh::of(const Grid& map, double spacing, double reach) {
  SearchMesh mesh;
  mesh.grid = map;
  for (int axis = 0; axis < 3; ++axis) {
    const double step = map.step[axis][axis], length = std::abs(step) * (map.counts[axis] - 1);
    if (spacing > std::abs(step)) {
      mesh.grid.counts[axis] = static_cast<int>(std::floor(length / spacing)) + 1;
      mesh.grid.step[axis][axis] = step < 0 ? -spacing : spacing;
      // In the middle of what the map covers.
      const double rest = length - spacing * (mesh.grid.counts[axis] - 1);
      mesh.grid.origin[axis] += (step < 0 ? -0.5 : 0.5) * rest;
    }
    const int room = static_cast<int>(std::ceil(reach / std::abs(mesh.grid.step[axis][axis]))) + 2;
    mesh.size[axis] = good_fft_size(std::max(mesh.grid.counts[axis] + room, 2 * room));
  }
  return mesh;
}

std::size_t search_batch(const SearchMesh& mesh, std::size_t turns) {
  // What stays in the second cache of a large device; more only makes it wait.
  constexpr std::size_t bytes = std::size_t{24} << 20;
  const std::size_t one = mesh.points() * sizeof(float) + fft_spectrum_size(mesh.size) * 2 * sizeof(float);
  return std::clamp<std::size_t>(bytes / one, 1, std::clamp<std::size_t>(turns, 1, 256));
}

std::size_t map_search_memory(const MapSearchTask& task, Device device) {
  const std::size_t spectrum = fft_spectrum_size(task.mesh.size) * 2 * sizeof(float);
  const std::size_t one = task.mesh.points() * sizeof(float) + spectrum, found = task.mesh.grid.size() * 8;
  if (!device.is_cuda()) return (one + found) * static_cast<std::size_t>(thread_count() + 2);
  // cuFFT's workspace is as large as what it transforms.
  return one + found + 2 * one * search_batch(task.mesh, task.turns.size()) + task.turns.size() * 36 +
         task.places.size() * 16;
}

BestTurns best_turns(const MapSearchTask& task, Device device, Job& job) {
  if (task.map.size() != task.mesh.points() || task.places.empty() || task.weights.size() != task.places.size() ||
      task.turns.size() >= BestTurns::none)
    throw Error("search of a map: arrays of other sizes", Error::Kind::usage);
  require_memory(map_search_memory(task, device), device, "search of a map");
  job.check();
  return device.is_cuda() ? best_turns_cuda(task, device, job) : best_turns_cpu(task, job);
}

double search_score_reference(const MapSearchTask& task, std::size_t turn, glm::ivec3 at) {
  const SearchMesh& mesh = task.mesh;
  double sum = 0, weight = 0;
  for (std::size_t n = 0; n < task.places.size(); ++n) {
    const glm::dvec3 place = task.turns[turn] * task.places[n];
    int low[3];
    double part[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double u = at[axis] + place[axis] / mesh.grid.step[axis][axis];
      low[axis] = static_cast<int>(std::floor(u));
      part[axis] = u - low[axis];
    }
    for (int corner = 0; corner < 8; ++corner) {
      double share = task.weights[n];
      std::size_t index = 0;
      for (int axis = 2; axis >= 0; --axis) {
        const int up = corner >> axis & 1, size = mesh.size[axis];
        share *= up ? part[axis] : 1 - part[axis];
        index =
            index * static_cast<std::size_t>(size) + static_cast<std::size_t>(((low[axis] + up) % size + size) % size);
      }
      sum += share * static_cast<double>(task.map[index]);
    }
    weight += task.weights[n];
  }
  return sum / weight;
}

std::vector<glm::dquat> spread_rotations(std::size_t count) {
  // The two irrational numbers of the paper: the positive roots of p^2 = 2 and of q^4 = q + 4.
  const double p = std::numbers::sqrt2, q = 1.533751168755204288118041;
  std::vector<glm::dquat> turns;
  turns.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double s = static_cast<double>(i) + 0.5, part = s / static_cast<double>(count);
    const double a = 2 * std::numbers::pi * s / p, b = 2 * std::numbers::pi * s / q;
    const double low = std::sqrt(part), high = std::sqrt(1 - part);
    turns.emplace_back(high * std::cos(b), low * std::sin(a), low * std::cos(a), high * std::sin(b));
  }
  return turns;
}

std::vector<RigidFit> search_map(const MapSpline& map, const RigidModel& model, const MapSearchOptions& options,
                                 Job& job, MapSearchStatistics* statistics) {
  if (model.positions.empty() || model.weights.size() != model.positions.size())
    throw Error("fit: a model of atoms with a weight each is needed", Error::Kind::usage);
  if (!map.grid().axis_aligned())
    throw Error("fit: the map's grid must be along x, y and z for a search", Error::Kind::usage);
  const glm::dvec3 centre = model.centre();
  double reach = 0;
  for (const glm::dvec3& p : model.positions) reach = std::max(reach, glm::distance(p, centre));
  const SearchMesh mesh = SearchMesh::of(map.grid(), options.resolution / 2, reach);
  const double degrees =
      options.angle > 0
          ? options.angle
          : std::clamp(glm::degrees(0.75 * options.resolution / std::max(model.radius(), 1e-3)), 4.0, 20.0);
  const double radians = glm::radians(degrees);
  // The volume of all turns, an angle being a length, is 8 pi^2.
  const auto count =
      static_cast<std::size_t>(std::ceil(8 * std::numbers::pi * std::numbers::pi / (radians * radians * radians)));
  require_memory(mesh.points() * sizeof(float) + count * sizeof(glm::dquat), Device::cpu(), "search of a map");
  const std::vector<glm::dquat> turns = spread_rotations(count);
  const std::vector<float> values = values_on(mesh, map);
  std::vector<glm::dvec3> places = model.positions;
  for (glm::dvec3& p : places) p -= centre;
  JobPart searching(job, 0, 0.9);
  const Device device = options.device.is_cuda() && !search_pays_on_cuda() ? Device::cpu() : options.device;
  const BestTurns found = best_turns({mesh, values, places, model.weights, turns}, device, searching);
  const auto candidates = candidates_of(mesh, found, turns, 3 * radians, 5 * options.solutions);
  JobPart refining(job, 0.9, 1);
  Job& whole = refining;
  std::vector<RigidFit> fits(candidates.size());
  const RigidSlopes slopes(map, model, options.device);
  parallel_for(fits.size(), refining, "refining places", [&](std::size_t n) {
    JobPart alone(whole);
    const Candidate& c = candidates[n];
    const glm::dquat turn = turns[c.turn];
    const glm::dvec3 to = mesh.grid.point(c.at.x, c.at.y, c.at.z);
    fits[n] = rigid_fit(slopes, model, {turn, to - turn * centre}, alone);
  });
  std::stable_sort(fits.begin(), fits.end(), [](const RigidFit& a, const RigidFit& b) { return a.after > b.after; });
  std::vector<RigidFit> kept;
  for (const RigidFit& fit : fits) {
    if (kept.size() == options.solutions) break;
    const bool known = std::any_of(kept.begin(), kept.end(),
                                   [&](const RigidFit& k) { return rmsd_of_places(model, k.motion, fit.motion) < 2; });
    if (!known) kept.push_back(fit);
  }
  if (statistics) *statistics = {count, degrees, std::abs(mesh.grid.step[0][0]), mesh.size, candidates.size()};
  return kept;
}

}  // namespace isolume
