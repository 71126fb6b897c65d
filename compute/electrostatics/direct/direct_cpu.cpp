// Direct Coulomb summation on the CPU: tiles of eight rows over all charges.
#include <algorithm>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/direct_bodies.h"
#include "compute/electrostatics/direct/direct_tile_cpu.h"
#include "molecule/base/units.h"

namespace isolume {

FrameCharges to_frame(std::span<const PointCharge> charges, const RowFrame& frame) {
  FrameCharges result;
  for (auto* list : {&result.x, &result.y, &result.z}) list->reserve(charges.size());
  result.half.reserve(charges.size());
  for (const PointCharge& c : charges) {
    const glm::dvec3 p = frame.to_frame(c.position);
    result.x.push_back(p.x);
    result.y.push_back(p.y);
    result.z.push_back(p.z);
    result.half.push_back(c.charge / 2);
  }
  return result;
}

SignedCharges::SignedCharges(const FrameCharges& charges) {
  std::vector<std::size_t> of_sign[2];
  for (std::size_t i = 0; i < charges.half.size(); ++i) {
    if (charges.half[i] != 0) of_sign[charges.half[i] < 0 ? 1 : 0].push_back(i);
  }
  const std::size_t count = of_sign[0].size() + of_sign[1].size();
  for (auto* list : {&x, &y, &z}) list->reserve(count);
  half.reserve(count);
  const std::size_t parts = (count + block_size - 3) / (block_size - 2);  // shares are rounded
  for (std::size_t part = 0; part < parts; ++part) {
    Block block{half.size(), 0, 0};
    for (const std::vector<std::size_t>& list : of_sign) {
      for (std::size_t n = list.size() * part / parts; n < list.size() * (part + 1) / parts; ++n) {
        x.push_back(charges.x[list[n]]);
        y.push_back(charges.y[list[n]]);
        z.push_back(charges.z[list[n]]);
        half.push_back(charges.half[list[n]]);
      }
      block.count = static_cast<int>(half.size() - block.begin);
      if (&list == of_sign) block.positive = block.count;
    }
    blocks.push_back(block);
  }
}

TileRows tile_of_rows(int i, int count, int j, int k, glm::ivec2 end) {
  TileRows part;
  part.i = i;
  part.count = count;
  for (int r = 0; r < tile_rows; ++r) {
    const glm::ivec2 row(j + r % 4, k + r / 4);
    part.wanted[static_cast<std::size_t>(r)] = row.x < end.x && row.y < end.y;
    part.rows[static_cast<std::size_t>(r)] = glm::min(row, end - 1);
  }
  return part;
}

void direct_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job) {
  const PhaseTimer timer("direct sum");
  const RowFrame frame(grid);
  const SignedCharges framed(to_frame(charges, frame));
  const glm::ivec3 n = grid.counts;
  const int chunks = (n.x + tile_length - 1) / tile_length;
  const int chunk = (n.x + chunks - 1) / chunks;
  const glm::ivec3 tiles((n.x + chunk - 1) / chunk, (n.y + 3) / 4, (n.z + 1) / 2);
  const std::size_t total =
      static_cast<std::size_t>(tiles.x) * static_cast<std::size_t>(tiles.y) * static_cast<std::size_t>(tiles.z);
  parallel_for(total, job, "direct sum", [&](std::size_t t) {
    const int i = static_cast<int>(t % static_cast<std::size_t>(tiles.x)) * chunk;
    const std::size_t rest = t / static_cast<std::size_t>(tiles.x);
    const TileRows part =
        tile_of_rows(i, std::min(chunk, n.x - i), static_cast<int>(rest % static_cast<std::size_t>(tiles.y)) * 4,
                     static_cast<int>(rest / static_cast<std::size_t>(tiles.y)) * 2, glm::ivec2(n.y, n.z));
    alignas(64) double sums[tile_rows * tile_length] = {};
    sum_direct_tile(framed, frame, part, sums, job);
    for (std::size_t r = 0; r < tile_rows; ++r) {
      if (!part.wanted[r]) continue;
      float* to = potential.data + grid.index(part.i, part.rows[r].x, part.rows[r].y);
      for (int x = 0; x < part.count; ++x) {
        to[x] = static_cast<float>(units::coulomb_volt_angstrom * sums[r * tile_length + static_cast<std::size_t>(x)]);
      }
    }
  });
}

}  // namespace isolume
