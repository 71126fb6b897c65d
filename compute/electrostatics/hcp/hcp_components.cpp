// The components of a system under hierarchical charge partitioning: levels, centres, charges.
#include "compute/electrostatics/hcp/hcp_components.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"

namespace isolume {

std::vector<HcpLevel> hcp_levels(const HcpHierarchy& hierarchy, const HcpOptions& options) {
  std::size_t used = 0;
  for (std::size_t level = 0; level < options.thresholds.size(); ++level)
    if (std::isfinite(options.thresholds[level])) used = level + 1;
  std::vector<HcpLevel> levels(used);
  for (std::size_t level = 0; level < used; ++level) {
    HcpLevel& to = levels[level];
    to.first = hierarchy.first[level];
    to.threshold = static_cast<float>(options.thresholds[level]);
    to.atom.reserve(to.first.size());
    for (const std::uint32_t child : to.first) to.atom.push_back(level == 0 ? child : levels[level - 1].atom[child]);
  }
  return levels;
}

HcpComponents hcp_components(std::span<const PointCharge> atoms, const HcpLevel& level, int charges_each, Job& job) {
  const std::size_t count = level.first.size() - 1;
  HcpComponents result;
  result.centres.resize(count);
  result.charges.resize(count * static_cast<std::size_t>(charges_each));
  const auto make = [&](std::size_t c) {
    HcpSums sums;
    for (std::uint32_t a = level.atom[c]; a < level.atom[c + 1]; ++a)
      sums.add(HcpCharge{atoms[a].position.x, atoms[a].position.y, atoms[a].position.z, atoms[a].charge});
    HcpCentre centre = sums.centre(level.atom[c + 1] - level.atom[c]);
    sums.charges(charges_each, centre, &result.charges[c * static_cast<std::size_t>(charges_each)]);
    float radius2 = 0;
    for (std::uint32_t a = level.atom[c]; a < level.atom[c + 1]; ++a) {
      const glm::vec3 d = atoms[a].position - glm::vec3(centre.x, centre.y, centre.z);
      radius2 = std::max(radius2, glm::dot(d, d));
    }
    centre.reach = std::max(level.threshold, std::sqrt(radius2) + hcp_margin);
    result.centres[c] = centre;
  };
  // Groups are small and many: some hundred a task.
  const std::size_t each = std::max<std::size_t>(1, 4096 * count / std::max<std::size_t>(1, atoms.size()));
  parallel_for((count + each - 1) / each, job, "hierarchical partitioning", [&](std::size_t part) {
    for (std::size_t c = part * each; c < std::min(count, (part + 1) * each); ++c) make(c);
  });
  return result;
}

}  // namespace isolume
