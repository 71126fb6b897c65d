// Marching cubes on CUDA: what is launched, and the memory that is kept between volumes.
#include "compute/base/kept_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/memory.h"
#include "compute/base/slices.h"
#include "compute/isosurface/marching_cubes_body.h"
#include "compute/isosurface/marching_cubes_fill.cuh"

namespace isolume {

namespace {

constexpr std::size_t first_slice = std::size_t{1} << 22;

template <class T>
class CudaBody final : public MarchingCubes::Body {
 public:
  explicit CudaBody(Device on) { device = on; }

  void reset(ConstValues volume, const IsoGrid& grid) override {
    volume_ = static_cast<const T*>(volume.data);
    g_ = grid;
    all_words_ = g_.word(0, 0, g_.nz);
    words_ = g_.word(0, 0, g_.numbered);
    blocks_ = (words_ + block_words - 1) / block_words;
  }

  SurfaceCounts count(Job& job) override {
    Stream stream(device);
    put_count(stream, job);
    stream.synchronize("isosurface: count");
    return finish();
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour& by,
            Span<glm::u8vec4> colours, Job& job) override {
    Stream stream(device);
    put_fill(positions, normals, triangles, by, colours, stream, job);
    stream.synchronize("isosurface: fill");
  }

  bool can_start() const override { return !in_slabs; }

  void start(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour& by,
             Span<glm::u8vec4> colours, Stream& stream, Job& job) override {
    put_count(stream, job);
    put_fill(positions, normals, triangles, by, colours, stream, job);
  }

  SurfaceCounts finish() override {
    const Numbers* totals = totals_.data();
    return {static_cast<std::size_t>(totals->vertices), static_cast<std::size_t>(totals->triangles)};
  }

 private:
  void put_count(Stream& stream, Job& job) {
    allocate();
    if (counting_) {
      // One that was cancelled between its launches, or failed.
      cuda_check(cuda_api().set_bytes(finished_.data(), 0, sizeof(unsigned), stream.handle()), "isosurface: count");
    }
    counting_ = true;
    const CountMemory memory{before_.data(),   block_counts_.data(),           block_starts_.data(),  totals_.data(),
                             finished_.data(), static_cast<unsigned>(blocks_), g_.word(0, 0, g_.own), words_};
    const bool fours = g_.nx % 4 == 0 && reinterpret_cast<std::uintptr_t>(volume_) % (4 * sizeof(T)) == 0;
    for_slices(all_words_, first_slice, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: classify", stream, fours ? classify_four_kernel<T> : classify_kernel<T>,
             blocks_for(n, block_words / 32 * (fours ? words_per_warp_of_fours : words_per_warp)), {block_words}, g_,
             volume_, begin, begin + n, bits_.data());
    });
    for_slices(blocks_, first_slice / block_words, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: count", stream, count_kernel, {static_cast<unsigned>(n)}, {block_words}, g_, bits_.data(),
             table_.data(), begin * block_words, std::min(words_, (begin + n) * block_words), memory);
    });
    counting_ = false;
  }

  void put_fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour& by,
                Span<glm::u8vec4> colours, Stream& stream, Job& job) {
    const MeshMemory mesh{reinterpret_cast<float*>(positions.data),
                          reinterpret_cast<float*>(normals.data),
                          reinterpret_cast<std::uint32_t*>(triangles.data),
                          colours.empty() ? nullptr : reinterpret_cast<uchar4*>(colours.data),
                          positions.size,
                          triangles.size};
    const Numbering numbering{bits_.data(), before_.data(), block_counts_.data(), block_starts_.data()};
    const std::size_t parts = blocks_ * fill_parts;
    for_slices(parts, first_slice / fill_words, stream, job, "isosurface", [&](std::size_t begin, std::size_t n) {
      launch("isosurface: fill", stream, fill_kernel<T>, {static_cast<unsigned>(n)}, {fill_threads}, g_, volume_,
             numbering, table_.data(), words_, begin, by, mesh);
    });
  }

  void allocate() {
    const bool fits = bits_.capacity() >= all_words_ && before_.capacity() >= words_ &&
                      block_counts_.capacity() >= blocks_ + number_items && block_starts_.capacity() >= blocks_;
    if (fits && !table_.empty()) return;
    const std::size_t bytes = (all_words_ + words_) * sizeof(std::uint32_t) +
                              blocks_ * (sizeof(std::uint32_t) + sizeof(uint2)) + sizeof(CaseTable);
    require_memory(bytes + bytes / 8, device, "isosurface");
    if (table_.empty()) table_ = DeviceArray<CaseTable>::from_host(std::span(&case_table(), 1), device, "isosurface");
    bits_.room(all_words_, device, "isosurface");
    before_.room(words_, device, "isosurface");
    block_counts_.room(blocks_ + number_items, device, "isosurface");
    block_starts_.room(blocks_, device, "isosurface");
    Numbers* totals = totals_.room(1, device, "isosurface");
    *totals = {0, 0};
    finished_.room(1, device, "isosurface");
    counting_ = true;
  }

  const T* volume_ = nullptr;
  IsoGrid g_;
  std::size_t all_words_ = 0;  ///< with those of the last layer, which only tells of crossings
  std::size_t words_ = 0;      ///< that are numbered
  std::size_t blocks_ = 0;     ///< of words
  KeptArray<std::uint32_t> bits_;
  KeptArray<std::uint32_t> before_;        ///< of each word in its block, packed
  KeptArray<std::uint32_t> block_counts_;  ///< packed, and room behind the last
  KeptArray<uint2> block_starts_;          ///< first vertex and triangle
  PinnedArray<Numbers> totals_;
  KeptArray<unsigned> finished_;  ///< blocks of words that are counted; 0 unless
  bool counting_ = true;          ///< counting was begun and not ended
  DeviceArray<CaseTable> table_;
};

}  // namespace

std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Storage element, Device device) {
  if (element == Storage::half) return std::make_unique<CudaBody<Half>>(device);
  if (element == Storage::unorm8) return std::make_unique<CudaBody<Unorm8>>(device);
  return std::make_unique<CudaBody<float>>(device);
}

}  // namespace isolume
