// The density's derivatives on CUDA: the arrays on the device, and the launches over grids and points.
#include <algorithm>
#include <type_traits>

#include "compute/base/device_array.h"
#include "compute/base/launch_shared.cuh"
#include "compute/base/slices.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/density_hessian_tiles.cuh"
#include "compute/orbitals/density_part.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using namespace derivative_tiles;
using density_tiles::ShellOrder;

/// What is summed: density, gradient and tau, the Hessian too, or the density with mixed derivatives.
enum class Wanted { value, gradient, hessian, mixed };

Wanted wanted_of(DensityOrder order) {
  return order == DensityOrder::value      ? Wanted::value
         : order == DensityOrder::gradient ? Wanted::gradient
                                           : Wanted::hessian;
}

/// The sets on the device, and the launches over them.
class DeviceSets {
 public:
  DeviceSets(std::span<const DensityFunctions* const> sets, const Stream& stream) {
    for (const DensityFunctions* set : sets) sets_.emplace_back(*set, 0.0f, stream, ShellOrder::by_degree);
    CudaProperties properties;
    cuda_check(cuda_api().properties(stream.device().index, &properties), "properties");
    major_ = properties.major;
  }

  void run(const char* name, const Stream& stream, Wanted wanted, const Points& where, const Output& out,
           std::size_t begin, std::size_t tiles) const {
    Parts parts{};
    for (const density_tiles::DevicePart& set : sets_) parts.part[parts.count++] = set.part;
    const auto run_kernel = [&](auto kernel, unsigned block, std::size_t shared) {
      launch_shared(name, stream, kernel, {static_cast<unsigned>(tiles)}, {block}, shared, where, parts, out,
                    static_cast<unsigned>(begin));
    };
    const unsigned groups = density_sums::groups_of(most_orbitals(), major_), block = 64 * groups;
    const auto run_parts = [&]<int how_much>(std::integral_constant<int, how_much>) {
      const auto run_buffers = [&]<int buffers>(std::integral_constant<int, buffers>) {
        using namespace density_sums;
        if constexpr (how_much == 10) {
          run_kernel(hessian_kernel<buffers>, block, HessianRoom<buffers>::bytes(static_cast<int>(block)));
        } else {
          run_kernel(sums_kernel<how_much, buffers>, block, Room<how_much, buffers>::bytes(static_cast<int>(block)));
        }
      };
      if (groups > density_sums::Shape<4>::most_groups) return run_buffers(std::integral_constant<int, 2>());
      run_buffers(std::integral_constant<int, 1>());
    };
    switch (wanted) {
      case Wanted::value:
        return run_parts(std::integral_constant<int, 1>());
      case Wanted::gradient:
        return run_parts(std::integral_constant<int, 4>());
      case Wanted::hessian:
        return run_parts(std::integral_constant<int, 10>());
      case Wanted::mixed:
        return run_parts(std::integral_constant<int, 8>());
    }
  }
  /// Points of a block.
  static std::size_t points_of(Wanted wanted) {
    if (wanted == Wanted::mixed) return density_sums::Shape<8>::points;
    if (wanted == Wanted::value) return density_sums::Shape<1>::points;
    static_assert(density_sums::Shape<4>::points == points);
    return points;
  }
  /// All of a grid, or its chosen parts.
  void run_grid(Wanted wanted, const Points& where, const Output& out, Stream& stream, Job& job) const {
    const std::size_t depth = points_of(wanted) / 16;
    const std::size_t tiles = where.chosen ? 4 / depth * where.chosen_count
                                           : std::size_t{where.tiles_x} * where.tiles_y *
                                                 ((static_cast<std::size_t>(where.counts[2]) + depth - 1) / depth);
    for_slices(tiles, first_slice(), stream, job, "derivatives of the density",
               [&](std::size_t begin, std::size_t count) {
                 run("density derivatives: tiles", stream, wanted, where, out, begin, count);
               });
  }
  /// Tiles of the first launch, which is short on any device.
  std::size_t first_slice() const {
    std::size_t work = 1;
    for (const density_tiles::DevicePart& set : sets_)
      work += std::size_t{set.part.shell_count} * (set.part.orbitals + 40);
    return (std::size_t{1} << 28) / work;
  }

 private:
  unsigned most_orbitals() const {
    unsigned most = 1;
    for (const density_tiles::DevicePart& set : sets_) most = std::max(most, set.part.orbitals);
    return most;
  }

  std::vector<density_tiles::DevicePart> sets_;
  int major_ = 0;  // of the device's compute capability
};

Points points_of(const Grid& grid, const ChosenParts* chosen = nullptr) {
  Points p{};
  if (chosen) {
    p.chosen = chosen->list;
    p.chosen_count = static_cast<unsigned>(chosen->count);
  }
  for (int axis = 0; axis < 3; ++axis) {
    p.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    p.counts[axis] = grid.counts[axis];
    for (int c = 0; c < 3; ++c) p.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
  }
  p.tiles_x = static_cast<unsigned>((p.counts[0] + 3) / 4);
  p.tiles_y = static_cast<unsigned>((p.counts[1] + 3) / 4);
  return p;
}

/// Sums of `count` points of each set, all numbers of a point together.
Output by_point(std::size_t count) {
  Output out{};
  out.of_point = most_sums;
  out.of_number = 1;
  out.of_set = count * most_sums;
  return out;
}

DensityDerivatives derivatives_of(const double* sums, DensityOrder order) {
  DensityDerivatives value;
  value.density = sums[0];
  if (order == DensityOrder::value) return value;
  value.gradient = {sums[1], sums[2], sums[3]};
  value.tau = sums[4];
  if (order == DensityOrder::hessian) std::copy_n(sums + 5, 6, value.hessian.begin());
  return value;
}

}  // namespace

std::vector<std::vector<DensityDerivatives>> derivatives_at_points_cuda(std::span<const DensityFunctions* const> sets,
                                                                        std::span<const glm::dvec3> list,
                                                                        DensityOrder order, Device device, Job& job) {
  std::vector<std::vector<DensityDerivatives>> values(sets.size(), std::vector<DensityDerivatives>(list.size()));
  if (list.empty()) return values;
  Stream stream(device);
  const DeviceSets on_device(sets, stream);
  const std::size_t of_tile = DeviceSets::points_of(wanted_of(order));
  static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
  // A part of the points at a time bounds the memory of the sums.
  constexpr std::size_t most = std::size_t{1} << 20;
  DeviceArray<double> sums(std::min(list.size(), most) * sets.size() * most_sums, stream, "sums of the density");
  for (std::size_t first = 0; first < list.size(); first += most) {
    const std::size_t count = std::min(most, list.size() - first);
    const auto there = DeviceArray<glm::dvec3>::from_host(list.subspan(first, count), stream, "points of the density");
    Points where{};
    where.tiles_x = where.tiles_y = 1;
    where.list = reinterpret_cast<const double*>(there.data());
    where.list_count = static_cast<unsigned>(count);
    Output out = by_point(count);
    out.sums = sums.data();
    for_slices((count + of_tile - 1) / of_tile, on_device.first_slice(), stream, job, "density at points",
               [&](std::size_t begin, std::size_t tiles) {
                 on_device.run("density derivatives: points", stream, wanted_of(order), where, out, begin, tiles);
               });
    stream.synchronize("density at points");
    const std::vector<double> back = sums.copy_to_host();
    for (std::size_t set = 0; set < sets.size(); ++set) {
      for (std::size_t i = 0; i < count; ++i)
        values[set][first + i] = derivatives_of(back.data() + (set * count + i) * most_sums, order);
    }
  }
  return values;
}

struct DerivativesCuda::Sets {
  DeviceSets sets;
};

DerivativesCuda::DerivativesCuda(const DensityFunctions& functions, const Stream& stream) {
  const DensityFunctions* const one = &functions;
  sets_ = std::make_unique<Sets>(Sets{DeviceSets(std::span(&one, 1), stream)});
}
DerivativesCuda::DerivativesCuda(std::span<const DensityFunctions* const> sets, const Stream& stream)
    : sets_(std::make_unique<Sets>(Sets{DeviceSets(sets, stream)})) {}
DerivativesCuda::~DerivativesCuda() = default;

void DerivativesCuda::on_grid(const Grid& grid, DensityOrder order, double* sums, Stream& stream, Job& job) const {
  Output out = by_point(grid.size());
  out.sums = sums;
  sets_->sets.run_grid(wanted_of(order), points_of(grid), out, stream, job);
}

void DerivativesCuda::fill(const Grid& grid, DensityOrder order, const DensityTarget& target, const ChosenParts* chosen,
                           Stream& stream, Job& job) const {
  Output out{};
  out.values = target.values;
  out.measure = target.measure;
  out.sums = target.sums;
  out.of_point = 1;
  out.of_number = grid.size();
  out.of_set = grid.size() * (order == DensityOrder::value ? 1 : order == DensityOrder::gradient ? 5 : most_sums);
  sets_->sets.run_grid(wanted_of(order), points_of(grid, chosen), out, stream, job);
}

void DerivativesCuda::fill_mixed(const Grid& grid, double* sums, const ChosenParts* chosen, Stream& stream,
                                 Job& job) const {
  Output out{};
  out.sums = sums;
  out.of_point = mixed_numbers;
  out.of_number = 1;
  out.of_set = grid.size() * mixed_numbers;
  sets_->sets.run_grid(Wanted::mixed, points_of(grid, chosen), out, stream, job);
}

void DerivativesCuda::at_points(const double* list, std::size_t count, DensityOrder order, double* sums, Stream& stream,
                                Job& job) const {
  Points where{};
  where.tiles_x = where.tiles_y = 1;
  where.list = list;
  where.list_count = static_cast<unsigned>(count);
  Output out = by_point(count);
  out.sums = sums;
  const std::size_t of_tile = DeviceSets::points_of(wanted_of(order));
  for_slices((count + of_tile - 1) / of_tile, sets_->sets.first_slice(), stream, job, "density at points",
             [&](std::size_t begin, std::size_t tiles) {
               sets_->sets.run("density derivatives: points", stream, wanted_of(order), where, out, begin, tiles);
             });
}

}  // namespace isolume
