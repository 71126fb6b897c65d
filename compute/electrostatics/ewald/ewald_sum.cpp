// Ewald's sum of many charges at many points.
#include "compute/electrostatics/ewald/ewald_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;
constexpr double deep = 4.8;  // erfc(4.8) = 1.1e-11, exp(-4.8^2) = 1e-10

/// Waves (a, b, c) of one b and c: a from first to last. Only one of k and -k is there; its part counts twice.
struct Row {
  int b = 0, c = 0, first = 0, last = 0;
  std::size_t offset = 0;  ///< of its first factor
};

/// exp(2 pi i n s) for n from -highest to highest: cosines, then sines.
void powers(double s, int highest, double* cosine, double* sine) {
  const double x1 = std::cos(2 * pi * s);
  const double y1 = std::sin(2 * pi * s);
  double x = 1;
  double y = 0;
  for (int n = 0; n <= highest; ++n) {
    cosine[highest + n] = x;
    cosine[highest - n] = x;
    sine[highest + n] = y;
    sine[highest - n] = -y;
    const double next = x * x1 - y * y1;
    y = x * y1 + y * x1;
    x = next;
  }
}

}  // namespace

struct EwaldSum::Sums {
  glm::dmat3 vectors, inverse;
  double volume = 0, alpha = 0, reach = 0, background = 0;
  glm::ivec3 waves{0};
  std::vector<Row> rows;
  std::vector<double> re, im;  ///< factors times what does not depend on the point

  // Charges in boxes of the cell, for the short-range sum: those of box i are order[starts[i]] to order[starts[i + 1]].
  glm::ivec3 boxes{1}, reach_boxes{0};
  std::vector<std::uint32_t> starts;
  struct Placed {
    glm::dvec3 fraction;  ///< in [0, 1)
    double charge;
  };
  std::vector<Placed> placed;

  void choose(std::size_t charges, std::size_t points);
  void make_rows();
  void place(std::span<const PointCharge> charges);
  void sum_factors(Job& job);
  double at(glm::dvec3 point, std::vector<double>& buffer) const;
};

void EwaldSum::Sums::choose(std::size_t charges, std::size_t points) {
  // Operations: pairs within reach cost about thirty times a wave of a charge or point.
  const double n = static_cast<double>(charges);
  const double p = static_cast<double>(std::max<std::size_t>(1, points));
  double best = 1e300;
  const double shortest = std::cbrt(volume);
  for (double r = 0.1 * shortest; r < 4 * shortest; r *= 1.1) {
    const double a = deep / r;
    const double k = 2 * a * deep;
    const double half = 4.0 / 3.0 * pi * k * k * k * volume / std::pow(2 * pi, 3) / 2;
    const double pairs = p * std::max(1.0, n * 4.0 / 3.0 * pi * r * r * r / volume);
    const double cost = half * (n + p) + 30 * pairs;
    if (cost >= best) continue;
    best = cost;
    alpha = a;
    reach = r;
  }
}

void EwaldSum::Sums::make_rows() {
  const glm::dmat3 reciprocal = 2 * pi * glm::transpose(inverse);
  const double highest = 2 * alpha * deep;
  for (int i = 0; i < 3; ++i) waves[i] = static_cast<int>(highest * glm::length(vectors[i]) / (2 * pi));
  std::size_t offset = 0;
  for (int c = 0; c <= waves.z; ++c) {
    for (int b = c == 0 ? 0 : -waves.y; b <= waves.y; ++b) {
      // |a g + h|^2 <= highest^2 for a between the roots.
      const glm::dvec3 h = reciprocal * glm::dvec3(0, b, c);
      const glm::dvec3 g = reciprocal[0];
      const double gg = glm::dot(g, g);
      const double middle = -glm::dot(g, h) / gg;
      const double square = middle * middle - (glm::dot(h, h) - highest * highest) / gg;
      if (square < 0) continue;
      Row row{b, c, 0, 0, offset};
      row.first = std::max(-waves.x, static_cast<int>(std::ceil(middle - std::sqrt(square))));
      row.last = std::min(waves.x, static_cast<int>(std::floor(middle + std::sqrt(square))));
      if (b == 0 && c == 0) row.first = 1;
      if (row.first > row.last) continue;
      offset += static_cast<std::size_t>(row.last - row.first + 1);
      rows.push_back(row);
    }
  }
  re.assign(offset, 0);
  im.assign(offset, 0);
}

void EwaldSum::Sums::place(std::span<const PointCharge> charges) {
  glm::dvec3 heights;
  for (int i = 0; i < 3; ++i) heights[i] = 1 / glm::length(glm::transpose(inverse)[i]);
  const double per_box = std::cbrt(static_cast<double>(charges.size()) / 8.0);
  const double side = std::max(reach / 4, std::cbrt(volume) / std::max(1.0, per_box));
  for (int i = 0; i < 3; ++i) {
    boxes[i] = std::clamp(static_cast<int>(heights[i] / side), 1, 256);
    reach_boxes[i] = static_cast<int>(std::ceil(reach / (heights[i] / boxes[i])));
  }
  std::vector<Placed> all;
  std::vector<std::uint32_t> box;
  all.reserve(charges.size());
  starts.assign(
      static_cast<std::size_t>(boxes.x) * static_cast<std::size_t>(boxes.y) * static_cast<std::size_t>(boxes.z) + 1, 0);
  double total = 0;
  for (const PointCharge& charge : charges) {
    glm::dvec3 fraction = inverse * glm::dvec3(charge.position);
    fraction -= glm::floor(fraction);
    const glm::ivec3 at = glm::min(glm::ivec3(fraction * glm::dvec3(boxes)), boxes - 1);
    all.push_back({fraction, static_cast<double>(charge.charge)});
    box.push_back(static_cast<std::uint32_t>(at.x + boxes.x * (at.y + boxes.y * at.z)));
    ++starts[box.back() + 1];
    total += static_cast<double>(charge.charge);
  }
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  placed.resize(all.size());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < all.size(); ++i) placed[next[box[i]]++] = all[i];
  background = -pi / (alpha * alpha * volume) * total;
}

void EwaldSum::Sums::sum_factors(Job& job) {
  // A fixed number of parts, added in their order: the same sum on any number of threads.
  const std::size_t parts = std::clamp<std::size_t>(placed.size() / 256, 1, 16);
  std::vector<std::vector<double>> partial(parts);
  parallel_for(parts, job, "structure factors", [&](std::size_t part) {
    std::vector<double>& sum = partial[part];
    sum.assign(2 * re.size(), 0);
    std::vector<double> table(2 * static_cast<std::size_t>(2 * (waves.x + waves.y + waves.z) + 3));
    double* cx = table.data();
    double* sx = cx + (2 * waves.x + 1);
    double* cy = sx + (2 * waves.x + 1);
    double* sy = cy + (2 * waves.y + 1);
    double* cz = sy + (2 * waves.y + 1);
    double* sz = cz + (2 * waves.z + 1);
    const std::size_t begin = placed.size() * part / parts;
    const std::size_t end = placed.size() * (part + 1) / parts;
    for (std::size_t j = begin; j < end; ++j) {
      if (j % 64 == 0) job.check();
      const Placed& charge = placed[j];
      powers(-charge.fraction.x, waves.x, cx, sx);
      powers(-charge.fraction.y, waves.y, cy, sy);
      powers(-charge.fraction.z, waves.z, cz, sz);
      for (const Row& row : rows) {
        const double yc = cy[waves.y + row.b], ys = sy[waves.y + row.b];
        const double zc = cz[waves.z + row.c], zs = sz[waves.z + row.c];
        const double c = charge.charge * (yc * zc - ys * zs);
        const double s = charge.charge * (yc * zs + ys * zc);
        double* out_re = sum.data() + row.offset;
        double* out_im = out_re + re.size();
        const double* x = cx + waves.x + row.first;
        const double* y = sx + waves.x + row.first;
        const int count = row.last - row.first + 1;
        for (int i = 0; i < count; ++i) {
          out_re[i] += c * x[i] - s * y[i];
          out_im[i] += c * y[i] + s * x[i];
        }
      }
    }
  });
  for (const std::vector<double>& sum : partial) {
    for (std::size_t i = 0; i < re.size(); ++i) {
      re[i] += sum[i];
      im[i] += sum[re.size() + i];
    }
  }
  const glm::dmat3 reciprocal = 2 * pi * glm::transpose(inverse);
  for (const Row& row : rows) {
    for (int a = row.first; a <= row.last; ++a) {
      const glm::dvec3 k = reciprocal * glm::dvec3(a, row.b, row.c);
      const double k2 = glm::dot(k, k);
      const double factor = 8 * pi / (volume * k2) * std::exp(-k2 / (4 * alpha * alpha));
      const std::size_t at = row.offset + static_cast<std::size_t>(a - row.first);
      re[at] *= factor;
      im[at] *= factor;
    }
  }
}

double EwaldSum::Sums::at(glm::dvec3 point, std::vector<double>& table) const {
  glm::dvec3 fraction = inverse * point;
  fraction -= glm::floor(fraction);
  double sum = background;
  const glm::ivec3 home = glm::min(glm::ivec3(fraction * glm::dvec3(boxes)), boxes - 1);
  const double reach2 = reach * reach;
  for (int k = home.z - reach_boxes.z; k <= home.z + reach_boxes.z; ++k) {
    for (int j = home.y - reach_boxes.y; j <= home.y + reach_boxes.y; ++j) {
      for (int i = home.x - reach_boxes.x; i <= home.x + reach_boxes.x; ++i) {
        const glm::ivec3 box(i, j, k);
        const glm::ivec3 image = glm::ivec3(glm::floor(glm::dvec3(box) / glm::dvec3(boxes)));
        const glm::ivec3 inside = box - image * boxes;
        const auto number = static_cast<std::size_t>(inside.x + boxes.x * (inside.y + boxes.y * inside.z));
        for (std::uint32_t n = starts[number]; n < starts[number + 1]; ++n) {
          const glm::dvec3 d = vectors * (placed[n].fraction + glm::dvec3(image) - fraction);
          const double r2 = glm::dot(d, d);
          if (r2 > reach2) continue;
          const double r = std::sqrt(r2);
          sum += placed[n].charge * (r < coincidence ? -2 * alpha / std::sqrt(pi) : std::erfc(alpha * r) / r);
        }
      }
    }
  }
  table.resize(2 * static_cast<std::size_t>(2 * (waves.x + waves.y + waves.z) + 3));
  double* cx = table.data();
  double* sx = cx + (2 * waves.x + 1);
  double* cy = sx + (2 * waves.x + 1);
  double* sy = cy + (2 * waves.y + 1);
  double* cz = sy + (2 * waves.y + 1);
  double* sz = cz + (2 * waves.z + 1);
  powers(fraction.x, waves.x, cx, sx);
  powers(fraction.y, waves.y, cy, sy);
  powers(fraction.z, waves.z, cz, sz);
  for (const Row& row : rows) {
    const double yc = cy[waves.y + row.b], ys = sy[waves.y + row.b];
    const double zc = cz[waves.z + row.c], zs = sz[waves.z + row.c];
    const double c = yc * zc - ys * zs;
    const double s = yc * zs + ys * zc;
    const double* factor_re = re.data() + row.offset;
    const double* factor_im = im.data() + row.offset;
    const double* x = cx + waves.x + row.first;
    const double* y = sx + waves.x + row.first;
    const int count = row.last - row.first + 1;
    double part = 0;
    for (int i = 0; i < count; ++i) {
      part += factor_re[i] * (c * x[i] - s * y[i]) - factor_im[i] * (c * y[i] + s * x[i]);
    }
    sum += part;
  }
  return units::coulomb_volt_angstrom * sum;
}

EwaldSum::EwaldSum(std::span<const PointCharge> charges, const Cell& cell, std::size_t points, Job& job)
    : sums_(std::make_unique<Sums>()) {
  sums_->vectors = cell.vectors;
  sums_->volume = cell.volume();
  if (!(sums_->volume > 0)) throw Error("Ewald sum: the cell has no volume", Error::Kind::usage);
  sums_->inverse = glm::inverse(cell.vectors);
  sums_->choose(charges.size(), points);
  sums_->make_rows();
  sums_->place(charges);
  sums_->sum_factors(job);
}

EwaldSum::~EwaldSum() = default;
EwaldSum::EwaldSum(EwaldSum&&) noexcept = default;
EwaldSum& EwaldSum::operator=(EwaldSum&&) noexcept = default;

void EwaldSum::operator()(std::span<const glm::dvec3> points, std::span<double> potential) const {
  if (points.size() != potential.size()) throw Error("Ewald sum: as many values as points are needed");
  std::vector<double> table;
  for (std::size_t i = 0; i < points.size(); ++i) potential[i] = sums_->at(points[i], table);
}

}  // namespace isolume
