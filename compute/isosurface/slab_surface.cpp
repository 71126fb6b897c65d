// Surfaces of volumes in slabs: three layers of each are kept for the next, so that no layer is computed twice a pass.
#include "compute/isosurface/slab_surface.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "compute/base/kept_array.h"
#include "compute/base/memory.h"
#include "compute/isosurface/marching_cubes_body.h"

namespace isolume {

namespace {

constexpr int kept = 3;  // layers of a slab that the next one needs: one for slopes, two whose vertices wait for it

std::size_t layer_points(const Grid& grid) {
  return static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
}

class SlabBody final : public MarchingCubes::Body {
 public:
  SlabBody(SlabVolume volume, const MarchingCubesOptions& options) : v_(std::move(volume)), options_(options) {
    device = v_.device;
    element = v_.element;
  }

  void reset(ConstValues, const IsoGrid&) override {}

  SurfaceCounts count(Job& job) override {
    starts_.assign(1, {});
    each_slab(job, [&](SurfaceSlab slab, const ConstValues& values, const ConstColours&) {
      const SurfaceCounts counts = count_slab(slab, values, job);
      starts_.push_back({starts_.back().vertices + counts.vertices, starts_.back().triangles + counts.triangles});
    });
    return starts_.back();
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour&,
            Span<glm::u8vec4> colours, Job& job) override {
    std::size_t number = 0;
    each_slab(job, [&](SurfaceSlab slab, const ConstValues& values, const ConstColours& by) {
      const SurfaceCounts start = starts_[number];
      const SurfaceCounts end = starts_[++number];
      slab.first_vertex = static_cast<std::uint32_t>(start.vertices);
      const SurfaceCounts counts = count_slab(slab, values, job);
      if (counts.vertices != end.vertices - start.vertices || counts.triangles != end.triangles - start.triangles) {
        throw Error("isosurface: the volume changed between counting and filling");
      }
      const auto vertices = [&](auto span) {
        using S = decltype(span);
        return span.empty() ? span : S(span.data + start.vertices, counts.vertices, span.device);
      };
      cubes_->fill(vertices(positions), vertices(normals),
                   {triangles.data + start.triangles, counts.triangles, triangles.device}, by, vertices(colours), job);
    });
  }

 private:
  SurfaceCounts count_slab(const SurfaceSlab& slab, const ConstValues& values, Job& job) {
    if (cubes_) {
      cubes_->reset(values, v_.grid, options_, slab);
    } else {
      cubes_ = std::make_unique<MarchingCubes>(values, v_.grid, options_, slab);
    }
    return cubes_->count(job);
  }

  /// Computes the volume from below; `visit` gets every slab whose layers are complete.
  template <class Visit>
  void each_slab(Job& job, const Visit& visit) {
    const int all = v_.grid.counts.z;
    const std::size_t points = layer_points(v_.grid);
    const std::size_t room = points * static_cast<std::size_t>(v_.layers + kept);
    const std::size_t value = value_bytes(v_.element);
    const std::size_t colour = colour_bytes(v_.colour_element);
    require_memory(room * (value + (v_.coloured ? colour : 0)), v_.device, "isosurface in slabs");
    std::byte* values = values_.room(room * value, v_.device, "layers of a volume");
    std::byte* colours = v_.coloured ? colours_.room(room * colour, v_.device, "colours of layers") : nullptr;
    for (int begin = 0; begin < all; begin += v_.layers) {
      job.check();
      const int count = std::min(v_.layers, all - begin);
      const std::size_t fresh = points * static_cast<std::size_t>(count);
      const std::size_t before = points * kept;
      v_.source({begin, count}, {values + before * value, fresh, v_.device, v_.element},
                v_.coloured ? Colours{colours + before * colour, fresh, v_.device, v_.colour_element} : Colours{}, job);
      const bool last = begin + count == all;
      SurfaceSlab slab;
      slab.first = begin == 0 ? 0 : begin - (kept - 1);
      slab.count = (last ? all : begin + count - (kept - 1)) - slab.first;
      slab.volume_first = begin == 0 ? 0 : begin - kept;
      slab.volume_count = begin + count - slab.volume_first;
      const std::size_t skipped = begin == 0 ? before : 0;
      const std::size_t size = points * static_cast<std::size_t>(slab.volume_count);
      visit(
          slab, ConstValues{values + skipped * value, size, v_.device, v_.element},
          v_.coloured ? ConstColours{colours + skipped * colour, size, v_.device, v_.colour_element} : ConstColours{});
      if (last) break;
      copy_memory(values, v_.device, values + fresh * value, v_.device, before * value);
      if (v_.coloured) copy_memory(colours, v_.device, colours + fresh * colour, v_.device, before * colour);
      job.progress(static_cast<double>(begin + count) / all, "isosurface in slabs");
    }
  }

  SlabVolume v_;
  MarchingCubesOptions options_;
  std::unique_ptr<MarchingCubes> cubes_;
  std::vector<SurfaceCounts> starts_;
  KeptArray<std::byte> values_, colours_;
};

}  // namespace

MarchingCubes marching_cubes_in_slabs(SlabVolume volume, const MarchingCubesOptions& options) {
  if (volume.layers < density_layer_step || volume.layers % density_layer_step != 0) {
    throw Error(
        fmt::format("isosurface: slabs of {} layers; a multiple of {} is needed", volume.layers, density_layer_step),
        Error::Kind::usage);
  }
  if (!std::isfinite(options.isovalue)) throw Error("isosurface: the isovalue is not a number", Error::Kind::usage);
  return MarchingCubes(std::make_unique<SlabBody>(std::move(volume), options));
}

std::size_t slab_memory(const Grid& grid, Device device, int layers, Storage element, bool coloured,
                        Storage colour_element) {
  const std::size_t room = layer_points(grid) * static_cast<std::size_t>(layers + kept);
  const std::size_t volume = room * (value_bytes(element) + (coloured ? colour_bytes(colour_element) : 0));
  return volume + volume / 8 + marching_cubes_memory(grid, device, layers + kept);
}

int layers_that_fit(const SlabVolume& volume, std::size_t bytes, const std::function<std::size_t(int)>& workspace) {
  const int all = volume.grid.counts.z;
  const auto fits = [&](int layers) {
    return slab_memory(volume.grid, volume.device, layers, volume.element, volume.coloured, volume.colour_element) +
               workspace(layers) <=
           bytes;
  };
  if (fits(all)) return all;
  int low = 0;  // in steps, what fits
  int high = all / density_layer_step + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (fits(middle * density_layer_step) ? low : high) = middle;
  }
  return low * density_layer_step;
}

}  // namespace isolume
