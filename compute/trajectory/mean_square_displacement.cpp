// Mean square displacements and diffusion coefficients.
#include "compute/trajectory/mean_square_displacement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Complex = std::complex<double>;

/// In place, of a power of two; without a factor.
void transform(std::vector<Complex>& x, bool forward) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const double angle = (forward ? -2 : 2) * std::numbers::pi / static_cast<double>(length);
    std::vector<Complex> turns(length / 2);
    for (std::size_t k = 0; k < turns.size(); ++k) turns[k] = std::polar(1.0, angle * static_cast<double>(k));
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex a = x[first + k], b = x[first + k + length / 2] * turns[k];
        x[first + k] = a + b;
        x[first + k + length / 2] = a - b;
      }
  }
}

/// Adds sum over origins of (u(t + lag) - u(t))^2 of one coordinate to `sums`, one for each lag.
void add_squares(std::span<const double> u, std::vector<Complex>& room, std::span<double> sums) {
  const std::size_t count = u.size();
  std::fill(room.begin(), room.end(), Complex(0));
  double all = 0;
  for (std::size_t t = 0; t < count; ++t) {
    room[t] = u[t];
    all += 2 * u[t] * u[t];
  }
  transform(room, true);
  for (Complex& value : room) value = std::norm(value);
  transform(room, false);
  for (std::size_t lag = 0; lag < count; ++lag) {
    // Squares of both ends of all pairs, less twice their product.
    if (lag > 0) all -= u[lag - 1] * u[lag - 1] + u[count - lag] * u[count - lag];
    sums[lag] += std::max(0.0, all - 2 * room[lag].real() / static_cast<double>(room.size()));
  }
}

/// Of frames [begin, end): x, y and z of every lag, means over particles and origins.
std::array<std::vector<double>, 3> displacements(const FrameSet& set, const std::vector<glm::dvec3>& drift,
                                                 std::size_t begin, std::size_t end, Job& job) {
  const std::size_t count = end - begin, particles = set.atoms.size();
  std::array<std::vector<double>, 3> result;
  for (auto& values : result) values.assign(count, 0);
  constexpr std::size_t group = 32;
  std::vector<std::array<std::vector<double>, 3>> parts((particles + group - 1) / group);
  parallel_for(parts.size(), job, "mean square displacement", [&](std::size_t part) {
    std::vector<Complex> room(std::bit_ceil(2 * count));
    std::vector<double> u(count);
    for (auto& values : parts[part]) values.assign(count, 0);
    for (std::size_t i = part * group; i < std::min(particles, (part + 1) * group); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        // About the mean, so that squares do not cancel.
        double mean = 0;
        for (std::size_t t = 0; t < count; ++t) {
          u[t] = set.places[(begin + t) * particles + i][axis] - drift[begin + t][axis];
          mean += u[t] / static_cast<double>(count);
        }
        for (double& value : u) value -= mean;
        add_squares(u, room, parts[part][static_cast<std::size_t>(axis)]);
      }
  });
  for (const auto& part : parts)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t lag = 0; lag < count; ++lag)
        result[axis][lag] += part[axis][lag] / static_cast<double>(particles * (count - lag));
  return result;
}

/// The slope of y over x by least squares.
double slope_of(std::span<const double> x, std::span<const double> y) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / static_cast<double>(x.size());
    my += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / xx;
}

constexpr double per_angstrom2_ps = 10;  // 1 angstrom^2/ps is 1e-4 cm^2/s, ten times 1e-5 cm^2/s

}  // namespace

void follow_through_cells(FrameSet& set) {
  for (std::size_t row = 1; row < set.frames.size(); ++row) {
    if (!set.cells[row].exists()) continue;
    const auto before = std::as_const(set).frame(row - 1);
    const auto now = set.frame(row);
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = before[i] + set.cells[row].minimum_image(now[i] - before[i]);
  }
}

FrameSet centres_of(const FrameSet& set, std::span<const std::vector<std::uint32_t>> groups,
                    std::span<const double> weights) {
  FrameSet result;
  result.frames = set.frames;
  result.times = set.times;
  result.cells = set.cells;
  result.selection = set.selection;
  for (const auto& group : groups) result.atoms.push_back(set.atoms[group.front()]);
  result.places.reserve(set.frames.size() * groups.size());
  for (std::size_t row = 0; row < set.frames.size(); ++row)
    for (const auto& group : groups) {
      glm::dvec3 sum(0);
      double all = 0;
      for (const std::uint32_t i : group) {
        sum += weights[i] * set.frame(row)[i];
        all += weights[i];
      }
      result.places.push_back(sum / all);
    }
  return result;
}

MeanSquareDisplacement mean_square_displacement(const FrameSet& set, const MsdOptions& options, Job& job) {
  const std::size_t count = set.frames.size(), particles = set.atoms.size();
  if (count < 4)
    throw Error(fmt::format("a mean square displacement takes at least 4 frames, there are {}", count),
                Error::Kind::usage);
  if (!(options.step > 0)) throw Error("the time between frames must be above 0", Error::Kind::usage);
  std::vector<glm::dvec3> drift(count, glm::dvec3(0));
  for (std::size_t t = 0; t < count && options.without_drift && particles > 1; ++t) {
    for (const glm::dvec3& place : set.frame(t)) drift[t] += place / static_cast<double>(particles);
  }
  const auto parts = displacements(set, drift, 0, count, job);
  MeanSquareDisplacement result;
  result.x = parts[0];
  result.y = parts[1];
  result.z = parts[2];
  for (std::size_t lag = 0; lag < count; ++lag) {
    result.lags.push_back(options.step * static_cast<double>(lag));
    result.values.push_back(parts[0][lag] + parts[1][lag] + parts[2][lag]);
  }
  const auto longest = static_cast<double>(count - 1);
  result.from = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(options.first * longest - 1e-9)));
  result.to = static_cast<std::size_t>(std::floor(options.last * longest + 1e-9));
  if (result.to >= count || result.to < result.from + 2)
    throw Error(fmt::format("the line is to be fitted from lag {} to {}, of {} lags; it takes three", result.from,
                            result.to, count - 1),
                Error::Kind::usage);
  const std::size_t fitted = result.to - result.from + 1;
  const auto of_fit = [&](const std::vector<double>& values) { return std::span(values).subspan(result.from, fitted); };
  result.diffusion = per_angstrom2_ps * slope_of(of_fit(result.lags), of_fit(result.values)) / 6;
  std::vector<double> log_lags, log_values;
  for (std::size_t lag = result.from; lag <= result.to; ++lag) {
    log_lags.push_back(std::log(result.lags[lag]));
    log_values.push_back(std::log(std::max(result.values[lag], std::numeric_limits<double>::min())));
  }
  result.exponent = slope_of(log_lags, log_values);
  // Each part of the time has a line of its own, over the same part of its lags.
  result.error = std::numeric_limits<double>::quiet_NaN();
  const std::size_t length = options.blocks > 1 ? count / options.blocks : 0;
  const auto from = std::max<std::size_t>(1, static_cast<std::size_t>(options.first * static_cast<double>(length)));
  const auto to = static_cast<std::size_t>(options.last * static_cast<double>(length));
  if (length < 8 || to < from + 2) return result;
  double sum = 0, squares = 0;
  for (std::size_t b = 0; b < options.blocks; ++b) {
    const auto part = displacements(set, drift, b * length, (b + 1) * length, job);
    std::vector<double> values;
    for (std::size_t lag = from; lag <= to; ++lag) values.push_back(part[0][lag] + part[1][lag] + part[2][lag]);
    const double d = per_angstrom2_ps * slope_of(std::span(result.lags).subspan(from, values.size()), values) / 6;
    sum += d;
    squares += d * d;
  }
  const auto n = static_cast<double>(options.blocks);
  result.error = std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1) / n);
  return result;
}

std::vector<double> mean_square_displacement_reference(const FrameSet& set) {
  const std::size_t count = set.frames.size(), particles = set.atoms.size();
  std::vector<double> values(count, 0);
  for (std::size_t lag = 0; lag < count; ++lag) {
    for (std::size_t t = 0; t + lag < count; ++t)
      for (std::size_t i = 0; i < particles; ++i) {
        const glm::dvec3 d = set.frame(t + lag)[i] - set.frame(t)[i];
        values[lag] += glm::dot(d, d);
      }
    values[lag] /= static_cast<double>(particles * (count - lag));
  }
  return values;
}

}  // namespace isolume
