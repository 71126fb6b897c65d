// Solvent-excluded and -accessible surfaces, cavities.
#include "app/fields/solvent_surface.h"

#include <algorithm>
#include <cmath>

#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {
namespace {

MolecularSurfaceOptions options_of(const Field& field) {
  return {field.kind == Field::Kind::solvent_accessible ? SolventSurface::accessible : SolventSurface::excluded,
          static_cast<float>(field.probe_radius)};
}

std::vector<float> depths(std::span<const DensityAtom> atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                          Device device, Job& job) {
  DeviceArray<float> values(grid.size(), device, "molecular surface");
  molecular_surface(atoms, grid, options, values.span(), {}, job);
  return values.copy_to_host();
}

}  // namespace

bool made_by_probe(Field::Kind kind) {
  return kind == Field::Kind::solvent_excluded || kind == Field::Kind::solvent_accessible ||
         kind == Field::Kind::cavities;
}

Grid solvent_grid(const Field& field, std::span<const DensityAtom> atoms) {
  const MolecularSurfaceOptions options = options_of(field);
  double spacing = field.spacing;
  if (!(spacing > 0)) {
    // About three million points, and no coarser than atoms are.
    const Grid unit = molecular_surface_grid(atoms, options, 1.0);
    const double wanted = std::cbrt(static_cast<double>(unit.size()) / 3e6);
    spacing = std::ceil(std::clamp(wanted, 0.3, 1.5) * 100) / 100;
  }
  Grid grid = molecular_surface_grid(atoms, options, spacing);
  if (field.paint != Field::Paint::atoms && field.paint_offset > 0) {
    // Room for the samples along the normals.
    const int more = static_cast<int>(std::ceil(field.paint_offset / spacing));
    grid.origin -= static_cast<double>(more) * (grid.step * glm::dvec3(1.0));
    grid.counts += 2 * more;
  }
  return grid;
}

std::size_t solvent_memory(const Field& field, std::span<const DensityAtom> atoms, const Grid& grid, Device device) {
  return molecular_surface_memory(atoms.size(), grid, options_of(field), device);
}

void compute_solvent(const Field& field, std::span<const DensityAtom> atoms, DeviceVolume& volume, Job& job) {
  const Device device = volume.values.device();
  const MolecularSurfaceOptions options = options_of(field);
  if (field.kind != Field::Kind::cavities || !volume.colours.empty()) {
    DeviceArray<glm::vec3> colours(volume.colours.size(), device, "colours of the surface");
    molecular_surface(atoms, volume.grid, options, volume.values.span(), colours.span(), job);
    if (!volume.colours.empty()) {
      std::vector<glm::u8vec4> bytes;
      bytes.reserve(colours.size());
      for (const glm::vec3& c : colours.copy_to_host())
        bytes.emplace_back(glm::round(255.0f * glm::clamp(c, 0.0f, 1.0f)), 255);
      copy_memory(volume.colours.data(), device, bytes.data(), Device::cpu(), bytes.size() * sizeof(glm::u8vec4));
      if (device.is_cuda())
        volume.host_bytes += colours.size() * sizeof(glm::vec3) + bytes.size() * sizeof(glm::u8vec4);
    }
  }
  if (field.kind != Field::Kind::cavities) return;
  const Cavities cavities = cavities_of(atoms, volume.grid, options.probe_radius, pocket_probe, {}, device, job);
  volume.values = DeviceArray<float>::from_host(cavities.depth, device, "cavities");
  // The depths by two probes, and what was found.
  if (device.is_cuda()) volume.host_bytes += 3 * cavities.depth.size() * sizeof(float);
}

Cavities cavities_of(std::span<const DensityAtom> atoms, const Grid& grid, float probe, float outer,
                     const CavityOptions& options, Device device, Job& job) {
  const std::vector<float> small = depths(atoms, grid, {SolventSurface::excluded, probe}, device, job);
  std::vector<float> large;
  if (outer > probe) large = depths(atoms, grid, {SolventSurface::excluded, outer}, device, job);
  return find_cavities(atoms, grid, small, large, options, job);
}

}  // namespace isolume
