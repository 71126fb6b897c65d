// Rotations of pairs of orbitals that make a sum of squares largest.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/base/job.h"

namespace isolume {

/// Rows to rotate, and what is added up: q_k(i, j) = (left_i . image_j + left_j . image_i) / 2 over block k of an
/// image.
struct SweepRows {
  std::size_t count = 0, width = 0;
  std::vector<double> left;                 ///< count x width
  std::vector<std::vector<double>> images;  ///< the same of each
  std::vector<std::size_t> blocks;          ///< borders of the blocks in every image: 0 to width, ascending

  std::size_t terms() const { return images.size() * (blocks.size() - 1); }
  /// q_k(i, j) for every k.
  void products(std::size_t i, std::size_t j, double* q) const;
};

struct SweepResult {
  std::vector<double> rotation;  ///< count x count: row i has the new row i in terms of the old ones
  double functional = 0;         ///< sum over rows and k of q_k(i, i)^2
  double gradient = 0;           ///< largest |4 sum_k q_k(i, j) (q_k(i, i) - q_k(j, j))|
  std::size_t sweeps = 0;
  bool converged = false;
};

/// Makes the functional largest. Pairs of one round of a tournament share no row, so that threads change nothing.
SweepResult maximise_by_sweeps(SweepRows rows, Job& job);

}  // namespace isolume
