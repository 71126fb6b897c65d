// The search of all turns and shifts of a model in a map, by Fourier transforms on the CPU.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/rigid_fit.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_plan.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::uint32_t no_rotation = std::numeric_limits<std::uint32_t>::max();

/// The mesh of the search: points of the map, and room for the model beyond them.
struct Mesh {
  Grid grid;           ///< the points that the centre goes to
  glm::ivec3 size{0};  ///< with the room
  std::size_t points() const {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z);
  }
};

Mesh make_mesh(const Grid& map, double spacing, double reach) {
  Mesh mesh;
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

/// What one thread has found: for each place of the centre the best turn.
struct Found {
  std::vector<float> values, best;
  std::vector<std::complex<float>> spectrum;
  std::vector<std::uint32_t> turn;
};

/// Adds the weights of the turned model about point 0 of the mesh, each to the eight points around it.
void spread(const Mesh& mesh, const RigidModel& model, const glm::dvec3& centre, const glm::dquat& turn,
            std::vector<float>& values) {
  std::fill(values.begin(), values.end(), 0.0f);
  const glm::dmat3 matrix = glm::mat3_cast(turn);
  for (std::size_t n = 0; n < model.positions.size(); ++n) {
    const glm::dvec3 at = matrix * (model.positions[n] - centre);
    std::size_t index[3][2];
    double part[3][2];
    for (int axis = 0; axis < 3; ++axis) {
      const double u = at[axis] / mesh.grid.step[axis][axis], low = std::floor(u);
      const int size = mesh.size[axis];
      const int i = (static_cast<int>(low) % size + size) % size;
      index[axis][0] = static_cast<std::size_t>(i);
      index[axis][1] = static_cast<std::size_t>((i + 1) % size);
      part[axis][1] = u - low;
      part[axis][0] = 1 - part[axis][1];
    }
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 2; ++j) {
        const std::size_t row =
            static_cast<std::size_t>(mesh.size.x) * (index[1][j] + static_cast<std::size_t>(mesh.size.y) * index[2][k]);
        const double w = model.weights[n] * part[1][j] * part[2][k];
        values[row + index[0][0]] += static_cast<float>(w * part[0][0]);
        values[row + index[0][1]] += static_cast<float>(w * part[0][1]);
      }
    }
  }
}

/// A place of the centre with its best turn.
struct Candidate {
  float value;
  std::uint32_t turn;
  glm::ivec3 at;
};

/// The best places, best first; neighbouring points only where their turns are `apart` (radian) or more.
std::vector<Candidate> candidates_of(const Mesh& mesh, const Found& found, std::span<const glm::dquat> turns,
                                     double apart, std::size_t most) {
  std::vector<Candidate> all;
  for (int k = 0; k < mesh.grid.counts.z; ++k) {
    for (int j = 0; j < mesh.grid.counts.y; ++j) {
      for (int i = 0; i < mesh.grid.counts.x; ++i) {
        const std::size_t n = mesh.grid.index(i, j, k);
        if (found.turn[n] != no_rotation) all.push_back({found.best[n], found.turn[n], {i, j, k}});
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

Found search(const Mesh& mesh, const MapSpline& map, const RigidModel& model, std::span<const glm::dquat> turns,
             Job& job) {
  const std::size_t places = mesh.grid.size();
  Found none;
  none.best.assign(places, std::numeric_limits<float>::lowest());
  none.turn.assign(places, no_rotation);
  none.values.assign(mesh.points(), 0.0f);
  none.spectrum.resize(fft_spectrum_size(mesh.size));
  const auto at = [&](int i, int j, int k) {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(mesh.size.x) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(mesh.size.y) * static_cast<std::size_t>(k));
  };
  for (int k = 0; k < mesh.grid.counts.z; ++k) {
    for (int j = 0; j < mesh.grid.counts.y; ++j) {
      for (int i = 0; i < mesh.grid.counts.x; ++i)
        none.values[at(i, j, k)] = static_cast<float>(map.at(mesh.grid.point(i, j, k)).value);
    }
  }
  fft_forward(mesh.size, none.values.data(), none.spectrum.data(), 0, &job);
  const std::vector<std::complex<float>> of_map = none.spectrum;
  double weight = 0;
  for (const double w : model.weights) weight += w;
  const float scale = static_cast<float>(1 / (weight * static_cast<double>(mesh.points())));
  const glm::dvec3 centre = model.centre();
  oneapi::tbb::enumerable_thread_specific<Found> threads(none);
  parallel_for(turns.size(), job, "turns and shifts", [&](std::size_t n) {
    Found& mine = threads.local();
    spread(mesh, model, centre, turns[n], mine.values);
    fft_forward(mesh.size, mine.values.data(), mine.spectrum.data(), 0, nullptr, 1);
    for (std::size_t i = 0; i < of_map.size(); ++i) mine.spectrum[i] = of_map[i] * std::conj(mine.spectrum[i]);
    fft_backward(mesh.size, mine.spectrum.data(), mine.values.data(), 0, nullptr, 1);
    for (int k = 0; k < mesh.grid.counts.z; ++k) {
      for (int j = 0; j < mesh.grid.counts.y; ++j) {
        const float* row = &mine.values[at(0, j, k)];
        const std::size_t to = mesh.grid.index(0, j, k);
        for (int i = 0; i < mesh.grid.counts.x; ++i) {
          const float value = row[i] * scale;
          const std::size_t p = to + static_cast<std::size_t>(i);
          if (value > mine.best[p] || (value == mine.best[p] && n < mine.turn[p])) {
            mine.best[p] = value;
            mine.turn[p] = static_cast<std::uint32_t>(n);
          }
        }
      }
    }
  });
  for (const Found& part : threads) {
    for (std::size_t p = 0; p < places; ++p) {
      if (part.best[p] > none.best[p] || (part.best[p] == none.best[p] && part.turn[p] < none.turn[p])) {
        none.best[p] = part.best[p];
        none.turn[p] = part.turn[p];
      }
    }
  }
  return none;
}

}  // namespace

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
  const Mesh mesh = make_mesh(map.grid(), options.resolution / 2, reach);
  const double degrees =
      options.angle > 0
          ? options.angle
          : std::clamp(glm::degrees(0.75 * options.resolution / std::max(model.radius(), 1e-3)), 4.0, 20.0);
  const double radians = glm::radians(degrees);
  // The volume of all turns, an angle being a length, is 8 pi^2.
  const auto count =
      static_cast<std::size_t>(std::ceil(8 * std::numbers::pi * std::numbers::pi / (radians * radians * radians)));
  const std::size_t room = mesh.points() * 12 + mesh.grid.size() * 8;
  require_memory(room * static_cast<std::size_t>(thread_count() + 2) + count * sizeof(glm::dquat), Device::cpu(),
                 "search of a map");
  const std::vector<glm::dquat> turns = spread_rotations(count);
  JobPart searching(job, 0, 0.9);
  const Found found = search(mesh, map, model, turns, searching);
  const auto candidates = candidates_of(mesh, found, turns, 3 * radians, 5 * options.solutions);
  JobPart refining(job, 0.9, 1);
  Job& whole = refining;
  std::vector<RigidFit> fits(candidates.size());
  parallel_for(fits.size(), refining, "refining places", [&](std::size_t n) {
    JobPart alone(whole);
    const Candidate& c = candidates[n];
    const glm::dquat turn = turns[c.turn];
    const glm::dvec3 to = mesh.grid.point(c.at.x, c.at.y, c.at.z);
    fits[n] = rigid_fit(map, model, {turn, to - turn * centre}, alone);
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
