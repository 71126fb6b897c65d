// The potential on a grid by any of the methods, on one device, and the bytes that it takes.
#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/memory.h"
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

/// As hcp is given to its bodies: of charges that are divided already.
HcpOptions hcp_of(const PotentialOptions& method) {
  HcpOptions hcp = std::get<HcpMethod>(method).hcp;
  if (!has_sigmoidal_dielectric(method)) hcp.dielectric = {};
  return hcp;
}

/// The numbers of the nodes that are wanted, brick after brick, so that consecutive ones are near each other.
std::vector<std::size_t> nodes_in_bricks(const Grid& grid, std::span<const std::uint8_t> wanted) {
  constexpr int edge = 4;
  const glm::ivec3 n = grid.counts;
  std::vector<std::size_t> nodes;
  for (int z = 0; z < n.z; z += edge)
    for (int y = 0; y < n.y; y += edge)
      for (int x = 0; x < n.x; x += edge)
        for (int k = z; k < std::min(z + edge, n.z); ++k)
          for (int j = y; j < std::min(y + edge, n.y); ++j)
            for (int i = x; i < std::min(x + edge, n.x); ++i)
              if (const std::size_t node = grid.index(i, j, k); wanted[node] != 0) nodes.push_back(node);
  return nodes;
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
  if (!spme.keeps_memory()) spme = {};
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
      if (!room || out.empty()) return spme_potential(points, grid, cell, spme, SpmeMap::full, out, job);
      room->spme.reset(points, cell, spme, SpmeMap::full, out.device, job);
      return room->spme.map(grid, out, job);
    }
    case PotentialMethod::hcp:
      return hcp_potential(points, *std::get<HcpMethod>(method).parts, grid, hcp_of(method), out, job);
    case PotentialMethod::pb:
      (room ? room : &own)->solved = poisson_boltzmann(charges, grid, std::get<PoissonBoltzmannOptions>(method), out,
                                                       job, room ? &room->start : nullptr);
      return;
    case PotentialMethod::gb:
      throw Error("gb has energies; it makes no maps of the potential", Error::Kind::usage);
  }
}

void potential_at_nodes(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                        std::span<const std::uint8_t> wanted, Span<float> out, Job& job, PotentialRoom* room) {
  if (wanted.empty() || method_of(method) != PotentialMethod::hcp)
    return potential(charges, grid, method, out, job, room);
  if (wanted.size() != grid.size() || out.size != grid.size())
    throw Error("potential at nodes: as many marks and values as nodes are needed", Error::Kind::usage);
  check_options(method);
  PotentialRoom own;
  std::vector<PointCharge>& sources = (room ? room : &own)->charges;
  point_charges_of(charges, charge_divisor(method), sources);
  const std::vector<std::size_t> nodes = nodes_in_bricks(grid, wanted);
  std::vector<glm::vec3> points(nodes.size());
  const auto row = static_cast<std::size_t>(grid.counts.x), layer = row * static_cast<std::size_t>(grid.counts.y);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    points[i] = glm::vec3(grid.point(static_cast<int>(nodes[i] % row), static_cast<int>(nodes[i] % layer / row),
                                     static_cast<int>(nodes[i] / layer)));
  DeviceArray<float> there(nodes.size(), out.device, "potential at nodes");
  hcp_potential_at(sources, *std::get<HcpMethod>(method).parts, points, hcp_of(method), there.span(), job);
  const std::vector<float> found = there.copy_to_host();
  std::vector<float> values(grid.size(), 0.0F);
  for (std::size_t i = 0; i < nodes.size(); ++i) values[nodes[i]] = found[i];
  copy_memory(out.data, out.device, values.data(), Device::cpu(), values.size() * sizeof(float));
}

}  // namespace isolume
