// Marching cubes on the CPU: one bit a point, popcounts instead of passes over cells, layers in parallel.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/isosurface/marching_cubes_body.h"
#include "compute/isosurface/marching_cubes_layers.h"

namespace isolume {

namespace {

class CpuBody final : public MarchingCubes::Body {
 public:
  void reset(ConstValues volume, const IsoGrid& grid) override {
    volume_ = volume;
    g_ = grid;
  }

  SurfaceCounts count(Job& job) override {
    make_room();
    {
      const PhaseTimer timer("isosurface: classify");
      const auto* values = static_cast<const std::byte*>(volume_.data);
      parallel_for(static_cast<std::size_t>(g_.nz), job, "isosurface", [&](std::size_t layer) {
        const int k = static_cast<int>(layer);
        const std::size_t first = g_.index(0, 0, k) * value_bytes(volume_.element);
        classify_layer(values + first, volume_.element, g_, &bits_[g_.word(0, 0, k)]);
      });
    }
    const PhaseTimer timer("isosurface: count");
    parallel_for(layer_total_.size(), job, "isosurface", [&](std::size_t layer) {
      const int k = static_cast<int>(layer);
      layer_total_[layer] = count_layer(g_, bits_.data(), k, &vertex_start_[g_.word(0, 0, k)],
                                        &triangle_start_[static_cast<std::size_t>(g_.ny) * layer]);
    });
    SurfaceCounts sum;
    SurfaceCounts own;
    for (std::size_t k = 0; k < layer_total_.size(); ++k) {
      layer_start_[k] = sum;
      sum.vertices += layer_total_[k].vertices;
      sum.triangles += layer_total_[k].triangles;
      if (k < static_cast<std::size_t>(g_.own)) own = sum;
    }
    return own;
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour& by,
            Span<glm::u8vec4> colours, Job& job) override {
    const IsoLayers layers{bits_.data(), vertex_start_.data(), triangle_start_.data(), layer_start_.data(),
                           layer_total_.data()};
    const IsoVertices to{positions.data, normals.data, colours.empty() ? nullptr : colours.data, &by};
    const PhaseTimer timer("isosurface: fill");
    parallel_for(static_cast<std::size_t>(g_.own), job, "isosurface", [&](std::size_t layer) {
      const int k = static_cast<int>(layer);
      if (layer_total_[layer].vertices > 0) fill_vertices(volume_.data, volume_.element, g_, layers, k, to);
      if (layer_total_[layer].triangles > 0) fill_triangles(g_, layers, k, triangles.data);
    });
  }

 private:
  void make_room() {
    const auto layers = static_cast<std::size_t>(g_.numbered);
    const std::size_t words = g_.word(0, 0, g_.nz) + iso_bits_behind;
    const std::size_t rows = static_cast<std::size_t>(g_.ny) * layers;
    if (bits_.capacity() < words || triangle_start_.capacity() < rows) {
      require_memory((words * 2 + rows) * sizeof(std::uint32_t), Device::cpu(), "isosurface");
    }
    bits_.resize(words);
    vertex_start_.resize(words);
    triangle_start_.resize(rows);
    layer_total_.resize(layers);
    layer_start_.resize(layers);
  }

  ConstValues volume_;
  IsoGrid g_;
  // As IsoLayers has them.
  std::vector<std::uint32_t> bits_;
  std::vector<std::uint32_t> vertex_start_;
  std::vector<std::uint32_t> triangle_start_;
  std::vector<SurfaceCounts> layer_total_;
  std::vector<SurfaceCounts> layer_start_;
};

}  // namespace

std::unique_ptr<MarchingCubes::Body> marching_cubes_cpu(Storage) {
  return std::make_unique<CpuBody>();
}

}  // namespace isolume
