// Rotations of pairs of orbitals that make a sum of squares largest.
#include "compute/orbitals/jacobi_sweeps.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr double steep = 1e-8;  ///< gradient of a functional that is not yet at its maximum
constexpr double flat = 1e-13;  ///< a pair below it has no angle of its own
constexpr std::size_t most_sweeps = 2000;
constexpr std::size_t worth_threads = 200'000;  ///< multiplications of a round

/// Round `round` of a tournament of `players` (even): each meets each other once in players - 1 rounds.
std::pair<std::size_t, std::size_t> pair_of(std::size_t round, std::size_t k, std::size_t players) {
  const std::size_t around = players - 1;
  if (k == 0) return {round, around};
  return {(round + k) % around, (round + around - k) % around};
}

void rotate(std::vector<double>& rows, std::size_t width, std::size_t i, std::size_t j, double c, double s) {
  double* a = rows.data() + i * width;
  double* b = rows.data() + j * width;
  for (std::size_t m = 0; m < width; ++m) {
    const double x = a[m], y = b[m];
    a[m] = c * x + s * y;
    b[m] = c * y - s * x;
  }
}

struct Pair {
  double rise = 0;   ///< A: the functional gains A (1 - cos 4t) + B sin 4t by the angle t
  double slope = 0;  ///< B
};

Pair pair_terms(const std::vector<double>& diagonal, std::size_t i, std::size_t j, const std::vector<double>& between) {
  Pair pair;
  const std::size_t terms = between.size();
  for (std::size_t k = 0; k < terms; ++k) {
    const double apart = diagonal[i * terms + k] - diagonal[j * terms + k];
    pair.rise += between[k] * between[k] - apart * apart / 4;
    pair.slope += between[k] * apart;
  }
  return pair;
}

}  // namespace

void SweepRows::products(std::size_t i, std::size_t j, double* q) const {
  const double* li = left.data() + i * width;
  const double* lj = left.data() + j * width;
  for (const std::vector<double>& image : images) {
    const double* si = image.data() + i * width;
    const double* sj = image.data() + j * width;
    for (std::size_t block = 0; block + 1 < blocks.size(); ++block) {
      double sum = 0;
      for (std::size_t m = blocks[block]; m < blocks[block + 1]; ++m) sum += li[m] * sj[m] + lj[m] * si[m];
      *q++ = sum / 2;
    }
  }
}

SweepResult maximise_by_sweeps(SweepRows rows, Job& job) {
  const std::size_t n = rows.count, terms = rows.terms();
  SweepResult result;
  result.rotation.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) result.rotation[i * n + i] = 1;
  std::vector<double> diagonal(n * terms);
  for (std::size_t i = 0; i < n; ++i) rows.products(i, i, diagonal.data() + i * terms);
  const std::size_t players = n + n % 2;
  std::vector<double> gradients(players / 2), saddles(players / 2);
  while (n > 1 && !result.converged && result.sweeps < most_sweeps) {
    std::fill(gradients.begin(), gradients.end(), 0.0);
    std::fill(saddles.begin(), saddles.end(), 0.0);
    for (std::size_t round = 0; round + 1 < players; ++round) {
      const auto turn = [&](std::size_t k) {
        auto [i, j] = pair_of(round, k, players);
        if (i > j) std::swap(i, j);
        if (j >= n) return;  // stands for none where their number is odd
        std::vector<double> between(terms);
        rows.products(i, j, between.data());
        const Pair pair = pair_terms(diagonal, i, j, between);
        gradients[k] = std::max(gradients[k], 4 * std::abs(pair.slope));
        saddles[k] = std::max(saddles[k], pair.rise);
        if (std::hypot(pair.rise, pair.slope) < flat) return;
        const double angle = std::atan2(pair.slope, -pair.rise) / 4;
        const double c = std::cos(angle), s = std::sin(angle);
        rotate(rows.left, rows.width, i, j, c, s);
        for (std::vector<double>& image : rows.images) rotate(image, rows.width, i, j, c, s);
        rotate(result.rotation, n, i, j, c, s);
        rows.products(i, i, diagonal.data() + i * terms);
        rows.products(j, j, diagonal.data() + j * terms);
      };
      if (players / 2 * rows.width * rows.images.size() > worth_threads) {
        parallel_for(players / 2, job, "localised orbitals", turn);
      } else {
        job.check();
        for (std::size_t k = 0; k < players / 2; ++k) turn(k);
      }
    }
    ++result.sweeps;
    result.gradient = *std::max_element(gradients.begin(), gradients.end());
    result.converged = result.gradient < steep && *std::max_element(saddles.begin(), saddles.end()) < steep;
  }
  if (n <= 1) result.converged = true;
  for (const double q : diagonal) result.functional += q * q;
  return result;
}

}  // namespace isolume
