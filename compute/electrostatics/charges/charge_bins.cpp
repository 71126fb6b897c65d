// ChargeBins: a counting sort of charges by boxes.
#include "compute/electrostatics/charges/charge_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

void grid_bounds(const Grid& grid, const RowFrame& frame, glm::dvec3& lower, glm::dvec3& upper) {
  lower = glm::dvec3(std::numeric_limits<double>::infinity());
  upper = -lower;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p = frame.point((corner & 1) ? grid.counts.x - 1 : 0, (corner & 2) ? grid.counts.y - 1 : 0,
                                     (corner & 4) ? grid.counts.z - 1 : 0);
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
}

namespace {

struct Framed {
  double x, y, z;
  float charge;
  std::uint32_t box;
};

}  // namespace

ChargeBins bin_charges(std::span<const PointCharge> charges, const Grid& grid, const RowFrame& frame, double reach,
                       double side, double scale, const ChargeImages& images, Job& job) {
  const PhaseTimer timer("charges into bins");
  ChargeBins bins;
  glm::dvec3 lower;
  glm::dvec3 upper;
  grid_bounds(grid, frame, lower, upper);
  bins.lower = lower - reach;
  const glm::dvec3 extent = upper - lower + 2 * reach;
  // Never many more boxes than charges.
  const double volume = extent.x * extent.y * extent.z;
  const double most = 4.0 * static_cast<double>(charges.size()) + 4096.0;
  bins.side = std::max(side, std::cbrt(volume / most));
  for (int i = 0; i < 3; ++i) {
    bins.side = std::max(bins.side, extent[i] / 30000.0);
  }
  for (int i = 0; i < 3; ++i) bins.counts[i] = static_cast<int>(extent[i] / bins.side) + 1;
  const std::size_t boxes = static_cast<std::size_t>(bins.counts.x) * static_cast<std::size_t>(bins.counts.y) *
                            static_cast<std::size_t>(bins.counts.z);

  // In parts, so that threads share the work and the order does not depend on their number.
  const std::size_t part_size = 32768;
  const std::size_t parts = (charges.size() + part_size - 1) / part_size;
  std::vector<std::vector<Framed>> framed(parts);
  parallel_for(parts, job, "sorting charges", [&](std::size_t part) {
    auto& list = framed[part];
    const std::size_t end = std::min(charges.size(), (part + 1) * part_size);
    list.reserve(end - part * part_size);
    for (std::size_t i = part * part_size; i < end; ++i) {
      if (charges[i].charge == 0) continue;
      for_images(frame.to_frame(charges[i].position), images, lower, upper, reach, [&](glm::dvec3 p) {
        std::size_t box = 0;
        for (int axis = 2; axis >= 0; --axis) {
          const int at =
              std::clamp(static_cast<int>((p[axis] - bins.lower[axis]) / bins.side), 0, bins.counts[axis] - 1);
          box = box * static_cast<std::size_t>(bins.counts[axis]) + static_cast<std::size_t>(at);
        }
        list.push_back({p.x, p.y, p.z, static_cast<float>(static_cast<double>(charges[i].charge) * scale),
                        static_cast<std::uint32_t>(box)});
      });
    }
  });
  std::size_t total = 0;
  for (const auto& list : framed) total += list.size();
  if (total > std::numeric_limits<std::uint32_t>::max()) throw Error("potential: more images of charges than 2^32");
  bins.first.assign(boxes + 1, 0);
  for (const auto& list : framed) {
    for (const Framed& c : list) ++bins.first[c.box + 1];
  }
  for (std::size_t i = 0; i < boxes; ++i) bins.first[i + 1] += bins.first[i];
  std::vector<std::uint32_t> next(bins.first.begin(), bins.first.end() - 1);
  bins.x.resize(total);
  bins.y.resize(total);
  bins.z.resize(total);
  bins.charge.resize(total);
  for (const auto& list : framed) {
    for (const Framed& c : list) {
      const std::uint32_t at = next[c.box]++;
      bins.x[at] = c.x;
      bins.y[at] = c.y;
      bins.z[at] = c.z;
      bins.charge[at] = c.charge;
    }
  }
  job.check();
  return bins;
}

}  // namespace isolume
