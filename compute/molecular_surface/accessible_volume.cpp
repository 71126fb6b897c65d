// The volume within a solvent-accessible surface.
#include "compute/molecular_surface/accessible_volume.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isolume {

double accessible_volume(std::span<const DensityAtom> atoms, double probe_radius, const Grid& nodes, Job& job) {
  std::vector<float> depth(nodes.size());
  molecular_surface(atoms, nodes, {SolventSurface::accessible, static_cast<float>(probe_radius)}, Span<float>(depth),
                    {}, job);
  const double cell = nodes.step[0][0] * nodes.step[1][1] * nodes.step[2][2], step = std::cbrt(cell);
  double sum = 0;
  for (const float below : depth) sum += std::clamp(0.5 + static_cast<double>(below) / step, 0.0, 1.0);
  return sum * cell;
}

}  // namespace isolume
