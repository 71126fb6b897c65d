// The RMSD of every frame to every other, on the CPU.
#include "compute/trajectory/rmsd_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t lanes = 4;  // sums kept apart, so that they fill a vector register

/// x, y and z of a frame apart, filled up with 0 to whole lanes.
struct Columns {
  std::vector<double> x, y, z;
  double squares = 0;
};

Columns columns_of(std::span<const glm::dvec3> places) {
  const std::size_t room = (places.size() + lanes - 1) / lanes * lanes;
  Columns c{std::vector<double>(room, 0), std::vector<double>(room, 0), std::vector<double>(room, 0), 0};
  for (std::size_t i = 0; i < places.size(); ++i) {
    c.x[i] = places[i].x;
    c.y[i] = places[i].y;
    c.z[i] = places[i].z;
    c.squares += glm::dot(places[i], places[i]);
  }
  return c;
}

/// sum over atoms of u v, for all nine pairs of u of a and v of b.
std::array<double, 9> products(const Columns& a, const Columns& b) {
  double sums[9][lanes] = {};
  for (std::size_t i = 0; i < a.x.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const double ax = a.x[i + k], ay = a.y[i + k], az = a.z[i + k];
      const double bx = b.x[i + k], by = b.y[i + k], bz = b.z[i + k];
      sums[0][k] += ax * bx;
      sums[1][k] += ax * by;
      sums[2][k] += ax * bz;
      sums[3][k] += ay * bx;
      sums[4][k] += ay * by;
      sums[5][k] += ay * bz;
      sums[6][k] += az * bx;
      sums[7][k] += az * by;
      sums[8][k] += az * bz;
    }
  std::array<double, 9> result{};
  for (std::size_t q = 0; q < 9; ++q) result[q] = (sums[q][0] + sums[q][1]) + (sums[q][2] + sums[q][3]);
  return result;
}

double determinant(const double (&m)[4][4]) {
  const double s0 = m[0][0] * m[1][1] - m[1][0] * m[0][1], s1 = m[0][0] * m[1][2] - m[1][0] * m[0][2];
  const double s2 = m[0][0] * m[1][3] - m[1][0] * m[0][3], s3 = m[0][1] * m[1][2] - m[1][1] * m[0][2];
  const double s4 = m[0][1] * m[1][3] - m[1][1] * m[0][3], s5 = m[0][2] * m[1][3] - m[1][2] * m[0][3];
  const double c5 = m[2][2] * m[3][3] - m[3][2] * m[2][3], c4 = m[2][1] * m[3][3] - m[3][1] * m[2][3];
  const double c3 = m[2][1] * m[3][2] - m[3][1] * m[2][2], c2 = m[2][0] * m[3][3] - m[3][0] * m[2][3];
  const double c1 = m[2][0] * m[3][2] - m[3][0] * m[2][2], c0 = m[2][0] * m[3][1] - m[3][0] * m[2][1];
  return s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0;
}

/// The largest eigenvalue of Horn's matrix of these sums, which is at most `above`.
double largest_eigenvalue(const std::array<double, 9>& s, double above) {
  const double xx = s[0], xy = s[1], xz = s[2], yx = s[3], yy = s[4], yz = s[5], zx = s[6], zy = s[7], zz = s[8];
  const double m[4][4] = {{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                          {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                          {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                          {xy - yx, zx + xz, yz + zy, zz - xx - yy}};
  // t^4 + c2 t^2 + c1 t + c0: the trace is 0.
  double c2 = 0;
  for (const double v : s) c2 -= 2 * v * v;
  const double c1 = -8 * (xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx));
  const double c0 = determinant(m);
  // From above all roots Newton's steps go down to the largest one.
  double t = above;
  for (int i = 0; i < 100; ++i) {
    const double square = t * t;
    const double value = square * square + c2 * square + c1 * t + c0;
    const double slope = 4 * square * t + 2 * c2 * t + c1;
    if (!(std::abs(slope) > 0)) break;
    const double step = value / slope;
    t -= step;
    if (std::abs(step) <= 1e-14 * std::abs(t)) break;
  }
  return t;
}

}  // namespace

std::size_t rmsd_matrix_memory(const FrameSet& set) {
  const std::size_t room = (set.atoms.size() + lanes - 1) / lanes * lanes;
  return set.frames.size() * (set.frames.size() * sizeof(float) + room * 3 * sizeof(double));
}

RmsdMatrix rmsd_matrix(const FrameSet& set, bool superposed, Job& job) {
  const std::size_t count = set.frames.size();
  if (superposed && set.atoms.size() < 3) throw Error("superposing takes at least 3 atoms", Error::Kind::usage);
  require_memory(rmsd_matrix_memory(set), Device::cpu(), "RMSD matrix");
  std::vector<Columns> columns(count);
  parallel_for(count, job, "RMSD matrix", [&](std::size_t i) {
    std::vector<glm::dvec3> places(set.frame(i).begin(), set.frame(i).end());
    if (superposed) {
      glm::dvec3 centre(0);
      for (const glm::dvec3& place : places) centre += place / static_cast<double>(places.size());
      for (glm::dvec3& place : places) place -= centre;
    }
    columns[i] = columns_of(places);
  });
  RmsdMatrix matrix{count, std::vector<float>(count * count, 0)};
  const auto atoms = static_cast<double>(set.atoms.size());
  // Row k and row count - 1 - k together are always as long.
  parallel_for((count + 1) / 2, job, "RMSD matrix", [&](std::size_t k) {
    for (const std::size_t row : {k, count - 1 - k}) {
      for (std::size_t other = row + 1; other < count; ++other) {
        if (other % 256 == 0) job.check();
        const double both = columns[row].squares + columns[other].squares;
        const std::array<double, 9> sums = products(columns[row], columns[other]);
        const double shared = superposed ? largest_eigenvalue(sums, 0.5 * both) : sums[0] + sums[4] + sums[8];
        const double value = std::sqrt(std::max(0.0, both - 2 * shared) / atoms);
        matrix.values[row * count + other] = matrix.values[other * count + row] = static_cast<float>(value);
      }
      if (k == count - 1 - k) break;
    }
  });
  return matrix;
}

}  // namespace isolume
