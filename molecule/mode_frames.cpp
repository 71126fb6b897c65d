// Frames of a molecule that moves along a normal mode.
#include "molecule/mode_frames.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// 2 pi c |frequency|, 1/ps.
double angular_frequency(const VibrationalMode& mode) {
  return 2 * units::pi * units::speed_of_light * 1e-10 * std::abs(mode.frequency);
}

}  // namespace

std::vector<Frame> mode_frames(const VibrationalMode& mode, const Frame& rest, double amplitude, std::size_t count) {
  const std::size_t atoms = rest.positions.size();
  if (mode.displacement.size() != atoms)
    throw Error("the mode moves " + std::to_string(mode.displacement.size()) + " atoms, the molecule has " +
                    std::to_string(atoms),
                Error::Kind::usage);
  double longest = 0;
  for (const glm::dvec3& d : mode.displacement) longest = std::max(longest, glm::length(d));
  if (!(longest > 0)) throw Error("no atom moves in this mode", Error::Kind::usage);
  const double rate = angular_frequency(mode);
  std::vector<Frame> frames(count, rest);
  for (std::size_t n = 0; n < count; ++n) {
    Frame& frame = frames[n];
    const double phase = 2 * units::pi * static_cast<double>(n) / static_cast<double>(count);
    const double part = amplitude / longest * std::sin(phase), speed = amplitude / longest * rate * std::cos(phase);
    frame.velocities.clear();
    frame.forces.clear();
    for (std::size_t a = 0; a < atoms; ++a) {
      const glm::dvec3& d = mode.displacement[a];
      const glm::dvec3 at =
          frame.precise_positions.empty() ? glm::dvec3(frame.positions[a]) : frame.precise_positions[a];
      frame.positions[a] = glm::vec3(at + part * d);
      if (!frame.precise_positions.empty()) frame.precise_positions[a] = at + part * d;
      if (rate > 0) frame.velocities.emplace_back(speed * d);
    }
    frame.has_time = rate > 0;
    frame.time = rate > 0 ? phase / rate : 0;
  }
  return frames;
}

double largest_speed(const VibrationalMode& mode, double amplitude) {
  return amplitude * angular_frequency(mode);
}

}  // namespace isolume
