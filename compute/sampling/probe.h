// Probe: a small rigid molecule that is placed at points, and the orientations that it is given there.
#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

struct ProbeSite {
  glm::dvec3 place;    ///< angstrom, from the point that the probe is placed at
  double sigma = 0;    ///< angstrom
  double epsilon = 0;  ///< kcal/mol
  double charge = 0;   ///< e
};

struct Probe {
  std::string name;
  std::string source;  ///< where its numbers are from
  std::vector<ProbeSite> sites;
};

/// Ar, CH4, CO, H2, N2, NO, O2, Xe.
const std::vector<Probe>& built_in_probes();

/// In any case. Throws Error (usage) that lists what there is.
const Probe& built_in_probe(std::string_view name);

/// `count` orientations spread evenly. A probe of one site in its middle has one. One whose sites are on a line gets
/// the directions of a golden spiral, over half of the sphere where its two ends are equal; any other the rotations of
/// a super-Fibonacci spiral (Alexa, CVPR 2022, doi:10.1109/CVPR52688.2022.00811). The same on every machine.
std::vector<glm::dquat> probe_orientations(const Probe& probe, int count);

/// The largest distance of a site from the probe's point, angstrom.
double probe_extent(const Probe& probe);

}  // namespace isolume
