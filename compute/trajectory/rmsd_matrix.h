// The RMSD of every frame to every other.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/base/job.h"
#include "compute/trajectory/frame_set.h"

namespace isolume {

/// A symmetric matrix of frames, row by row, with 0 on its diagonal.
struct RmsdMatrix {
  std::size_t frames = 0;
  std::vector<float> values;  ///< frames x frames, angstrom
  float at(std::size_t a, std::size_t b) const { return values[a * frames + b]; }
};

/// Root mean square distances of all atoms alike, each pair superposed by itself where `superposed`: the largest
/// eigenvalue of Horn's matrix by Newton's iteration on its characteristic polynomial (D. L. Theobald, Acta Cryst. A 61
/// (2005) 478). CPU, all threads, sums in double precision. Accuracy: 1e-5 angstrom against rmsd_matrix_reference() for
/// molecules of up to 100 angstrom. Bytes: rmsd_matrix_memory(). Throws Error (usage) for fewer than three atoms where
/// they are superposed.
RmsdMatrix rmsd_matrix(const FrameSet& set, bool superposed, Job& job);
std::size_t rmsd_matrix_memory(const FrameSet& set);

/// By superpose() of superposition.h, pair by pair.
RmsdMatrix rmsd_matrix_reference(const FrameSet& set, bool superposed);

}  // namespace isolume
