// The potential and the field at points, split by groups of charges.
#include "compute/over_time/group_potential.h"

#include <fmt/format.h>

#include "compute/over_time/group_potential_bodies.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
ChargeGroups::ChargeGroups(std::span<const std::uint32_t> group, std::size_t count) : starts(count + 1, 0) {
  for (const std::uint32_t g : group) {
    if (g >= count) throw Error(fmt::format("group {} of {} groups of charges", g, count), Error::Kind::usage);
    ++starts[g + 1];
  }
  for (std::size_t g = 0; g < count; ++g) starts[g + 1] += starts[g];
  order.resize(group.size());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::uint32_t i = 0; i < group.size(); ++i) order[next[group[i]]++] = i;
}

bool adds_up(PotentialMethod method) {
  return method != PotentialMethod::pb && method != PotentialMethod::gb && method != PotentialMethod::automatic;
}

bool groups_on_device(const PotentialOptions& method, Device device) {
  return device.is_cuda() && std::holds_alternative<DirectOptions>(method) && !has_sigmoidal_dielectric(method);
}

bool has_gradients(const PotentialOptions& method) {
  return (std::holds_alternative<DirectOptions>(method) && !has_sigmoidal_dielectric(method)) ||
         std::holds_alternative<DebyeHueckelOptions>(method);
}

void group_potentials(std::span<const ChargedSphere> charges, const ChargeGroups& groups,
                      const PotentialOptions& method, std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                      Job& job, Device device, std::span<FieldGradient> gradients) {
  if (!adds_up(method_of(method)))
    throw Error("contributions of groups add up for direct, cutoff, msm, spme, debye-hueckel and hcp alone",
                Error::Kind::usage);
  if (!gradients.empty() && !has_gradients(method))
    throw Error("gradients of the field are there for direct, with one dielectric constant, and debye-hueckel alone",
                Error::Kind::usage);
  if (!gradients.empty() && gradients.size() != shares.size())
    throw Error(fmt::format("{} gradients for {} fields", gradients.size(), shares.size()), Error::Kind::usage);
  if (groups.order.size() != charges.size() || shares.size() != points.size() * groups.size())
    throw Error(fmt::format("contributions of {} groups at {} points need {} values, not {}", groups.size(),
                            points.size(), groups.size() * points.size(), shares.size()),
                Error::Kind::usage);
  if (std::holds_alternative<DirectOptions>(method) && !has_sigmoidal_dielectric(method)) {
    const double scale = units::coulomb_volt_angstrom / charge_divisor(method);
    if (device.is_cuda() && gradients.empty())
      return group_potentials_cuda(charges, groups, scale, points, shares, device, job);
    return group_potentials_cpu(charges, groups, scale, points, shares, gradients, job);
  }
  if (const auto* const hcp = std::get_if<HcpMethod>(&method)) {
    check_options(method);
    return group_potentials_hcp(charges, groups, *hcp, points, shares, job);
  }
  std::vector<ChargedSphere> some;
  std::vector<double> potential(points.size());
  std::vector<glm::dvec3> field(points.size());
  std::vector<FieldGradient> gradient(gradients.empty() ? 0 : points.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    job.check();
    some.clear();
    for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i) some.push_back(charges[groups.order[i]]);
    potential_at(some, method, points, potential, field, Device::cpu(), job);
    for (std::size_t p = 0; p < points.size(); ++p) shares[p * groups.size() + g] = {potential[p], field[p]};
    if (gradients.empty()) continue;
    debye_hueckel_gradient(some, points, std::get<DebyeHueckelOptions>(method), gradient);
    for (std::size_t p = 0; p < points.size(); ++p) gradients[p * groups.size() + g] = gradient[p];
  }
}

}  // namespace isolume
