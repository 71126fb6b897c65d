// Beads: one ball for each group of atoms.
#include "compute/density/group_beads.h"

#include <fmt/core.h>

#include <cmath>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

DensityAtom bead_of(std::span<const DensityAtom> atoms, std::span<const float> masses) {
  double total = 0;
  for (const float mass : masses) total += static_cast<double>(mass);
  const auto share = [&](std::size_t i) {
    return total > 0 ? static_cast<double>(masses[i]) / total : 1 / static_cast<double>(atoms.size());
  };
  glm::dvec3 centre(0), colour(0);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    centre += share(i) * glm::dvec3(atoms[i].position);
    colour += share(i) * glm::dvec3(atoms[i].colour);
  }
  double gyration = 0, balls = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const glm::dvec3 d = glm::dvec3(atoms[i].position) - centre;
    gyration += share(i) * glm::dot(d, d);
    balls += share(i) * static_cast<double>(atoms[i].radius) * static_cast<double>(atoms[i].radius);
  }
  return {glm::vec3(centre), static_cast<float>(std::sqrt(5.0 / 3.0 * gyration + balls)), glm::vec3(colour)};
}

}  // namespace

std::vector<DensityAtom> group_beads(std::span<const DensityAtom> atoms, std::span<const float> masses,
                                     std::span<const std::uint32_t> first) {
  if (masses.size() != atoms.size()) {
    throw Error(fmt::format("beads: {} masses for {} atoms", masses.size(), atoms.size()), Error::Kind::usage);
  }
  bool covers = !first.empty() && first.front() == 0 && first.back() == atoms.size();
  for (std::size_t g = 0; covers && g + 1 < first.size(); ++g) covers = first[g] < first[g + 1];
  if (!covers) throw Error("beads: the groups do not cover the atoms without gap", Error::Kind::usage);
  std::vector<DensityAtom> beads(first.size() - 1);
  constexpr std::size_t some = 1024;
  Job job;
  parallel_for((beads.size() + some - 1) / some, job, "beads", [&](std::size_t part) {
    for (std::size_t g = part * some; g < std::min(beads.size(), (part + 1) * some); ++g) {
      const std::size_t count = first[g + 1] - first[g];
      beads[g] = bead_of(atoms.subspan(first[g], count), masses.subspan(first[g], count));
    }
  });
  return beads;
}

}  // namespace isolume
