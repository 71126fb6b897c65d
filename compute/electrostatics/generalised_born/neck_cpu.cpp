// GB-neck2 on the CPU: generalised Born with necks, blocks of atoms on threads.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "compute/base/memory.h"
#include "compute/electrostatics/generalised_born/generalised_born_math.h"
#include "compute/electrostatics/generalised_born/generalised_born_sums.h"
#include "compute/electrostatics/generalised_born/neck.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<GeneralisedBornAtom> spheres_of(std::span<const NeckAtom> atoms) {
  std::vector<GeneralisedBornAtom> spheres;
  for (const NeckAtom& atom : atoms)
    spheres.push_back({atom.position, atom.charge, atom.parameters.radius, std::abs(atom.parameters.scale)});
  return spheres;
}

void check(std::span<const NeckAtom> atoms, std::span<const GeneralisedBornAtom> spheres,
           const GeneralisedBornOptions& medium) {
  check_generalised_born(spheres, medium);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (const float radius = atoms[i].parameters.radius; !(radius >= 1 && radius <= 2))
      throw Error(fmt::format("generalised Born: atom {}: a radius of {:g} angstrom; GB-neck2 has its necks for 1 to 2",
                              i + 1, radius),
                  Error::Kind::usage);
}

/// I of GB-neck2: a negative sphere takes away what its absolute value would add, where it ends beyond the atom.
double necked_integral(std::size_t i, const BornColumns& c, std::span<const float> signs, const NeckTable& necks) {
  const auto offset = static_cast<float>(neck_offset);
  const float rho = c.reduced[i], reach = rho + 2 * offset + static_cast<float>(neck_reach);
  const std::size_t row = static_cast<std::size_t>(necks.kinds[i]) * static_cast<std::size_t>(necks.count);
  const float *const depths = necks.depths.data() + row, *const distances = necks.distances.data() + row;
  return born_sum_others(i, c.x.size(), [&](std::size_t j) {
    const float r2 = c.apart(i, j), r = std::sqrt(r2 > 1e-8f ? r2 : 1e-8f);
    const float sphere = c.scaled[j], whole = born_integral(r, rho, sphere);
    const float taken = r - sphere > rho ? -whole : 0.0f;
    const int kind = necks.kinds[j];
    const float apart = r - distances[kind], apart2 = apart * apart;
    const float neck = static_cast<float>(neck_scale) * depths[kind] / (1 + apart2 + 0.3f * apart2 * apart2 * apart2);
    return (signs[j] < 0 ? taken : whole) + (r < reach + c.reduced[j] ? neck : 0.0f);
  });
}

}  // namespace

GeneralisedBornResult generalised_born_neck(std::span<const NeckAtom> atoms, const GeneralisedBornOptions& medium,
                                            Job& job) {
  const std::vector<GeneralisedBornAtom> spheres = spheres_of(atoms);
  check(atoms, spheres, medium);
  const NeckTable necks(atoms);
  require_memory(atoms.size() * 96 + necks.depths.size() * 8, Device::cpu(), "generalised Born");
  GeneralisedBornResult result;
  result.radii.resize(atoms.size());
  result.energies.resize(atoms.size());
  std::vector<float> signs;
  for (const NeckAtom& atom : atoms) signs.push_back(atom.parameters.scale);
  const BornColumns c(spheres, neck_offset);
  born_blocks(atoms.size(), job, "Born radii", [&](std::size_t i) {
    const glm::dvec3 bend(atoms[i].parameters.bend);
    result.radii[i] = born_radius(necked_integral(i, c, signs, necks), static_cast<double>(spheres[i].radius),
                                  neck_offset, bend.x, bend.y, bend.z);
  });
  born_energies(c, medium, result, job);
  result.energy = std::accumulate(result.energies.begin(), result.energies.end(), 0.0);
  return result;
}

std::string describe_neck(const GeneralisedBornOptions& o) {
  return fmt::format("generalised Born (GB-neck2), permittivities {:g} and {:g}, ionic strength {:g} mol/l",
                     o.solute_permittivity, o.solvent_permittivity, o.ionic_strength);
}

}  // namespace isolume
