// Fluctuation: means and mean squares over superposed frames.
#include "compute/analysis/fluctuation.h"

#include <fmt/core.h>

#include <cmath>

#include "compute/analysis/superposition.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

Fluctuations fluctuations(std::size_t count, const std::function<void(std::size_t, FluctuationFrame&)>& read, Job& job,
                          int rounds, double tolerance) {
  if (count == 0) throw Error("fluctuations: there are no frames", Error::Kind::usage);
  Fluctuations result;
  FluctuationFrame frame;
  read(0, frame);
  const std::size_t points = frame.points.size(), fitted = frame.fitted.size();
  std::vector<glm::dvec3> onto = frame.fitted;  // what frames are superposed on
  std::vector<glm::dvec3> near = frame.points;  // differences to this are summed, so that squares keep their digits
  for (;;) {
    std::vector<glm::dvec3> sum(points, glm::dvec3(0)), fitted_sum(fitted, glm::dvec3(0));
    std::vector<double> squares(points, 0);
    for (std::size_t f = 0; f < count; ++f) {
      job.check();
      read(f, frame);
      if (frame.points.size() != points || frame.fitted.size() != fitted)
        throw Error(
            fmt::format("fluctuations: frame {} has {} points and the first {}", f, frame.points.size(), points),
            Error::Kind::usage);
      RigidMotion motion;
      if (fitted > 0) motion = superpose(frame.fitted, onto).motion;
      for (std::size_t i = 0; i < points; ++i) {
        const glm::dvec3 d = motion(frame.points[i]) - near[i];
        sum[i] += d;
        squares[i] += glm::dot(d, d);
      }
      for (std::size_t i = 0; i < fitted; ++i) fitted_sum[i] += motion(frame.fitted[i]) - onto[i];
      // Rounds differ in number; a bar that fills by half with each never goes back.
      const double done = static_cast<double>(f + 1) / static_cast<double>(count);
      job.progress(1 - std::pow(0.5, result.rounds) * (1 - 0.5 * done), "superposing on the mean");
    }
    ++result.rounds;
    const double n = static_cast<double>(count);
    result.mean.resize(points);
    result.squares.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
      const glm::dvec3 shift = sum[i] / n;
      result.mean[i] = near[i] + shift;
      result.squares[i] = std::max(0.0, squares[i] / n - glm::dot(shift, shift));
    }
    double moved = 0;
    for (std::size_t i = 0; i < fitted; ++i) {
      const glm::dvec3 shift = fitted_sum[i] / n;
      onto[i] += shift;
      moved += glm::dot(shift, shift);
    }
    result.change = fitted > 0 ? std::sqrt(moved / static_cast<double>(fitted)) : 0;
    if (result.change <= tolerance || result.rounds >= rounds) return result;
    near = result.mean;
  }
}

double b_factor(double mean_square) {
  return 8 * units::pi * units::pi / 3 * mean_square;
}

}  // namespace isolume
