// The RMSD of every frame to every other, straight from superpositions.
#include "compute/analysis/superposition.h"
#include "compute/trajectory/rmsd_matrix.h"

namespace isolume {

RmsdMatrix rmsd_matrix_reference(const FrameSet& set, bool superposed) {
  const std::size_t count = set.frames.size();
  RmsdMatrix matrix{count, std::vector<float>(count * count, 0)};
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) continue;
      const double value = superposed ? superpose(set.frame(a), set.frame(b)).rmsd : rmsd(set.frame(a), set.frame(b));
      matrix.values[a * count + b] = static_cast<float>(value);
    }
  return matrix;
}

}  // namespace isolume
