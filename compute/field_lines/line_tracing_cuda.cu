// Lines followed through a field on CUDA: a thread for each line, some hundred steps a launch.
#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/field_lines/line_tracing_body.h"

namespace isolume {
namespace {

constexpr int block_size = 32;                // few lines, each long: on as many multiprocessors as there are
constexpr std::uint32_t steps_at_once = 256;  // so that a launch is short and a job can be cancelled

/// A line in progress.
struct Walker {
  LinePoint place;
  double sign;
  std::uint32_t points;  // so far
  LineGoes goes;
};

/// Points of each line in this launch: out[step * lines + line], x, y, z and the value.
__global__ void __launch_bounds__(block_size)
    walk_kernel(LineGrid grid, LineSpheres spheres, LineSteps steps, Walker* __restrict__ walkers, unsigned lines,
                std::uint32_t most, float4* __restrict__ out) {
  const unsigned line = blockIdx.x * block_size + threadIdx.x;
  if (line >= lines) return;
  Walker walker = walkers[line];
  for (std::uint32_t n = 0; n < steps_at_once && walker.goes == LineGoes::on && walker.points < most; ++n) {
    bool was_put = false;
    walker.goes =
        line_step(grid, spheres, steps, walker.sign, walker.points == 0, walker.place, [&](LinePoint p, double value) {
          out[std::size_t{n} * lines + line] = {static_cast<float>(p.x), static_cast<float>(p.y),
                                                static_cast<float>(p.z), static_cast<float>(value)};
          was_put = true;
        });
    if (was_put) ++walker.points;
  }
  walkers[line] = walker;
}

}  // namespace

std::vector<TracedLine> trace_lines_cuda(const LineGrid& grid, Span<const float> values,
                                         std::span<const LineSeed> seeds, const SphereCells& cells,
                                         const LineTracing& options, Job& job) {
  const char* what = "field lines";
  Stream stream(values.device);
  LineSpheres spheres = cells.view;
  DeviceArray<float> sphere_values;
  DeviceArray<std::uint32_t> starts;
  if (!cells.spheres.empty()) {
    sphere_values = DeviceArray<float>::from_host({&cells.spheres.front().x, 4 * cells.spheres.size()}, stream, what);
    starts = DeviceArray<std::uint32_t>::from_host(cells.starts, stream, what);
    spheres.spheres = sphere_values.data();
    spheres.starts = starts.data();
  }
  const LineSteps steps{options.step, options.least, options.within};
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(options.most, 0x7fffffff));
  std::vector<TracedLine> lines(seeds.size());
  constexpr std::size_t lines_at_once = 8192;  // 32 MiB of points
  for (std::size_t begin = 0; begin < seeds.size(); begin += lines_at_once) {
    const std::size_t count = std::min(lines_at_once, seeds.size() - begin);
    std::vector<Walker> walkers;
    for (const LineSeed& seed : seeds.subspan(begin, count))
      walkers.push_back({{seed.place.x, seed.place.y, seed.place.z}, seed.sign, 0, LineGoes::on});
    auto there = DeviceArray<Walker>::from_host(walkers, stream, what);
    DeviceArray<float4> out(count * steps_at_once, stream, what);
    std::vector<float4> points(count * steps_at_once);
    for (bool some = true; some;) {
      job.check();
      const std::vector<Walker> before = walkers;
      launch(what, stream, walk_kernel, blocks_for(count, block_size), CudaDim{block_size, 1, 1}, grid, spheres, steps,
             there.data(), static_cast<unsigned>(count), most, out.data());
      copy_memory(walkers.data(), Device::cpu(), there.data(), values.device, count * sizeof(Walker), stream.handle());
      std::uint32_t longest = 0;
      for (std::size_t i = 0; i < count; ++i) longest = std::max(longest, walkers[i].points - before[i].points);
      copy_memory(points.data(), Device::cpu(), out.data(), values.device, longest * count * sizeof(float4),
                  stream.handle());
      some = false;
      for (std::size_t i = 0; i < count; ++i) {
        TracedLine& traced = lines[begin + i];
        for (std::uint32_t n = 0; n < walkers[i].points - before[i].points; ++n) {
          const float4 p = points[std::size_t{n} * count + i];
          traced.line.points.emplace_back(p.x, p.y, p.z);
          traced.line.values.push_back(p.w);
        }
        const LineGoes goes = walkers[i].goes;
        traced.end = goes == LineGoes::border    ? LineEnd::border
                     : goes == LineGoes::surface ? LineEnd::surface
                                                 : LineEnd::nowhere;
        some = some || (goes == LineGoes::on && walkers[i].points < most);
      }
    }
  }
  return lines;
}

}  // namespace isolume
