// Marching cubes: checks, and the choice of the body.
#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/marching_cubes_body.h"

#include "compute/base/checks.h"
#include "compute/base/device_array.h"
#include "compute/isosurface/marching_cubes_table.h"

namespace isolume {

IsoGrid iso_grid(const Grid& grid, const MarchingCubesOptions& options, const SurfaceSlab& slab) {
  IsoGrid g;
  g.nx = grid.counts.x;
  g.ny = grid.counts.y;
  g.layers = grid.counts.z;
  g.first = slab.first;
  g.own = slab.count < 0 ? g.layers - slab.first : slab.count;
  g.nz = std::min(g.own + 2, g.layers - g.first);
  g.numbered = std::min(g.own + 1, g.nz);
  g.first_vertex = slab.first_vertex;
  g.words = (g.nx + 31) / 32;
  g.isovalue = options.isovalue;
  g.inside_above = options.inside_above;
  g.outward = options.inside_above ? -1.0f : 1.0f;
  g.mirrored = glm::determinant(grid.step) < 0;
  const glm::dmat3 slope = glm::transpose(glm::inverse(grid.step));
  // Scaled to about 1 (only the direction counts), so that no unit of the volume or the grid runs out of float's range.
  const double scale = std::cbrt(std::abs(glm::determinant(grid.step)));
  g.inverse_scale = static_cast<float>(1 / scale);
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    for (int c = 0; c < 3; ++c) {
      g.step[axis][c] = grid.step[axis][c];
      g.gradient[axis][c] = static_cast<float>(slope[axis][c] * scale);
    }
  }
  return g;
}

namespace {

std::size_t layer_points(const Grid& grid) {
  return static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
}

/// Throws Error (usage) where the volume is not the slab's.
void check_slab(const ConstValues& volume, const Grid& grid, const SurfaceSlab& slab) {
  const int layers = grid.counts.z;
  const int count = slab.count < 0 ? layers - slab.first : slab.count;
  const int there = slab.volume_count < 0 ? layers - slab.volume_first : slab.volume_count;
  const bool inside =
      slab.first >= 0 && slab.first <= layers - count && slab.volume_first >= 0 && slab.volume_first <= layers - there;
  if (!inside || slab.volume_first > std::max(0, slab.first - 1) ||
      slab.volume_first + there < std::min(layers, slab.first + count + 2)) {
    throw Error(fmt::format("isosurface: a slab of layers {} to {} from those from {} to {} of {}", slab.first,
                            slab.first + count - 1, slab.volume_first, slab.volume_first + there - 1, layers),
                Error::Kind::usage);
  }
  const std::size_t points = layer_points(grid) * static_cast<std::size_t>(there);
  if (volume.size == points) return;
  throw Error(fmt::format("isosurface: {} values for {} points", volume.size, points), Error::Kind::usage);
}

/// The arguments of SurfaceColours as the bodies take them.
VertexColour vertex_colour_of(const SurfaceColours& by, std::size_t points_before) {
  VertexColour result;
  if (!by.scalars.empty()) {
    result.scalars = by.scalars.data + points_before;
    result.ramp.lower = by.lower;
    result.ramp.upper = by.upper;
    result.ramp.offset = by.offset;
    result.ramp.count = static_cast<int>(by.map.size());
    for (std::size_t i = 0; i < by.map.size(); ++i) {
      for (int c = 0; c < 3; ++c) result.ramp.colours[i][c] = by.map[i][c];
    }
  } else if (!by.colours.empty()) {
    result.element = by.colours.element;
    result.colours = static_cast<const std::byte*>(by.colours.data) + points_before * colour_bytes(by.colours.element);
  }
  return result;
}

void check_colours(const SurfaceColours& by, const MarchingCubes::Body& body) {
  if (body.points == 0) return;
  if (by.size() != body.points) {
    throw Error(fmt::format("isosurface: {} colours for a volume of {} points", by.size(), body.points),
                Error::Kind::usage);
  }
  if (by.device() != body.device) {
    throw Error(
        fmt::format("isosurface: colours on {} and values on {}", to_string(by.device()), to_string(body.device)),
        Error::Kind::usage);
  }
  if (by.scalars.empty()) return;
  if (by.map.size() < 2 || by.map.size() > static_cast<std::size_t>(ScalarRamp::most) || !(by.upper > by.lower) ||
      !std::isfinite(by.offset)) {
    throw Error(fmt::format("isosurface: {} colours from {} to {}; 2 to {} and rising values are needed", by.map.size(),
                            by.lower, by.upper, ScalarRamp::most),
                Error::Kind::usage);
  }
  if (by.offset != 0 && body.in_slabs) {
    throw Error("isosurface: a scalar away from the surface needs the whole volume in memory", Error::Kind::usage);
  }
}

}  // namespace

MarchingCubes::MarchingCubes(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options,
                             const SurfaceSlab& slab) {
  reset(volume, grid, options, slab);
}

MarchingCubes::MarchingCubes(std::unique_ptr<Body> body) : body_(std::move(body)), cells_(true) {}
MarchingCubes::~MarchingCubes() = default;
MarchingCubes::MarchingCubes(MarchingCubes&&) noexcept = default;
MarchingCubes& MarchingCubes::operator=(MarchingCubes&&) noexcept = default;

void MarchingCubes::reset(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options,
                          const SurfaceSlab& slab) {
  check_grid(grid, "isosurface");
  check_slab(volume, grid, slab);
  if (!std::isfinite(options.isovalue)) throw Error("isosurface: the isovalue is not a number", Error::Kind::usage);
  const glm::ivec3 n = grid.counts;
  // A grid without cells has no surface.
  cells_ = n.x > 1 && n.y > 1 && n.z > 1 && slab.count != 0;
  if (cells_ && !(std::abs(glm::determinant(grid.step)) > 0)) {
    throw Error("isosurface: the grid's steps lie in one plane", Error::Kind::usage);
  }
  if (!cells_) return;
  if (!body_ || body_->device != volume.device || body_->element != volume.element) {
    body_ = volume.device.is_cuda() ? marching_cubes_cuda(volume.element, volume.device)
                                    : marching_cubes_cpu(volume.element);
    body_->device = volume.device;
    body_->element = volume.element;
  }
  body_->points = volume.size;
  body_->points_before = layer_points(grid) * static_cast<std::size_t>(slab.first - slab.volume_first);
  body_->in_slabs = slab.count >= 0;
  body_->counted = false;
  ConstValues own = volume;
  own.data = static_cast<const std::byte*>(volume.data) + body_->points_before * value_bytes(volume.element);
  own.size = volume.size - body_->points_before;
  body_->reset(own, iso_grid(grid, options, slab));
}

SurfaceCounts MarchingCubes::count(Job& job) {
  job.check();
  if (!cells_) return {};
  return take_counts(body_->count(job));
}

SurfaceCounts MarchingCubes::take_counts(const SurfaceCounts& counts) {
  body_->counts = counts;
  constexpr std::size_t most = 0xffffffffu;
  if (body_->counts.vertices > most || body_->counts.triangles > most) {
    throw Error(fmt::format("isosurface: {} vertices and {} triangles are more than an index can number",
                            body_->counts.vertices, body_->counts.triangles));
  }
  body_->counted = true;
  return body_->counts;
}

void MarchingCubes::fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
                         const SurfaceColours& by, Span<glm::u8vec4> colours, Job& job) {
  job.check();
  if (!cells_) return;
  if (!body_->counted) throw Error("isosurface: count() comes before fill()", Error::Kind::usage);
  const SurfaceCounts counts = body_->counts;
  if (positions.size != counts.vertices || normals.size != counts.vertices || triangles.size != counts.triangles ||
      (!colours.empty() && colours.size != counts.vertices)) {
    throw Error(
        fmt::format("isosurface: memory for {} vertices, {} normals and {} triangles, where {} and {} are needed",
                    positions.size, normals.size, triangles.size, counts.vertices, counts.triangles),
        Error::Kind::usage);
  }
  // A slab can have vertices without a cell.
  if (counts.triangles == 0 && counts.vertices == 0) return;
  if (!colours.empty()) check_colours(by, *body_);
  const Span<const float> here(nullptr, 1, body_->device);
  check_same_device(here, positions, "isosurface");
  check_same_device(here, normals, "isosurface");
  check_same_device(here, triangles, "isosurface");
  check_same_device(here, colours, "isosurface");
  body_->fill(positions, normals, triangles,
              colours.empty() ? VertexColour{} : vertex_colour_of(by, body_->points_before), colours, job);
}

bool MarchingCubes::can_start() const {
  return cells_ && body_->can_start();
}

void MarchingCubes::start(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
                          const SurfaceColours& by, Span<glm::u8vec4> colours, Stream& stream, Job& job) {
  job.check();
  if (!can_start()) {
    throw Error("isosurface: both steps at once need a whole volume on a CUDA device", Error::Kind::usage);
  }
  if (normals.size != positions.size || (!colours.empty() && colours.size != positions.size)) {
    throw Error(fmt::format("isosurface: room for {} vertices, {} normals and {} colours", positions.size, normals.size,
                            colours.size),
                Error::Kind::usage);
  }
  if (!colours.empty()) check_colours(by, *body_);
  const Span<const float> here(nullptr, 1, body_->device);
  check_same_device(here, positions, "isosurface");
  check_same_device(here, normals, "isosurface");
  check_same_device(here, triangles, "isosurface");
  check_same_device(here, colours, "isosurface");
  body_->counted = false;
  body_->start(positions, normals, triangles,
               colours.empty() ? VertexColour{} : vertex_colour_of(by, body_->points_before), colours, stream, job);
}

SurfaceCounts MarchingCubes::finish() {
  return cells_ ? take_counts(body_->finish()) : SurfaceCounts{};
}

Mesh marching_cubes(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options,
                    const SurfaceColours& colours, Job& job) {
  MarchingCubes cubes(volume, grid, options);
  return marching_cubes(cubes, volume.device, colours, !colours.empty(), job);
}

Mesh marching_cubes(MarchingCubes& surface, Device device, const SurfaceColours& by, bool coloured, Job& job) {
  const SurfaceCounts counts = surface.count(job);
  Mesh mesh;
  if (!device.is_cuda()) {
    mesh.positions.resize(counts.vertices);
    mesh.normals.resize(counts.vertices);
    mesh.triangles.resize(counts.triangles);
    mesh.colours.resize(coloured ? counts.vertices : 0);
    surface.fill(mesh.positions, mesh.normals, mesh.triangles, by, mesh.colours, job);
    return mesh;
  }
  DeviceArray<glm::vec3> positions(counts.vertices, device, "vertices");
  DeviceArray<glm::vec3> normals(counts.vertices, device, "normals");
  DeviceArray<glm::uvec3> triangles(counts.triangles, device, "triangles");
  DeviceArray<glm::u8vec4> colours(coloured ? counts.vertices : 0, device, "colours");
  surface.fill(positions.span(), normals.span(), triangles.span(), by, colours.span(), job);
  mesh.positions = positions.copy_to_host();
  mesh.normals = normals.copy_to_host();
  mesh.triangles = triangles.copy_to_host();
  mesh.colours = colours.copy_to_host();
  return mesh;
}

std::size_t marching_cubes_memory(const Grid& grid, Device device, int layers) {
  const int most = grid.counts.z;
  const int with_bits = layers > 0 ? std::min(layers + 2, most) : most;
  const std::size_t words = static_cast<std::size_t>((grid.counts.x + 31) / 32) *
                            static_cast<std::size_t>(grid.counts.y) * static_cast<std::size_t>(with_bits);
  const std::size_t rows = static_cast<std::size_t>(grid.counts.y) * static_cast<std::size_t>(with_bits);
  // Bits and numbers of words, and on the CPU of rows; on CUDA those of blocks and the table too, and an eighth to
  // grow.
  const std::size_t bytes =
      device.is_cuda() ? words * 8 + (words / 256 + 1) * 12 + sizeof(CaseTable) : words * 8 + rows * 4 + 4096;
  return device.is_cuda() ? bytes + bytes / 8 : bytes;
}

}  // namespace isolume
