// Hierarchical charge partitioning: hierarchy, options, checks, and the choice of the body.
#include "compute/electrostatics/hcp/hcp.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"
#include "compute/electrostatics/hcp/hcp_components.h"

namespace isolume {
namespace {

constexpr const char* level_names[] = {"group", "subunit", "complex"};

double sum_of(const PointCharge& c) {
  return static_cast<double>(c.position.x + c.position.y + c.position.z + c.charge);
}

void check_system(Span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpOptions& options) {
  options.check();
  hierarchy.check(charges.size);
  if (!charges.device.is_cuda()) check_finite(std::span(charges.data, charges.size), "charge", sum_of);
}

template <class T>
void run(Span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpTargets& targets,
         const HcpOptions& options, Span<T> values, Job& job) {
  check_system(charges, hierarchy, options);
  require_memory(hcp_memory(hierarchy, options), values.device, "hierarchical charge partitioning");
  job.check();
  if (values.empty()) return;
  const std::vector<HcpLevel> levels = hcp_levels(hierarchy, options);
  if (values.device.is_cuda()) {
    hcp_cuda(charges, levels, targets, options, values, job);
  } else {
    const std::span host(charges.data, charges.size);
    if constexpr (std::is_same_v<T, float>) {
      hcp_cpu(host, levels, targets, options, values, job);
    } else {
      hcp_cpu(host, levels, targets, options, true, values, job);
    }
  }
}

Span<const PointCharge> on_host(std::span<const PointCharge> charges) {
  return {charges.data(), charges.size(), Device::cpu()};
}

}  // namespace

HcpHierarchy HcpHierarchy::from_topology(const Topology& topology, std::span<const std::uint32_t> complex_of_chain) {
  HcpHierarchy result;
  auto& [groups, subunits, complexes] = result.first;
  for (const Residue& residue : topology.residues) groups.push_back(residue.first_atom);
  groups.push_back(static_cast<std::uint32_t>(topology.atoms.size()));
  for (const Chain& chain : topology.chains) subunits.push_back(chain.first_residue);
  subunits.push_back(static_cast<std::uint32_t>(topology.residues.size()));
  complexes.push_back(0);
  for (std::size_t c = 1; c < complex_of_chain.size(); ++c) {
    if (complex_of_chain[c] != complex_of_chain[c - 1]) complexes.push_back(static_cast<std::uint32_t>(c));
  }
  complexes.push_back(static_cast<std::uint32_t>(topology.chains.size()));
  return result;
}

void HcpHierarchy::check(std::size_t atoms) const {
  std::size_t below = atoms;
  for (std::size_t level = 0; level < first.size(); ++level) {
    const std::vector<std::uint32_t>& offsets = first[level];
    if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != below)
      throw Error(fmt::format("the {}s of the partitioning do not cover the {} {}s below them", level_names[level],
                              below, level == 0 ? "atom" : level_names[level - 1]),
                  Error::Kind::usage);
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
      if (offsets[c] >= offsets[c + 1])
        throw Error(fmt::format("{} {} of the partitioning is empty", level_names[level], c + 1), Error::Kind::usage);
    below = offsets.size() - 1;
  }
}

std::array<double, 3> HcpOptions::parse_thresholds(const std::string& text) {
  std::array<double, 3> result{never, never, never};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t level = 0; level < result.size(); ++level) {
    const auto [rest, error] = std::from_chars(at, end, result[level]);
    if (error != std::errc() || !(result[level] > 0) || (rest != end && (*rest != '/' || level == 2)))
      throw Error(fmt::format("\"{}\" is no list of threshold distances; \"15/66\" would be 15 angstrom for groups and "
                              "66 for subunits (published: 15, 15/66, 21/90, 15/48)",
                              text),
                  Error::Kind::usage);
    if (level > 0 && result[level] < result[level - 1])
      throw Error(
          fmt::format("threshold distances rise from groups to complexes; in \"{}\" that of {}s, {} angstrom, is "
                      "below the {} of {}s",
                      text, level_names[level], result[level], result[level - 1], level_names[level - 1]),
          Error::Kind::usage);
    if (rest == end) break;
    at = rest + 1;
  }
  return result;
}

void HcpOptions::check() const {
  for (std::size_t level = 0; level < thresholds.size(); ++level)
    if (!(thresholds[level] > 0))
      throw Error(fmt::format("the threshold distance of {}s is {} angstrom; it must be above 0", level_names[level],
                              thresholds[level]),
                  Error::Kind::usage);
  if (charges != 1 && charges != 2)
    throw Error(fmt::format("{} charges for a component; 1 or 2 are possible", charges), Error::Kind::usage);
  if (!(dielectric.bulk >= 1) || !std::isfinite(dielectric.bulk) ||
      (dielectric.kind == Dielectric::Kind::sigmoidal && !(dielectric.slope > 0 && std::isfinite(dielectric.slope))))
    throw Error("the dielectric's D must be at least 1 and its S above 0", Error::Kind::usage);
}

void hcp_potential(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy, const Grid& grid,
                   const HcpOptions& options, Span<float> potential, Job& job) {
  check_grid(grid, "potential");
  check_values(grid, potential, "potential");
  run(on_host(charges), hierarchy, HcpTargets{&grid, {}}, options, potential, job);
}

void hcp_potential_at(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy,
                      std::span<const glm::vec3> points, const HcpOptions& options, Span<float> potential, Job& job) {
  if (points.size() != potential.size)
    throw Error("potential: as many values as points are needed", Error::Kind::usage);
  check_finite(points, "point", [](const glm::vec3& p) { return static_cast<double>(p.x + p.y + p.z); });
  run(on_host(charges), hierarchy, HcpTargets{nullptr, points}, options, potential, job);
}

void hcp_field_on_atoms(Span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpOptions& options,
                        Span<glm::vec4> values, Job& job) {
  if (charges.size != values.size) throw Error("field: as many values as atoms are needed", Error::Kind::usage);
  if (charges.device.is_cuda() && charges.device != values.device)
    throw Error("field: the charges are on another device than the result", Error::Kind::usage);
  run(charges, hierarchy, HcpTargets{}, options, values, job);
}

std::size_t hcp_memory(const HcpHierarchy& hierarchy, const HcpOptions& options) {
  std::size_t bytes = static_cast<std::size_t>(hierarchy.first[0].back()) * sizeof(PointCharge);
  const std::vector<HcpLevel> levels = hcp_levels(hierarchy, options);
  // The atoms once more in fours of one group.
  for (std::size_t g = 0; !levels.empty() && g + 1 < hierarchy.first[0].size(); ++g)
    bytes += (hierarchy.first[0][g + 1] - hierarchy.first[0][g] + 3) / 4 * 4 * sizeof(HcpCharge);
  for (const HcpLevel& level : levels)
    bytes += level.first.size() * (2 * sizeof(std::uint32_t) + sizeof(HcpCentre) +
                                   static_cast<std::size_t>(options.charges) * sizeof(HcpCharge));
  return bytes;
}

}  // namespace isolume
