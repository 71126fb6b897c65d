// Marching cubes: checks, and the choice of the body.
#include "compute/isosurface/marching_cubes.h"

#include "compute/backends.h"
#include "compute/checks.h"
#include "compute/device_array.h"
#include "compute/isosurface/marching_cubes_math.h"

namespace isolume {

IsoGrid iso_grid(const Grid& grid, float isovalue, bool inside_above) {
  IsoGrid g;
  g.nx = grid.counts.x;
  g.ny = grid.counts.y;
  g.nz = grid.counts.z;
  g.words = (g.nx + 31) / 32;
  g.isovalue = isovalue;
  g.inside_above = inside_above;
  g.outward = inside_above ? -1.0f : 1.0f;
  g.mirrored = glm::determinant(grid.step) < 0;
  const glm::dmat3 slope = glm::transpose(glm::inverse(grid.step));
  // Scaled to about 1 (only the direction counts), so that no unit of the volume or the grid runs out of float's range.
  const double scale = std::cbrt(std::abs(glm::determinant(grid.step)));
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    for (int c = 0; c < 3; ++c) {
      g.step[axis][c] = grid.step[axis][c];
      g.gradient[axis][c] = static_cast<float>(slope[axis][c] * scale);
    }
  }
  return g;
}

MarchingCubes::MarchingCubes(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options) {
  check_grid(grid, "isosurface");
  check_values(grid, volume, "isosurface");
  if (!std::isfinite(options.isovalue)) throw Error("isosurface: the isovalue is not a number", Error::Kind::usage);
  const glm::ivec3 n = grid.counts;
  if (n.x > 1 && n.y > 1 && n.z > 1 && !(std::abs(glm::determinant(grid.step)) > 0)) {
    throw Error("isosurface: the grid's steps lie in one plane", Error::Kind::usage);
  }
  // A grid without cells has no surface.
  const bool cells = n.x > 1 && n.y > 1 && n.z > 1;
  if (cells) {
    body_ = volume.device.is_cuda() ? marching_cubes_cuda(volume, grid, options)
                                    : marching_cubes_cpu(volume, grid, options);
    body_->device = volume.device;
    body_->points = grid.size();
  }
}

MarchingCubes::~MarchingCubes() = default;
MarchingCubes::MarchingCubes(MarchingCubes&&) noexcept = default;

SurfaceCounts MarchingCubes::count(Job& job) {
  job.check();
  if (!body_) return {};
  body_->counts = body_->count(job);
  constexpr std::size_t most = 0xffffffffu;
  if (body_->counts.vertices > most || body_->counts.triangles > most) {
    throw Error(fmt::format("isosurface: {} vertices and {} triangles are more than an index can number",
                            body_->counts.vertices, body_->counts.triangles));
  }
  body_->counted = true;
  return body_->counts;
}

void MarchingCubes::fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
                         Span<const glm::vec3> colour_volume, Span<glm::u8vec4> colours, Job& job) {
  job.check();
  if (!body_) return;
  if (!body_->counted) throw Error("isosurface: count() comes before fill()", Error::Kind::usage);
  const SurfaceCounts counts = body_->counts;
  if (positions.size != counts.vertices || normals.size != counts.vertices || triangles.size != counts.triangles ||
      (!colours.empty() && colours.size != counts.vertices)) {
    throw Error(
        fmt::format("isosurface: memory for {} vertices, {} normals and {} triangles, where {} and {} are needed",
                    positions.size, normals.size, triangles.size, counts.vertices, counts.triangles),
        Error::Kind::usage);
  }
  if (counts.triangles == 0) return;
  if (!colours.empty() && colour_volume.size != body_->points) {
    throw Error(fmt::format("isosurface: {} colours for a volume of {} points", colour_volume.size, body_->points),
                Error::Kind::usage);
  }
  const Span<const float> here(nullptr, 1, body_->device);
  check_same_device(here, positions, "isosurface");
  check_same_device(here, normals, "isosurface");
  check_same_device(here, triangles, "isosurface");
  check_same_device(here, colour_volume, "isosurface");
  check_same_device(here, colours, "isosurface");
  body_->fill(positions, normals, triangles, colour_volume, colours, job);
}

Mesh marching_cubes(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options,
                    Span<const glm::vec3> colour_volume, Job& job) {
  MarchingCubes cubes(volume, grid, options);
  const SurfaceCounts counts = cubes.count(job);
  const Device device = volume.device;
  const bool coloured = !colour_volume.empty();
  Mesh mesh;
  if (!device.is_cuda()) {
    mesh.positions.resize(counts.vertices);
    mesh.normals.resize(counts.vertices);
    mesh.triangles.resize(counts.triangles);
    mesh.colours.resize(coloured ? counts.vertices : 0);
    cubes.fill(mesh.positions, mesh.normals, mesh.triangles, colour_volume, mesh.colours, job);
    return mesh;
  }
  DeviceArray<glm::vec3> positions(counts.vertices, device, "vertices");
  DeviceArray<glm::vec3> normals(counts.vertices, device, "normals");
  DeviceArray<glm::uvec3> triangles(counts.triangles, device, "triangles");
  DeviceArray<glm::u8vec4> colours(coloured ? counts.vertices : 0, device, "colours");
  cubes.fill(positions.span(), normals.span(), triangles.span(), colour_volume, colours.span(), job);
  mesh.positions = positions.copy_to_host();
  mesh.normals = normals.copy_to_host();
  mesh.triangles = triangles.copy_to_host();
  mesh.colours = colours.copy_to_host();
  return mesh;
}

}  // namespace isolume
