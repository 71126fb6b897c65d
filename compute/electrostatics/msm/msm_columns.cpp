// How the near sum on CUDA adds the lattices' part along the map's third axis.
#include "compute/electrostatics/msm/msm_columns.h"

#include <algorithm>

#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

MsmColumns msm_columns(const MsmPlan& plan, int k_first, int count) {
  constexpr int group = NearColumn::group;
  const int groups = (count + group - 1) / group;
  MsmColumns c;
  c.first.resize(static_cast<std::size_t>(groups));
  if (!plan.separable) {
    // The points themselves.
    c.z_first = k_first;
    c.layers = groups * group;
    c.width = group;
    c.weights.resize(static_cast<std::size_t>(groups) * group * group);
    for (int g = 0; g < groups; ++g) {
      c.first[static_cast<std::size_t>(g)] = g * group;
      for (int i = 0; i < group; ++i) c.weights[static_cast<std::size_t>((g * group + i) * group + i)] = 1;
    }
    return c;
  }
  const MsmAxis& z = plan.axes[2];
  const int taps = plan.basis.taps();
  const auto node = [&](int k) { return z.first[static_cast<std::size_t>(k_first + k)]; };
  c.z_first = node(0);
  c.layers = node(count - 1) + taps - c.z_first;
  for (int g = 0; g < groups; ++g) {
    c.width = std::max(c.width, node(std::min(g * group + group, count) - 1) + taps - node(g * group));
  }
  c.weights.resize(static_cast<std::size_t>(groups) * static_cast<std::size_t>(c.width) * group);
  for (int g = 0; g < groups; ++g) {
    // The window must end within the layers.
    const int start = std::min(node(g * group) - c.z_first, c.layers - c.width);
    c.first[static_cast<std::size_t>(g)] = start;
    for (int i = 0; i < group && g * group + i < count; ++i) {
      const auto k = static_cast<std::size_t>(k_first + g * group + i);
      for (int m = 0; m < taps; ++m) {
        const int n = z.first[k] - c.z_first + m - start;
        c.weights[(static_cast<std::size_t>(g) * static_cast<std::size_t>(c.width) + static_cast<std::size_t>(n)) *
                      group +
                  static_cast<std::size_t>(i)] =
            z.weights[k * static_cast<std::size_t>(taps) + static_cast<std::size_t>(m)];
      }
    }
  }
  return c;
}

}  // namespace isolume
