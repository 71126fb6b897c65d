// Maps of the electrostatic potential by any of the methods.
#include "app/fields/potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/fields/device_volume.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<glm::dvec3> corners(const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int c = 0; c < 8; ++c)
    points.push_back(
        grid.point(c & 1 ? grid.counts.x - 1 : 0, c & 2 ? grid.counts.y - 1 : 0, c & 4 ? grid.counts.z - 1 : 0));
  return points;
}

CutoffOptions cutoff_of(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options) {
  if (options.method == PotentialMethod::direct)
    return cutoff_of_everything(spheres, options.dielectric, corners(grid));
  CutoffOptions cutoff = options.cutoff;
  cutoff.dielectric = options.dielectric;
  return cutoff;
}

}  // namespace

CutoffOptions cutoff_of_everything(std::span<const ChargedSphere> spheres, const Dielectric& dielectric,
                                   std::span<const glm::dvec3> points) {
  glm::dvec3 lower(1e300), upper(-1e300);
  const auto include = [&](glm::dvec3 p) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  };
  for (const ChargedSphere& s : spheres) include(glm::dvec3(s.position));
  for (const glm::dvec3& p : points) include(p);
  CutoffOptions options;
  options.form = CutoffForm::plain;
  options.cutoff = glm::length(upper - lower) + 1;
  options.dielectric = dielectric;
  return options;
}

std::shared_ptr<const HcpHierarchy> charge_parts(const FieldRequest& request) {
  const std::vector<std::uint32_t> atoms = charged_atoms(request);
  const Topology& topology = *request.molecule->topology;
  auto parts = std::make_shared<HcpHierarchy>();
  auto& [groups, subunits, complexes] = parts->first;
  // A part begins where the residue, or the chain, of the next atom is another.
  std::optional<std::uint32_t> residue, chain;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::uint32_t own = topology.atoms[atoms[i]].residue;
    const std::uint32_t own_chain = own < topology.residues.size() ? topology.residues[own].chain : 0;
    if (chain != own_chain) subunits.push_back(static_cast<std::uint32_t>(groups.size()));
    if (residue != own || chain != own_chain) groups.push_back(static_cast<std::uint32_t>(i));
    residue = own;
    chain = own_chain;
  }
  complexes = {0, static_cast<std::uint32_t>(subunits.size())};
  subunits.push_back(static_cast<std::uint32_t>(groups.size()));
  groups.push_back(static_cast<std::uint32_t>(atoms.size()));
  return parts;
}

Grid potential_map_grid(const FieldRequest& request, std::span<const ChargedSphere> spheres,
                        const PotentialOptions& options) {
  const Cell& cell = periodic_cell(options);
  if (request.grid || !is_fully_periodic(options) || !cell.exists() || spheres.empty())
    return potential_grid(request, spheres);
  const glm::dvec3 lengths = cell.lengths();
  double spacing = request.field.spacing;
  if (spacing <= 0) spacing = std::ceil(std::clamp(std::cbrt(cell.volume() / 2.5e5), 0.2, 4.0) * 100) / 100;
  Grid grid;
  double points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double count = std::max(1.0, std::ceil(lengths[axis] / spacing - 1e-9));
    points *= count;
    if (!(points < 4294967296.0))
      throw Error(fmt::format("a spacing of {} angstrom in this cell makes more than 2^32 points", spacing),
                  Error::Kind::usage);
    grid.counts[axis] = static_cast<int>(count);
    grid.step[axis] = cell.vectors[axis] / count;
  }
  return grid;
}

std::size_t potential_map_memory(std::span<const ChargedSphere> spheres, const Grid& grid,
                                 const PotentialOptions& options, Device device) {
  check_options(options);
  const std::size_t map = grid.size() * sizeof(float);
  switch (options.method) {
    case PotentialMethod::direct:
      if (is_fast_direct(options))
        return map + fast_direct_memory(spheres.size(), grid, {options.fast_accuracy}, device);
      if (!has_sigmoidal_dielectric(options)) return map + direct_potential_memory(spheres.size(), grid, device);
      [[fallthrough]];
    case PotentialMethod::cutoff:
      return map + cutoff_potential_memory(spheres.size(), grid, cutoff_of(spheres, grid, options), device);
    case PotentialMethod::msm:
      return map + msm_potential_memory(point_charges_of(spheres), grid, options.msm, device);
    case PotentialMethod::debye_hueckel:
      return map + 2 * spheres.size() * sizeof(ChargedSphere);
    case PotentialMethod::spme:
      return map + spme_memory(spheres.size(), complete_spme(options.spme, options.cell), options.cell, device);
    case PotentialMethod::hcp:
      return map + hcp_memory(*options.parts, options.hcp);
  }
  return map;
}

void PotentialRoom::end_frame() {
  constexpr std::size_t most = std::size_t{64} << 20;
  if (!msm.keeps_memory()) msm = {};
  if (charges.capacity() * sizeof(PointCharge) > most) charges = {};
}

void potential_map(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                   Span<float> potential, Job& job, PotentialRoom* room) {
  check_options(options);
  PotentialRoom own;
  std::vector<PointCharge>& charges = (room ? room : &own)->charges;
  point_charges_of(spheres, charge_divisor(options), charges);
  switch (options.method) {
    case PotentialMethod::direct:
      if (is_fast_direct(options)) return fast_direct_potential(charges, grid, {options.fast_accuracy}, potential, job);
      if (!has_sigmoidal_dielectric(options)) return direct_potential(charges, grid, potential, job);
      [[fallthrough]];
    case PotentialMethod::cutoff: {
      CutoffOptions cutoff = cutoff_of(spheres, grid, options);
      if (!has_sigmoidal_dielectric(options)) cutoff.dielectric = {};  // the charges are divided already
      return cutoff_potential(charges, grid, cutoff, potential, job);
    }
    case PotentialMethod::msm:
      if (!room || !potential.device.is_cuda()) return msm_potential(charges, grid, options.msm, potential, job);
      room->msm.reset(charges, grid, options.msm, potential.device, job);
      return room->msm.map(0, grid.counts.z, potential, job);
    case PotentialMethod::debye_hueckel:
      return debye_hueckel_potential(spheres, grid, options.debye_hueckel, potential, job);
    case PotentialMethod::spme:
      return spme_potential(charges, grid, options.cell, options.spme, SpmeMap::full, potential, job);
    case PotentialMethod::hcp: {
      HcpOptions hcp = options.hcp;
      if (has_sigmoidal_dielectric(options)) hcp.dielectric = options.dielectric;
      return hcp_potential(charges, *options.parts, grid, hcp, potential, job);
    }
  }
}

}  // namespace isolume
