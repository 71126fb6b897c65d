// Marching cubes on CUDA: classify by ballot, count by word, scan, fill by warp.
#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/potential/launch.cuh"
#include "compute/slices.h"

namespace isolume {

namespace {

constexpr unsigned block_size = 256;
constexpr unsigned words_per_block = block_size / 32;  // where a warp has a word
constexpr std::size_t first_slice = std::size_t{1} << 22;

struct WordPlace {
  int w, j, k;
  __device__ WordPlace(const IsoGrid& g, std::size_t word) {
    const auto words = static_cast<std::size_t>(g.words);
    const auto ny = static_cast<std::size_t>(g.ny);
    w = static_cast<int>(word % words);
    j = static_cast<int>(word / words % ny);
    k = static_cast<int>(word / words / ny);
  }
};

/// A warp a word, a lane a point.
__global__ void classify_kernel(IsoGrid g, const float* __restrict__ volume, std::size_t first, std::size_t end,
                                std::uint32_t* bits) {
  const std::size_t word = first + static_cast<std::size_t>(blockIdx.x) * words_per_block + threadIdx.x / 32;
  if (word >= end) return;
  const WordPlace at(g, word);
  const int i = 32 * at.w + static_cast<int>(threadIdx.x % 32);
  const bool inside = i < g.nx && g.inside(volume[g.index(i, at.j, at.k)]);
  const unsigned votes = __ballot_sync(~0u, inside);
  if (threadIdx.x % 32 == 0) bits[word] = votes;
}

__device__ unsigned warp_sum(unsigned value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(~0u, value, static_cast<unsigned>(distance));
  return value;  // in lane 0
}

/// A thread a word; `totals` are the sums of vertices and triangles in 64 bits.
__global__ void count_kernel(IsoGrid g, const std::uint32_t* __restrict__ bits, const CaseTable* __restrict__ table,
                             std::size_t first, std::size_t end, std::uint32_t* vertices, std::uint32_t* triangles,
                             unsigned long long* totals) {
  const std::size_t word = first + static_cast<std::size_t>(blockIdx.x) * block_size + threadIdx.x;
  unsigned vertex_count = 0;
  unsigned triangle_count = 0;
  if (word < end) {
    const WordPlace at(g, word);
    vertex_count = static_cast<unsigned>(CrossedEdges(g, bits, at.w, at.j, at.k).count());
    if (at.j + 1 < g.ny && at.k + 1 < g.nz) {
      const CellCorners corners(g, bits, at.w, at.j, at.k);
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        triangle_count += table->triangle_count[corners.case_of(lowest_bit(rest))];
      }
    }
    vertices[word] = vertex_count;
    triangles[word] = triangle_count;
  }
  const unsigned warp_vertices = warp_sum(vertex_count);
  const unsigned warp_triangles = warp_sum(triangle_count);
  if (threadIdx.x % 32 == 0 && (warp_vertices | warp_triangles) != 0) {
    atomicAdd(totals, static_cast<unsigned long long>(warp_vertices));
    atomicAdd(totals + 1, static_cast<unsigned long long>(warp_triangles));
  }
}

/// Where the mesh is written: tightly packed triples, RGBA bytes or null.
struct MeshMemory {
  float* positions;
  float* normals;
  std::uint32_t* triangles;
  const float* colour_volume;
  std::uint8_t* colours;
};

/// A warp a word: lane n makes the vertices on the edges of point n and the triangles of cell n.
__global__ void fill_kernel(IsoGrid g, const float* __restrict__ volume, const std::uint32_t* __restrict__ bits,
                            const CaseTable* __restrict__ table, const std::uint32_t* __restrict__ vertex_start,
                            const std::uint32_t* __restrict__ triangle_start, std::size_t first, std::size_t end,
                            MeshMemory mesh) {
  const std::size_t word = first + static_cast<std::size_t>(blockIdx.x) * words_per_block + threadIdx.x / 32;
  if (word >= end) return;
  const WordPlace at(g, word);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int i = 32 * at.w + lane;
  const CrossedEdges crossed(g, bits, at.w, at.j, at.k);
  std::size_t start = vertex_start[word];
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint32_t along = crossed.along[axis];
    if (along >> lane & 1u) {
      const std::size_t to = start + static_cast<std::size_t>(bit_count(along & ((1u << lane) - 1u)));
      const IsoVertex v = iso_vertex(g, volume, axis, i, at.j, at.k);
      for (int c = 0; c < 3; ++c) {
        mesh.positions[3 * to + static_cast<std::size_t>(c)] = v.position[c];
        mesh.normals[3 * to + static_cast<std::size_t>(c)] = v.normal[c];
      }
      if (mesh.colours) {
        const std::size_t a = g.index(i, at.j, at.k);
        const std::size_t b = g.index(i + (axis == 0), at.j + (axis == 1), at.k + (axis == 2));
        for (std::size_t c = 0; c < 3; ++c) {
          const float from = mesh.colour_volume[3 * a + c];
          mesh.colours[4 * to + c] = colour_byte(from + v.along * (mesh.colour_volume[3 * b + c] - from));
        }
        mesh.colours[4 * to + 3] = 255;
      }
    }
    start += static_cast<std::size_t>(bit_count(along));
  }
  if (at.j + 1 >= g.ny || at.k + 1 >= g.nz) return;  // all lanes alike
  const CellCorners corners(g, bits, at.w, at.j, at.k);
  if (corners.mixed == 0) return;
  const bool mixed = corners.mixed >> lane & 1u;
  const int which = mixed ? corners.case_of(lane) : 0;
  const int count = table->triangle_count[which];
  int before = count;  // inclusive sum over the lanes
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(~0u, before, static_cast<unsigned>(distance));
    if (lane >= distance) before += other;
  }
  std::size_t to = static_cast<std::size_t>(triangle_start[word]) + static_cast<std::size_t>(before - count);
  for (int n = 0; n < count; ++n, ++to) {
    std::uint32_t ids[3];
    for (int c = 0; c < 3; ++c) {
      ids[c] = edge_vertex(g, bits, vertex_start, table->edges[which][3 * n + c], i, at.j, at.k);
    }
    mesh.triangles[3 * to] = ids[0];
    mesh.triangles[3 * to + 1] = ids[g.mirrored ? 2 : 1];
    mesh.triangles[3 * to + 2] = ids[g.mirrored ? 1 : 2];
  }
}

class CudaBody final : public MarchingCubes::Body {
 public:
  CudaBody(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options)
      : volume_(volume), g_(iso_grid(grid, options.isovalue, options.inside_above)) {}

  SurfaceCounts count(Job& job) override {
    const Device device = volume_.device;
    const std::size_t words = g_.word(0, 0, g_.nz);
    require_memory(words * 6 * sizeof(std::uint32_t), device, "isosurface");
    bits_ = DeviceArray<std::uint32_t>(words, device, "isosurface");
    vertex_start_ = DeviceArray<std::uint32_t>(words, device, "isosurface");
    triangle_start_ = DeviceArray<std::uint32_t>(words, device, "isosurface");
    Stream stream(device);
    table_ = DeviceArray<CaseTable>::from_host(std::span(&case_table(), 1), device, "isosurface");
    DeviceArray<std::uint32_t> vertices(words, stream, "isosurface");
    DeviceArray<std::uint32_t> triangles(words, stream, "isosurface");
    DeviceArray<unsigned long long> totals(2, stream, "isosurface");
    cuda_check(cuda_api().set_bytes(totals.data(), 0, 2 * sizeof(unsigned long long), stream.handle()), "isosurface");
    for_slices(words, first_slice, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: classify", stream, classify_kernel, blocks_for(n, words_per_block), {block_size}, g_,
             volume_.data, begin, begin + n, bits_.data());
    });
    for_slices(words, first_slice, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: count", stream, count_kernel, blocks_for(n, block_size), {block_size}, g_, bits_.data(),
             table_.data(), begin, begin + n, vertices.data(), triangles.data(), totals.data());
    });
    scan(vertices, vertex_start_, stream);
    scan(triangles, triangle_start_, stream);
    const std::vector<unsigned long long> sums = totals.copy_to_host();
    return {static_cast<std::size_t>(sums[0]), static_cast<std::size_t>(sums[1])};
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
            Span<const glm::vec3> colour_volume, Span<glm::u8vec4> colours, Job& job) override {
    Stream stream(volume_.device);
    const MeshMemory mesh{reinterpret_cast<float*>(positions.data), reinterpret_cast<float*>(normals.data),
                          reinterpret_cast<std::uint32_t*>(triangles.data),
                          reinterpret_cast<const float*>(colour_volume.data),
                          colours.empty() ? nullptr : reinterpret_cast<std::uint8_t*>(colours.data)};
    for_slices(bits_.size(), first_slice, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: fill", stream, fill_kernel, blocks_for(n, words_per_block), {block_size}, g_, volume_.data,
             bits_.data(), table_.data(), vertex_start_.data(), triangle_start_.data(), begin, begin + n, mesh);
    });
  }

 private:
  static void scan(const DeviceArray<std::uint32_t>& in, DeviceArray<std::uint32_t>& out, Stream& stream) {
    const LaunchTimer timer("isosurface: number", stream.device().index, stream.handle());
    std::size_t bytes = 0;
    const CudaApi& api = cuda_api();
    cuda_check(api.exclusive_sum(nullptr, &bytes, in.data(), out.data(), in.size(), stream.handle()),
               "isosurface: number");
    DeviceArray<unsigned char> temporary(std::max<std::size_t>(bytes, 1), stream, "isosurface");
    cuda_check(api.exclusive_sum(temporary.data(), &bytes, in.data(), out.data(), in.size(), stream.handle()),
               "isosurface: number");
  }

  Span<const float> volume_;
  IsoGrid g_;
  DeviceArray<std::uint32_t> bits_;
  DeviceArray<std::uint32_t> vertex_start_;
  DeviceArray<std::uint32_t> triangle_start_;
  DeviceArray<CaseTable> table_;
};

}  // namespace

std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Span<const float> volume, const Grid& grid,
                                                         const MarchingCubesOptions& options) {
  return std::make_unique<CudaBody>(volume, grid, options);
}

}  // namespace isolume
