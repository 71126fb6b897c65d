// Surfaces in tiles: runs of sixteen layers of vertices, and the three layers more that their cells and slopes need.
#include "compute/isosurface/surface_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/base/job_part.h"
#include "compute/base/kept_array.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int step = density_layer_step;

// A part has the vertices of `step` layers behind its first; the first part those of layer 0 too. So the layer before
// its own, which slopes need, is one at which a source may begin.
std::size_t parts_of(const Grid& grid) {
  return static_cast<std::size_t>(std::max(1, (grid.counts.z + step - 2) / step));
}

SurfaceSlab slab_of(const Grid& grid, Tile tile) {
  SurfaceSlab slab;
  const auto layer = [](std::size_t part) { return static_cast<int>(part) * step; };
  const int end = tile.end == parts_of(grid) ? grid.counts.z : layer(tile.end) + 1;
  slab.first = tile.begin == 0 ? 0 : layer(tile.begin) + 1;
  slab.count = end - slab.first;
  slab.volume_first = layer(tile.begin);
  slab.volume_count = std::min(grid.counts.z, end + 2) - slab.volume_first;
  return slab;
}

std::size_t layer_points(const Grid& grid) {
  return static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
}

void append(Mesh& mesh, Mesh piece) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  add(mesh.positions, piece.positions);
  add(mesh.normals, piece.normals);
  add(mesh.colours, piece.colours);
  for (glm::uvec3& triangle : piece.triangles) triangle += first;
  add(mesh.triangles, piece.triangles);
}

class SurfaceWorker : public TileWorker {
 public:
  SurfaceWorker(const SurfaceTiles& surface, Device device, std::vector<Mesh>& pieces)
      : surface_(surface), device_(device), pieces_(pieces) {}

  std::string name() const override { return to_string(device_); }
  std::size_t most() const override {
    constexpr std::size_t room = std::size_t{1} << 30;
    return std::max<std::size_t>(1, room / (bytes_of(layer_points(surface_.grid)) * step));
  }
  void prepare(Job&) override { source_ = surface_.source(device_); }

  void compute(Tile tile, Job& job) override {
    slab_ = slab_of(surface_.grid, tile);
    const std::size_t points = layer_points(surface_.grid) * static_cast<std::size_t>(slab_.volume_count);
    require_memory((surface_.workspace ? surface_.workspace(slab_.volume_count) : 0) +
                       slab_memory(surface_.grid, device_, slab_.volume_count, surface_.element, surface_.coloured,
                                   surface_.colour_element),
                   device_, surface_.what);
    values_ = Values{values_room_.room(points * value_bytes(surface_.element), device_, surface_.what.c_str()), points,
                     device_, surface_.element};
    Colours colours;
    if (surface_.coloured)
      colours =
          Colours{colours_room_.room(points * colour_bytes(surface_.colour_element), device_, "colours of layers"),
                  points, device_, surface_.colour_element};
    {
      JobPart part(job, 0, 0.8);
      source_({slab_.volume_first, slab_.volume_count}, values_, colours, part);
    }
    JobPart part(job, 0.8, 1);
    const ConstValues made{values_.data, values_.size, values_.device, values_.element};
    MarchingCubes cubes(made, surface_.grid, surface_.options, slab_);
    SurfaceColours by;
    if (surface_.coloured) by = ConstColours{colours.data, colours.size, colours.device, colours.element};
    made_ = marching_cubes(cubes, device_, by, surface_.coloured, part);
  }

  bool right(Tile tile) override {
    const auto finite = [](const glm::vec3& v) { return std::isfinite(v.x + v.y + v.z); };
    if (!std::all_of(made_.positions.begin(), made_.positions.end(), finite)) return false;
    if (!surface_.exact) return true;
    int wrong = 0;
    for (std::size_t i = 0; i < 3; ++i) wrong += value_is_right((tile.begin * 31 + i * 17 + 1) * 7919) ? 0 : 1;
    return wrong < 2;
  }

  void hand_over(Tile tile) override { pieces_[tile.begin] = std::move(made_); }
  bool lost() override { return is_gone(device_); }

 private:
  std::size_t bytes_of(std::size_t points) const {
    return points * (value_bytes(surface_.element) + (surface_.coloured ? colour_bytes(surface_.colour_element) : 0));
  }

  bool value_is_right(std::size_t number) const {
    const std::size_t place = number % values_.size;
    const auto n = static_cast<std::size_t>(surface_.grid.counts.x);
    const std::size_t plane = layer_points(surface_.grid);
    float value = 0;
    copy_memory(&value, Device::cpu(), static_cast<const std::byte*>(values_.data) + place * sizeof(float), device_,
                sizeof(float));
    const double expected =
        surface_.exact(surface_.grid.point(static_cast<int>(place % n), static_cast<int>(place % plane / n),
                                           slab_.volume_first + static_cast<int>(place / plane)));
    return std::abs(static_cast<double>(value) - expected) <= surface_.tolerance * std::max(1.0, std::abs(expected));
  }

  const SurfaceTiles& surface_;
  Device device_;
  std::vector<Mesh>& pieces_;  ///< at the first of the parts that each is of
  LayerSource source_;
  SurfaceSlab slab_;
  KeptArray<std::byte> values_room_, colours_room_;
  Values values_;
  Mesh made_;
};

}  // namespace

Mesh surface_in_tiles(const SurfaceTiles& surface, std::span<const Device> devices, TileReport& report, Job& job) {
  if (surface.exact && surface.element != Storage::float32)
    throw Error(surface.what + ": values that are checked are floats", Error::Kind::usage);
  std::vector<Mesh> pieces(parts_of(surface.grid));
  std::vector<std::unique_ptr<SurfaceWorker>> work;
  std::vector<TileWorker*> workers;
  for (const Device& device : devices) {
    work.push_back(std::make_unique<SurfaceWorker>(surface, device, pieces));
    workers.push_back(work.back().get());
  }
  TilePlan plan;
  plan.parts = pieces.size();
  plan.part = "slab";
  report = run_tiles(plan, workers, surface.what, job);
  work.clear();
  std::size_t vertices = 0, triangles = 0;
  for (const Mesh& piece : pieces) {
    vertices += piece.positions.size();
    triangles += piece.triangles.size();
  }
  if (vertices > 0xffffffffu)
    throw Error(fmt::format("{}: {} vertices are more than an index can number", surface.what, vertices));
  Mesh mesh;
  mesh.positions.reserve(vertices);
  mesh.normals.reserve(vertices);
  mesh.triangles.reserve(triangles);
  for (Mesh& piece : pieces) append(mesh, std::move(piece));
  return mesh;
}

}  // namespace isolume
