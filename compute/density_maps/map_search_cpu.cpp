// The search of a map on the CPU: a thread a turn.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "compute/base/parallel_for.h"
#include "compute/density_maps/map_search.h"
#include "compute/fft/fft_cpu.h"

namespace isolume {
namespace {

/// What one thread has found.
struct Found {
  std::vector<float> values;
  std::vector<std::complex<float>> spectrum;
  BestTurns best;
};

/// Adds the weights of the turned model about point 0 of the mesh, each to the eight points around it.
void spread(const MapSearchTask& task, const glm::dquat& turn, std::vector<float>& values) {
  const SearchMesh& mesh = task.mesh;
  std::fill(values.begin(), values.end(), 0.0f);
  const glm::dmat3 matrix = glm::mat3_cast(turn);
  for (std::size_t n = 0; n < task.places.size(); ++n) {
    const glm::dvec3 at = matrix * task.places[n];
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
        const double w = task.weights[n] * part[1][j] * part[2][k];
        values[row + index[0][0]] += static_cast<float>(w * part[0][0]);
        values[row + index[0][1]] += static_cast<float>(w * part[0][1]);
      }
    }
  }
}

}  // namespace

BestTurns best_turns_cpu(const MapSearchTask& task, Job& job) {
  const SearchMesh& mesh = task.mesh;
  const std::size_t places = mesh.grid.size();
  Found none;
  none.best.scores.assign(places, std::numeric_limits<float>::lowest());
  none.best.turns.assign(places, BestTurns::none);
  none.values.assign(task.map.begin(), task.map.end());
  none.spectrum.resize(fft_spectrum_size(mesh.size));
  fft_forward(mesh.size, none.values.data(), none.spectrum.data(), 0, &job);
  const std::vector<std::complex<float>> of_map = none.spectrum;
  double weight = 0;
  for (const double w : task.weights) weight += w;
  const float scale = static_cast<float>(1 / (weight * static_cast<double>(mesh.points())));
  oneapi::tbb::enumerable_thread_specific<Found> threads(none);
  parallel_for(task.turns.size(), job, "turns and shifts", [&](std::size_t n) {
    Found& mine = threads.local();
    spread(task, task.turns[n], mine.values);
    fft_forward(mesh.size, mine.values.data(), mine.spectrum.data(), 0, nullptr, 1);
    for (std::size_t i = 0; i < of_map.size(); ++i) mine.spectrum[i] = of_map[i] * std::conj(mine.spectrum[i]);
    fft_backward(mesh.size, mine.spectrum.data(), mine.values.data(), 0, nullptr, 1);
    for (int k = 0; k < mesh.grid.counts.z; ++k) {
      for (int j = 0; j < mesh.grid.counts.y; ++j) {
        const float* row = &mine.values[static_cast<std::size_t>(mesh.size.x) *
                                        (static_cast<std::size_t>(j) +
                                         static_cast<std::size_t>(mesh.size.y) * static_cast<std::size_t>(k))];
        const std::size_t to = mesh.grid.index(0, j, k);
        for (int i = 0; i < mesh.grid.counts.x; ++i) {
          const float value = row[i] * scale;
          const std::size_t p = to + static_cast<std::size_t>(i);
          if (value > mine.best.scores[p] || (value == mine.best.scores[p] && n < mine.best.turns[p])) {
            mine.best.scores[p] = value;
            mine.best.turns[p] = static_cast<std::uint32_t>(n);
          }
        }
      }
    }
  });
  BestTurns best = std::move(none.best);
  for (const Found& part : threads) {
    for (std::size_t p = 0; p < places; ++p) {
      const float value = part.best.scores[p];
      if (value > best.scores[p] || (value == best.scores[p] && part.best.turns[p] < best.turns[p])) {
        best.scores[p] = value;
        best.turns[p] = part.best.turns[p];
      }
    }
  }
  return best;
}

}  // namespace isolume
