// The potential of a quantum density on CUDA: sources on the device, and the launches over grids and points.
#include <algorithm>
#include <array>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/density_potential_tiles.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using namespace potential_tiles;

constexpr std::size_t wanted_blocks = 1024;   // of a launch, so that no multiprocessor waits
constexpr std::size_t most_points = 1 << 20;  // of a launch
constexpr std::size_t most_parts = 256;       // of the sources
constexpr std::size_t least_room = wanted_blocks * threads;

StepTable make_steps() {
  StepTable table{};
  for (int h = 0; h < hermite_count(most_boys_order); ++h) {
    const Step step = step_of(h);
    table.axis[h] = static_cast<signed char>(step.axis);
    table.factor[h] = static_cast<signed char>(step.factor);
    table.lower[h] = static_cast<short>(step.lower);
    table.lowest[h] = static_cast<short>(step.lowest);
    if (h >= hermite_count(most_boys_order - 1)) continue;
    for (int axis = 0; axis < 3; ++axis) table.raised[axis][h] = static_cast<short>(raised_of(h, axis));
  }
  return table;
}

std::vector<double> nuclei_of(const PotentialSources& sources) {
  std::vector<double> nuclei;
  for (std::size_t a = 0; a < sources.centres.size(); ++a) {
    if (sources.charges[a] == 0) continue;
    const glm::dvec3 at = sources.centres[a];
    nuclei.insert(nuclei.end(), {at.x, at.y, at.z, sources.charges[a]});
  }
  return nuclei;
}

template <bool field, int... orders>
auto unrolled(int order, std::integer_sequence<int, orders...>) {
  using Kernel = void (*)(Task);
  Kernel kernel = nullptr;
  ((order == orders ? void(kernel = unrolled_kernel<orders, field>) : void()), ...);
  return kernel;
}

/// What one computation has on the device.
class DeviceSources {
 public:
  DeviceSources(const PotentialSources& from, std::size_t points, const Stream& stream)
      : stream_(stream),
        sources_(DeviceArray<HermiteSource>::from_host(from.density.sources, stream, "pairs of functions")),
        coefficients_(DeviceArray<double>::from_host(from.density.coefficients, stream, "pairs of functions")),
        boys_(DeviceArray<double>::from_host(boys_table(), stream, "table of the Boys function")),
        sums_(4 * std::max(std::min(points, most_points), least_room), stream, "sums of the potential") {
    const std::vector<double> nuclei = nuclei_of(from);
    nucleus_count_ = static_cast<unsigned>(nuclei.size() / 4);
    nuclei_ = DeviceArray<double>::from_host(nuclei, stream, "nuclei");
    const std::array<StepTable, 1> steps{make_steps()};
    steps_ = DeviceArray<StepTable>::from_host(steps, stream, "steps of the recursion");
    // The sources are ordered by their order.
    for (std::size_t s = 0; s < from.density.sources.size();) {
      const int order = from.density.sources[s].order;
      std::size_t end = s;
      while (end < from.density.sources.size() && from.density.sources[end].order == order) ++end;
      ranges_.push_back({order, static_cast<unsigned>(s), static_cast<unsigned>(end)});
      s = end;
    }
    task.sources = sources_.data();
    task.coefficients = coefficients_.data();
    task.boys = boys_.data();
    task.sums = sums_.data();
    task.steps = steps_.data();
  }

  /// Points of the first launches, which are short on any device.
  std::size_t first_slice() const { return (std::size_t{1} << 28) / (sources_.size() + 1); }

  template <bool field>
  void run(std::size_t begin, std::size_t points, const Output& out) {
    for (std::size_t first = begin; first < begin + points; first += most_points) {
      const std::size_t count = std::min(most_points, begin + points - first);
      const std::size_t blocks = (count + threads - 1) / threads;
      task.first = first;
      task.count = static_cast<unsigned>(count);
      task.parts = static_cast<unsigned>(std::clamp<std::size_t>(wanted_blocks / blocks, 1, most_parts));
      const CudaDim grid{static_cast<unsigned>(blocks), task.parts, 1};
      const CudaDim block{static_cast<unsigned>(threads), 1, 1};
      launch("density potential: nuclei", stream_, start_kernel<field>, grid, block, task, nuclei_.data(),
             nucleus_count_);
      for (const Range& range : ranges_) {
        task.begin = range.begin;
        task.end = range.end;
        const auto kernel =
            unrolled<field>(range.order, std::make_integer_sequence<int, most_unrolled + (field ? 0 : 1)>());
        if (kernel) {
          launch("density potential: pairs", stream_, kernel, grid, block, task);
        } else {
          launch("density potential: pairs", stream_, any_order_kernel<field>, grid, block, task, range.order);
        }
      }
      launch("density potential: sum", stream_, finish_kernel<field>, {static_cast<unsigned>(blocks), 1, 1}, block,
             task, out);
    }
  }

  Task task{};

 private:
  struct Range {
    int order;
    unsigned begin, end;
  };
  const Stream& stream_;
  DeviceArray<HermiteSource> sources_;
  DeviceArray<double> coefficients_, boys_, sums_, nuclei_;
  DeviceArray<StepTable> steps_;
  std::vector<Range> ranges_;
  unsigned nucleus_count_ = 0;
};

void run(DeviceSources& on_device, bool field, std::size_t points, const Output& out, Stream& stream, Job& job) {
  const char* what = "potential of the density";
  for_slices(points, on_device.first_slice(), stream, job, what, [&](std::size_t begin, std::size_t count) {
    if (field) {
      on_device.run<true>(begin, count, out);
    } else {
      on_device.run<false>(begin, count, out);
    }
  });
  stream.synchronize(what);
}

}  // namespace

void potential_at_points_cuda(const PotentialSources& sources, std::span<const glm::dvec3> points,
                              std::span<double> potential, std::span<glm::dvec3> field, Device device, Job& job) {
  if (points.empty()) return;
  Stream stream(device);
  DeviceSources on_device(sources, points.size(), stream);
  static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
  const auto list = DeviceArray<glm::dvec3>::from_host(points, stream, "points of the potential");
  DeviceArray<double> values(points.size(), stream, "values of the potential");
  DeviceArray<glm::dvec3> slopes(field.empty() ? 0 : points.size(), stream, "values of the field");
  on_device.task.list = reinterpret_cast<const double*>(list.data());
  Output out{};
  out.potential = values.data();
  out.field = reinterpret_cast<double*>(slopes.data());
  run(on_device, !field.empty(), points.size(), out, stream, job);
  std::ranges::copy(values.copy_to_host(), potential.begin());
  if (!field.empty()) std::ranges::copy(slopes.copy_to_host(), field.begin());
}

void potential_on_grid_cuda(const PotentialSources& sources, bool field, double factor, const Grid& grid,
                            Span<float> values, Job& job) {
  Stream stream(values.device);
  DeviceSources on_device(sources, grid.size(), stream);
  Task& task = on_device.task;
  for (int axis = 0; axis < 3; ++axis) {
    task.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    for (int c = 0; c < 3; ++c) task.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
  }
  task.counts[0] = static_cast<unsigned>(grid.counts.x);
  task.counts[1] = static_cast<unsigned>(grid.counts.y);
  Output out{};
  out.values = values.data;
  out.factor = factor;
  run(on_device, field, grid.size(), out, stream, job);
}

}  // namespace isolume
