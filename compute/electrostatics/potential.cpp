// The potential on a grid by any of the methods, on one device, and the bytes that it takes.
#include <vector>

#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/everything_cutoff.h"
#include "compute/electrostatics/method.h"
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

/// The cutoff sum that a cutoff method, or the direct sum in a dielectric that depends on the distance, comes to.
CutoffOptions cutoff_of(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options) {
  if (const auto* const cutoff = std::get_if<CutoffOptions>(&options)) return *cutoff;
  return cutoff_of_everything(spheres, dielectric_of(options), corners(grid));
}

}  // namespace

std::size_t potential_memory(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                             Device device) {
  check_options(method);
  const std::size_t map = grid.size() * sizeof(float);
  switch (method_of(method)) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      if (is_fast_direct(method))
        return map + fast_direct_memory(charges.size(), grid, {std::get<DirectOptions>(method).accuracy}, device);
      if (!has_sigmoidal_dielectric(method)) return map + direct_potential_memory(charges.size(), grid, device);
      [[fallthrough]];
    case PotentialMethod::cutoff:
      return map + cutoff_potential_memory(charges.size(), grid, cutoff_of(charges, grid, method), device);
    case PotentialMethod::msm:
      return map + msm_potential_memory(point_charges_of(charges), grid, std::get<MsmMethod>(method).msm, device);
    case PotentialMethod::debye_hueckel:
      return map + 2 * charges.size() * sizeof(ChargedSphere);
    case PotentialMethod::spme: {
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(method);
      return map + spme_memory(charges.size(), complete_spme(spme, cell), cell, device);
    }
    case PotentialMethod::hcp:
      return map + hcp_memory(*std::get<HcpMethod>(method).parts, std::get<HcpMethod>(method).hcp);
    case PotentialMethod::pb:
      return map + poisson_boltzmann_memory(charges, grid, std::get<PoissonBoltzmannOptions>(method), device);
    case PotentialMethod::gb:
      break;
  }
  return map;
}

void PotentialRoom::end_frame() {
  constexpr std::size_t most = std::size_t{64} << 20;
  if (!msm.keeps_memory()) msm = {};
  if (charges.capacity() * sizeof(PointCharge) > most) charges = {};
  if (start.solution.capacity() * sizeof(double) > 4 * most) start = {};
  if (start.device_solution.size() * sizeof(double) > 16 * most) start = {};
}

void potential(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
               Span<float> out, Job& job, PotentialRoom* room) {
  check_options(method);
  PotentialRoom own;
  std::vector<PointCharge>& points = (room ? room : &own)->charges;
  point_charges_of(charges, charge_divisor(method), points);
  switch (method_of(method)) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      if (is_fast_direct(method))
        return fast_direct_potential(points, grid, {std::get<DirectOptions>(method).accuracy}, out, job);
      if (!has_sigmoidal_dielectric(method)) return direct_potential(points, grid, out, job);
      [[fallthrough]];
    case PotentialMethod::cutoff: {
      CutoffOptions cutoff = cutoff_of(charges, grid, method);
      if (!has_sigmoidal_dielectric(method)) cutoff.dielectric = {};  // the charges are divided already
      return cutoff_potential(points, grid, cutoff, out, job);
    }
    case PotentialMethod::msm: {
      const MsmOptions& msm = std::get<MsmMethod>(method).msm;
      if (!room || !out.device.is_cuda()) return msm_potential(points, grid, msm, out, job);
      room->msm.reset(points, grid, msm, out.device, job);
      return room->msm.map(0, grid.counts.z, out, job);
    }
    case PotentialMethod::debye_hueckel:
      return debye_hueckel_potential(charges, grid, std::get<DebyeHueckelOptions>(method), out, job);
    case PotentialMethod::spme: {
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(method);
      return spme_potential(points, grid, cell, spme, SpmeMap::full, out, job);
    }
    case PotentialMethod::hcp: {
      HcpOptions hcp = std::get<HcpMethod>(method).hcp;
      if (!has_sigmoidal_dielectric(method)) hcp.dielectric = {};  // the charges are divided already
      return hcp_potential(points, *std::get<HcpMethod>(method).parts, grid, hcp, out, job);
    }
    case PotentialMethod::pb:
      (room ? room : &own)->solved = poisson_boltzmann(charges, grid, std::get<PoissonBoltzmannOptions>(method), out,
                                                       job, room ? &room->start : nullptr);
      return;
    case PotentialMethod::gb:
      throw Error("gb has energies; it makes no maps of the potential", Error::Kind::usage);
  }
}

}  // namespace isolume
