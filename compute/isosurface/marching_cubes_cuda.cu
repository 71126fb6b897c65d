// Marching cubes on CUDA: classify by ballot, count by word, number by block, then a thread a vertex and a triangle.
#include <cub/block/block_scan.cuh>

#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/potential/launch.cuh"
#include "compute/slices.h"

namespace isolume {

namespace {

constexpr unsigned block_words = 256;  // words that a block counts and fills, and its threads
constexpr unsigned words_per_warp = 8;
constexpr unsigned number_threads = 512;
constexpr unsigned number_items = 8;
constexpr unsigned list_length = 2048;
constexpr std::size_t first_slice = std::size_t{1} << 22;

struct WordPlace {
  int w, j, k;
  __device__ WordPlace(const IsoGrid& g, std::size_t word) {
    if (word >> 32 == 0) {
      const auto row = static_cast<unsigned>(word) / static_cast<unsigned>(g.words);
      w = static_cast<int>(static_cast<unsigned>(word) - row * static_cast<unsigned>(g.words));
      j = static_cast<int>(row % static_cast<unsigned>(g.ny));
      k = static_cast<int>(row / static_cast<unsigned>(g.ny));
    } else {
      const std::size_t row = word / static_cast<std::size_t>(g.words);
      w = static_cast<int>(word % static_cast<std::size_t>(g.words));
      j = static_cast<int>(row % static_cast<std::size_t>(g.ny));
      k = static_cast<int>(row / static_cast<std::size_t>(g.ny));
    }
  }
};

/// A warp makes several words, a lane a point of each; all are read before the first is used.
__global__ void __launch_bounds__(block_words)
    classify_kernel(IsoGrid g, const float* __restrict__ volume, std::size_t first, std::size_t end,
                    std::uint32_t* bits) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::size_t warp = static_cast<std::size_t>(blockIdx.x) * (block_words / 32) + threadIdx.x / 32;
  const std::size_t word = first + warp * words_per_warp;
  if (word >= end) return;
  WordPlace at(g, word);
  std::size_t row = g.index(0, at.j, at.k);
  float value[words_per_warp];
  bool exists[words_per_warp];
#pragma unroll
  for (unsigned n = 0; n < words_per_warp; ++n) {
    const int i = 32 * at.w + lane;
    exists[n] = word + n < end && i < g.nx;
    value[n] = exists[n] ? __ldg(volume + row + i) : 0.0f;
    if (++at.w == g.words) {
      // Rows follow each other without a gap.
      at.w = 0;
      row += static_cast<std::size_t>(g.nx);
    }
  }
  unsigned mine = 0;
#pragma unroll
  for (unsigned n = 0; n < words_per_warp; ++n) {
    const unsigned votes = __ballot_sync(~0u, exists[n] && g.inside(value[n]));
    if (lane == static_cast<int>(n)) mine = votes;
  }
  if (lane < static_cast<int>(words_per_warp) && word + static_cast<unsigned>(lane) < end) {
    bits[word + static_cast<unsigned>(lane)] = mine;
  }
}

/// Vertices (low half) and triangles (high half) of up to block_words words: 96 and 160 a word at most.
struct BlockCounts {
  static __device__ unsigned vertices(unsigned packed) { return packed & 0xffffu; }
  static __device__ unsigned triangles(unsigned packed) { return packed >> 16; }
};

/// A thread a word: what comes before it in its block, and the sums of the blocks.
__global__ void __launch_bounds__(block_words)
    count_kernel(IsoGrid g, const std::uint32_t* __restrict__ bits, const CaseTable* __restrict__ table,
                 std::size_t first, std::size_t end, std::uint32_t* before, std::uint32_t* block_counts) {
  using Scan = cub::BlockScan<unsigned, block_words>;
  __shared__ typename Scan::TempStorage memory;
  const std::size_t word = first + static_cast<std::size_t>(blockIdx.x) * block_words + threadIdx.x;
  unsigned mine = 0;
  if (word < end) {
    const WordPlace at(g, word);
    mine = static_cast<unsigned>(CrossedEdges(g, bits, at.w, at.j, at.k).count());
    if (at.j + 1 < g.ny && at.k + 1 < g.nz) {
      const CellCorners corners(g, bits, at.w, at.j, at.k);
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        mine += static_cast<unsigned>(table->triangle_count[corners.case_of(lowest_bit(rest))]) << 16;
      }
    }
  }
  unsigned place = 0;
  unsigned all = 0;
  Scan(memory).ExclusiveSum(mine, place, all);
  if (word < end) before[word] = place;
  if (threadIdx.x == 0) block_counts[word / block_words] = all;
}

/// Vertices and triangles before a block, and of all.
struct Numbers {
  unsigned long long vertices, triangles;
  __device__ friend Numbers operator+(Numbers a, Numbers b) {
    return {a.vertices + b.vertices, a.triangles + b.triangles};
  }
};

/// One block: the first vertex and triangle of every block of words; `totals` are the sums.
__global__ void __launch_bounds__(number_threads, 1)
    number_kernel(const std::uint32_t* __restrict__ block_counts, unsigned blocks, uint2* __restrict__ block_starts,
                  Numbers* totals) {
  using Scan = cub::BlockScan<Numbers, number_threads>;
  __shared__ typename Scan::TempStorage memory;
  Numbers carried{0, 0};
  for (unsigned begin = 0; begin < blocks; begin += number_threads * number_items) {
    Numbers items[number_items];
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const unsigned block = begin + threadIdx.x * number_items + n;
      const unsigned packed = block < blocks ? block_counts[block] : 0u;
      items[n] = {BlockCounts::vertices(packed), BlockCounts::triangles(packed)};
    }
    Numbers all{0, 0};
    Scan(memory).ExclusiveScan(
        items, items, Numbers{0, 0}, [](Numbers a, Numbers b) { return a + b; }, all);
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const unsigned block = begin + threadIdx.x * number_items + n;
      const Numbers start = carried + items[n];
      if (block < blocks) {
        block_starts[block] = {static_cast<unsigned>(start.vertices), static_cast<unsigned>(start.triangles)};
      }
    }
    carried = carried + all;
    __syncthreads();
  }
  if (threadIdx.x == 0) *totals = carried;
}

/// What counting leaves for filling.
struct Numbering {
  const std::uint32_t* bits;
  const std::uint32_t* before;
  const std::uint32_t* block_counts;
  const uint2* block_starts;

  __device__ std::uint32_t operator()(std::size_t word) const {
    return __ldg(&block_starts[word / block_words].x) + BlockCounts::vertices(__ldg(before + word));
  }
};

/// Where the mesh is written: tightly packed triples, RGBA bytes or null.
struct MeshMemory {
  float* positions;
  float* normals;
  std::uint32_t* triangles;
  const float* colour_volume;
  std::uint8_t* colours;
};

__device__ void make_vertex(const IsoGrid& g, const float* __restrict__ volume, const MeshMemory& mesh, int axis, int i,
                            int j, int k, std::size_t to) {
  const IsoVertex v = iso_vertex(g, volume, axis, i, j, k);
  for (std::size_t c = 0; c < 3; ++c) {
    mesh.positions[3 * to + c] = v.position[c];
    mesh.normals[3 * to + c] = v.normal[c];
  }
  if (!mesh.colours) return;
  const float* a = mesh.colour_volume + 3 * g.index(i, j, k);
  const float* b = mesh.colour_volume + 3 * g.index(i + (axis == 0), j + (axis == 1), k + (axis == 2));
  std::uint8_t colour[3];
  for (int c = 0; c < 3; ++c) colour[c] = colour_byte(a[c] + v.along * (b[c] - a[c]));
  reinterpret_cast<uchar4*>(mesh.colours)[to] = make_uchar4(colour[0], colour[1], colour[2], 255);
}

/// A block fills what its words hold: lists it by word, then takes a thread a vertex, and a thread a triangle.
__global__ void __launch_bounds__(block_words, 4)
    fill_kernel(IsoGrid g, const float* __restrict__ volume, Numbering numbering, const CaseTable* __restrict__ table,
                std::size_t words, std::size_t first_block, MeshMemory mesh) {
  __shared__ std::uint32_t list[list_length];
  __shared__ int3 places[block_words];
  const std::size_t block = first_block + blockIdx.x;
  const unsigned counts = numbering.block_counts[block];
  if (counts == 0) return;
  const unsigned vertices = BlockCounts::vertices(counts);
  const unsigned triangles = BlockCounts::triangles(counts);
  const uint2 start = numbering.block_starts[block];
  const unsigned t = threadIdx.x;
  const std::size_t word = block * block_words + t;
  const bool exists = word < words;
  const WordPlace at(g, exists ? word : 0);
  places[t] = {at.w, at.j, at.k};
  const unsigned before = exists ? numbering.before[word] : 0u;

  for (unsigned begin = 0; begin < vertices; begin += list_length) {
    if (exists) {
      // An entry: word, axis, bit.
      const CrossedEdges crossed(g, numbering.bits, at.w, at.j, at.k);
      unsigned place = BlockCounts::vertices(before) - begin;
      for (unsigned axis = 0; axis < 3; ++axis) {
        for (std::uint32_t rest = crossed.along[axis]; rest != 0; rest &= rest - 1, ++place) {
          if (place < list_length) list[place] = t << 7 | axis << 5 | static_cast<unsigned>(lowest_bit(rest));
        }
      }
    }
    __syncthreads();
    for (unsigned n = t; n < min(list_length, vertices - begin); n += block_words) {
      const unsigned entry = list[n];
      const int3 p = places[entry >> 7];
      make_vertex(g, volume, mesh, static_cast<int>(entry >> 5 & 3u), 32 * p.x + static_cast<int>(entry & 31u), p.y,
                  p.z, std::size_t{start.x} + begin + n);
    }
    __syncthreads();
  }

  for (unsigned begin = 0; begin < triangles; begin += list_length) {
    if (exists && at.j + 1 < g.ny && at.k + 1 < g.nz) {
      // An entry: word, bit, case, number in the cell.
      const CellCorners corners(g, numbering.bits, at.w, at.j, at.k);
      unsigned place = BlockCounts::triangles(before) - begin;
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        const int bit = lowest_bit(rest);
        const auto which = static_cast<unsigned>(corners.case_of(bit));
        const unsigned entry = t << 16 | static_cast<unsigned>(bit) << 11 | which << 3;
        const unsigned count = table->triangle_count[which];
        for (unsigned n = 0; n < count; ++n, ++place) {
          if (place < list_length) list[place] = entry | n;
        }
      }
    }
    __syncthreads();
    for (unsigned n = t; n < min(list_length, triangles - begin); n += block_words) {
      const unsigned entry = list[n];
      const int3 p = places[entry >> 16];
      const std::uint8_t* edges = table->edges[entry >> 3 & 255u] + 3 * (entry & 7u);
      std::uint32_t ids[3];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        ids[c] = edge_vertex(g, numbering.bits, numbering, edges[c], 32 * p.x + static_cast<int>(entry >> 11 & 31u),
                             p.y, p.z);
      }
      std::uint32_t* to = mesh.triangles + 3 * (std::size_t{start.y} + begin + n);
      to[0] = ids[0];
      to[1] = g.mirrored ? ids[2] : ids[1];
      to[2] = g.mirrored ? ids[1] : ids[2];
    }
    __syncthreads();
  }
}

class CudaBody final : public MarchingCubes::Body {
 public:
  CudaBody(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options)
      : volume_(volume),
        g_(iso_grid(grid, options.isovalue, options.inside_above)),
        words_(g_.word(0, 0, g_.nz)),
        blocks_((words_ + block_words - 1) / block_words) {}

  SurfaceCounts count(Job& job) override {
    allocate();
    Stream stream(volume_.device);
    for_slices(words_, first_slice, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: classify", stream, classify_kernel, blocks_for(n, block_words / 32 * words_per_warp),
             {block_words}, g_, volume_.data, begin, begin + n, bits_.data());
    });
    for_slices(blocks_, first_slice / block_words, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: count", stream, count_kernel, {static_cast<unsigned>(n)}, {block_words}, g_, bits_.data(),
             table_.data(), begin * block_words, std::min(words_, (begin + n) * block_words), before_.data(),
             block_counts_.data());
    });
    launch("isosurface: number", stream, number_kernel, {1}, {number_threads}, block_counts_.data(), blocks_,
           block_starts_.data(), totals_.data());
    Numbers totals{};
    copy_memory(&totals, Device::cpu(), totals_.data(), volume_.device, sizeof(Numbers), stream.handle());
    return {static_cast<std::size_t>(totals.vertices), static_cast<std::size_t>(totals.triangles)};
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
            Span<const glm::vec3> colour_volume, Span<glm::u8vec4> colours, Job& job) override {
    Stream stream(volume_.device);
    const MeshMemory mesh{reinterpret_cast<float*>(positions.data), reinterpret_cast<float*>(normals.data),
                          reinterpret_cast<std::uint32_t*>(triangles.data),
                          reinterpret_cast<const float*>(colour_volume.data),
                          colours.empty() ? nullptr : reinterpret_cast<std::uint8_t*>(colours.data)};
    const Numbering numbering{bits_.data(), before_.data(), block_counts_.data(), block_starts_.data()};
    for_slices(blocks_, first_slice / block_words, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: fill", stream, fill_kernel, {static_cast<unsigned>(n)}, {block_words}, g_, volume_.data,
             numbering, table_.data(), words_, begin, mesh);
    });
    stream.synchronize("isosurface: fill");
  }

 private:
  void allocate() {
    if (!bits_.empty()) return;
    const Device device = volume_.device;
    require_memory(words_ * 2 * sizeof(std::uint32_t) + blocks_ * (sizeof(std::uint32_t) + sizeof(uint2)) +
                       sizeof(CaseTable) + sizeof(Numbers),
                   device, "isosurface");
    table_ = DeviceArray<CaseTable>::from_host(std::span(&case_table(), 1), device, "isosurface");
    before_ = DeviceArray<std::uint32_t>(words_, device, "isosurface");
    block_counts_ = DeviceArray<std::uint32_t>(blocks_, device, "isosurface");
    block_starts_ = DeviceArray<uint2>(blocks_, device, "isosurface");
    totals_ = DeviceArray<Numbers>(1, device, "isosurface");
    bits_ = DeviceArray<std::uint32_t>(words_, device, "isosurface");
  }

  Span<const float> volume_;
  IsoGrid g_;
  std::size_t words_;
  std::size_t blocks_;  ///< of words
  DeviceArray<std::uint32_t> bits_;
  DeviceArray<std::uint32_t> before_;        ///< of each word in its block, packed
  DeviceArray<std::uint32_t> block_counts_;  ///< packed
  DeviceArray<uint2> block_starts_;          ///< first vertex and triangle
  DeviceArray<Numbers> totals_;
  DeviceArray<CaseTable> table_;
};

}  // namespace

std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Span<const float> volume, const Grid& grid,
                                                         const MarchingCubesOptions& options) {
  return std::make_unique<CudaBody>(volume, grid, options);
}

}  // namespace isolume
