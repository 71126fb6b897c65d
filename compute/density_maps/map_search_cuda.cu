// The search of a map on CUDA: turns in batches, whose meshes stay in the device's cache between the steps.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/density_maps/map_search.h"
#include "compute/fft/fft_cuda.h"

namespace isolume {
namespace {

constexpr int threads = 256;
/// Weights are added up as integers, in any order the same: this many are all of them.
constexpr float whole = 1073741824.0f;

struct Turn {
  float rows[9];
};
struct SpreadAtom {
  float x, y, z, weight;  ///< angstrom from the centre; of a sum of sizes of `whole`
};
struct SpreadMesh {
  int size[3];
  float per_step[3];
  unsigned points;
};

/// Adds the weights of the turned model about point 0 of each mesh, each to the eight points around it.
__global__ void __launch_bounds__(threads)
    spread_kernel(SpreadMesh mesh, const SpreadAtom* __restrict__ atoms, unsigned count, const Turn* __restrict__ turns,
                  int* __restrict__ meshes) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= count) return;
  const SpreadAtom atom = atoms[n];
  const Turn& turn = turns[blockIdx.y];
  int index[3][2];
  float part[3][2];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const float at =
        fmaf(turn.rows[3 * axis], atom.x, fmaf(turn.rows[3 * axis + 1], atom.y, turn.rows[3 * axis + 2] * atom.z));
    const float u = at * mesh.per_step[axis], low = floorf(u);
    const int size = mesh.size[axis];
    int i = static_cast<int>(low) % size;
    if (i < 0) i += size;
    index[axis][0] = i;
    index[axis][1] = i + 1 == size ? 0 : i + 1;
    part[axis][1] = u - low;
    part[axis][0] = 1.0f - part[axis][1];
  }
  int* own = meshes + static_cast<std::size_t>(blockIdx.y) * mesh.points;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int row = mesh.size[0] * (index[1][j] + mesh.size[1] * index[2][k]);
      const float w = atom.weight * part[1][j] * part[2][k];
      atomicAdd(own + row + index[0][0], __float2int_rn(w * part[0][0]));
      atomicAdd(own + row + index[0][1], __float2int_rn(w * part[0][1]));
    }
  }
}

/// Integers become numbers, in place.
__global__ void __launch_bounds__(threads) number_kernel(float* values, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < count) values[i] = static_cast<float>(__float_as_int(values[i])) * (1.0f / whole);
}

/// spectra = map conj(spectra)
__global__ void __launch_bounds__(threads)
    correlate_kernel(const float2* __restrict__ map, unsigned count, float2* __restrict__ spectra) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  const float2 a = map[i];
  float2* at = spectra + static_cast<std::size_t>(blockIdx.y) * count + i;
  const float2 b = *at;
  *at = {fmaf(a.x, b.x, a.y * b.y), fmaf(a.y, b.x, -a.x * b.y)};
}

struct Places {
  int counts[3], size[3];
  unsigned number, points;  ///< of the grid, of the mesh
};

/// Each place looks at all meshes of the batch: 32 places a block, each by 8 threads that take every eighth mesh.
__global__ void __launch_bounds__(threads)
    best_kernel(Places places, const float* __restrict__ meshes, unsigned batch, unsigned first_turn, float scale,
                float* __restrict__ scores, unsigned* __restrict__ turns) {
  __shared__ float values[8][32];
  __shared__ unsigned numbers[8][32];
  const unsigned lane = threadIdx.x % 32, part = threadIdx.x / 32, place = blockIdx.x * 32 + lane;
  float best = -INFINITY;
  unsigned turn = BestTurns::none;
  if (place < places.number) {
    const unsigned nx = static_cast<unsigned>(places.counts[0]), ny = static_cast<unsigned>(places.counts[1]);
    const unsigned i = place % nx, j = place / nx % ny, k = place / nx / ny;
    const std::size_t at =
        i + static_cast<std::size_t>(places.size[0]) * (j + static_cast<std::size_t>(places.size[1]) * k);
    for (unsigned b = part; b < batch; b += 8) {
      const float value = meshes[static_cast<std::size_t>(b) * places.points + at] * scale;
      if (value > best) {
        best = value;
        turn = first_turn + b;
      }
    }
  }
  values[part][lane] = best;
  numbers[part][lane] = turn;
  __syncthreads();
  if (part != 0 || place >= places.number) return;
  for (int p = 1; p < 8; ++p) {
    const float value = values[p][lane];
    if (value > best || (value == best && numbers[p][lane] < turn)) {
      best = value;
      turn = numbers[p][lane];
    }
  }
  // Batches come in the order of their turns: of equals the one that is there is the first.
  if (best > scores[place]) {
    scores[place] = best;
    turns[place] = turn;
  }
}

std::vector<SpreadAtom> spread_atoms(const MapSearchTask& task) {
  double sizes = 0;
  for (const double w : task.weights) sizes += std::abs(w);
  std::vector<SpreadAtom> atoms;
  atoms.reserve(task.places.size());
  for (std::size_t i = 0; i < task.places.size(); ++i) {
    const glm::vec3 p(task.places[i]);
    atoms.push_back({p.x, p.y, p.z, static_cast<float>(task.weights[i] / sizes * static_cast<double>(whole))});
  }
  return atoms;
}

std::vector<Turn> turn_matrices(std::span<const glm::dquat> turns) {
  std::vector<Turn> matrices(turns.size());
  for (std::size_t n = 0; n < turns.size(); ++n) {
    const glm::dmat3 matrix = glm::mat3_cast(turns[n]);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        matrices[n].rows[3 * row + column] = static_cast<float>(matrix[column][row]);
  }
  return matrices;
}

}  // namespace

bool search_pays_on_cuda() {
  return cufft_present();
}

BestTurns best_turns_cuda(const MapSearchTask& task, Device device, Job& job) {
  const SearchMesh& mesh = task.mesh;
  const std::size_t points = mesh.points();
  const std::size_t numbers = static_cast<std::size_t>(mesh.size.x / 2 + 1) * static_cast<std::size_t>(mesh.size.y) *
                              static_cast<std::size_t>(mesh.size.z);
  const std::size_t batch = search_batch(mesh, task.turns.size());
  Stream stream(device);
  const auto atoms = DeviceArray<SpreadAtom>::from_host(spread_atoms(task), stream, "atoms of a search");
  const auto turns = DeviceArray<Turn>::from_host(turn_matrices(task.turns), stream, "turns");
  DeviceArray<float> meshes(batch * points, stream, "meshes of a search");
  DeviceArray<std::complex<float>> spectra(batch * numbers, stream, "spectra of a search");
  DeviceArray<std::complex<float>> of_map(numbers, stream, "spectrum of the map");
  BestTurns best;
  best.scores.assign(mesh.grid.size(), std::numeric_limits<float>::lowest());
  best.turns.assign(mesh.grid.size(), BestTurns::none);
  auto scores = DeviceArray<float>::from_host(best.scores, stream, "scores of places");
  auto found = DeviceArray<std::uint32_t>::from_host(best.turns, stream, "turns of places");
  CudaFft fft(stream);
  {
    const auto map = DeviceArray<float>::from_host(task.map, stream, "map of a search");
    fft.forward(mesh.size, map.data(), of_map.data());
  }
  SpreadMesh spread{};
  Places places{};
  for (int axis = 0; axis < 3; ++axis) {
    spread.size[axis] = places.size[axis] = mesh.size[axis];
    spread.per_step[axis] = static_cast<float>(1 / mesh.grid.step[axis][axis]);
    places.counts[axis] = mesh.grid.counts[axis];
  }
  spread.points = places.points = static_cast<unsigned>(points);
  places.number = static_cast<unsigned>(mesh.grid.size());
  double weight = 0, sizes = 0;
  for (const double w : task.weights) {
    weight += w;
    sizes += std::abs(w);
  }
  const auto scale = static_cast<float>(sizes / weight / static_cast<double>(points));
  const std::size_t batches = (task.turns.size() + batch - 1) / batch;
  for_slices(batches, 4, stream, job, "turns and shifts", [&](std::size_t begin, std::size_t count) {
    for (std::size_t b = begin; b < begin + count; ++b) {
      const std::size_t first = b * batch, own = std::min(batch, task.turns.size() - first);
      const auto rows = static_cast<unsigned>(own);
      cuda_check(cuda_api().set_bytes(meshes.data(), 0, meshes.size() * sizeof(float), stream.handle()),
                 "meshes of a search");
      launch("search of a map: model", stream, spread_kernel,
             {static_cast<unsigned>((atoms.size() + threads - 1) / threads), rows}, {threads}, spread, atoms.data(),
             atoms.size(), turns.data() + first, reinterpret_cast<int*>(meshes.data()));
      launch("search of a map: numbers", stream, number_kernel, blocks_for(meshes.size(), threads), {threads},
             meshes.data(), meshes.size());
      fft.forward(mesh.size, meshes.data(), spectra.data(), static_cast<int>(batch));
      launch("search of a map: product", stream, correlate_kernel,
             {static_cast<unsigned>((numbers + threads - 1) / threads), static_cast<unsigned>(batch)}, {threads},
             reinterpret_cast<const float2*>(of_map.data()), numbers, reinterpret_cast<float2*>(spectra.data()));
      fft.backward(mesh.size, spectra.data(), meshes.data(), static_cast<int>(batch));
      launch("search of a map: best", stream, best_kernel, {(places.number + 31) / 32}, {threads}, places,
             meshes.data(), own, first, scale, scores.data(), found.data());
    }
  });
  stream.synchronize("search of a map");
  best.scores = scores.copy_to_host();
  best.turns = found.copy_to_host();
  return best;
}

}  // namespace isolume
