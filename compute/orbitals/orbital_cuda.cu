// Molecular orbitals on CUDA: terms, their cutoffs and tables are made on the device; then a block a tile of points.
#include <cstring>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/orbitals/orbital_bodies.h"
#include "compute/orbitals/orbital_jit.h"
#include "compute/orbitals/orbital_math.h"
#include "compute/orbitals/orbital_plan.h"
#include "compute/orbitals/orbital_points.cuh"
#include "compute/orbitals/orbital_terms.cuh"
#include "compute/orbitals/orbital_tiles.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using orbital_kernels::BohrGrid;
using orbital_kernels::point_threads;
using orbital_kernels::Progress;
using orbital_tiles::Meta;
using orbital_tiles::Reach;
using orbital_tiles::Tiles;

template <int most, bool fine>
__global__ void __launch_bounds__(orbital_tiles::threads, orbital_tiles::tile_blocks<most>) tiles_kernel(Tiles g) {
  __shared__ orbital_tiles::Shared<most> shared;
  orbital_tiles::compute_tile<orbital_tiles::General<most, fine>>(g, shared);
}

/// Arrays of several types in one piece of memory, which one copy brings to the device.
class Package {
 public:
  /// Returns where the values begin, in bytes.
  template <class T>
  std::size_t add(const T* values, std::size_t count) {
    const std::size_t at = (bytes_.size() + 15) / 16 * 16;
    bytes_.resize(at + count * sizeof(T));
    if (count > 0) std::memcpy(bytes_.data() + at, values, count * sizeof(T));
    return at;
  }
  void clear() { bytes_.clear(); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// What an orbital needs on the device, and the launches that prepare it.
class Prepared {
 public:
  Prepared(const Orbitals& orbitals, std::size_t which, const Grid& grid, const OrbitalOptions& options,
           const Stream& stream);

  const Tiles& tiles() const { return tiles_; }
  const OrbitalPlan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const OrbitalPlan> plan_;
  DeviceArray<std::byte> inputs_;
  DeviceArray<std::byte> workspace_;
  Tiles tiles_{};
};

Prepared::Prepared(const Orbitals& orbitals, std::size_t which, const Grid& grid, const OrbitalOptions& options,
                   const Stream& stream)
    : plan_(orbital_plan(orbitals.basis)) {
  const OrbitalPlan& plan = *plan_;
  const std::size_t terms = plan.terms.size();
  const std::size_t coefficients = plan.coefficient_count();
  thread_local Package package;
  thread_local std::vector<Meta> metas;
  thread_local std::vector<double> exponents, in_plan_order, in_order;
  package.clear();
  metas.clear();
  exponents.clear();
  for (const PlanTerm& term : plan.terms) {
    metas.push_back({term.centre, term.first, term.row, static_cast<unsigned>(term.degree)});
    exponents.push_back(term.exponent);
  }
  in_plan_order.resize(coefficients);
  in_order.resize(coefficients);
  plan.multiply(orbitals.row(which), in_plan_order.data());
  for (std::size_t n = 0; n < coefficients; ++n) in_order[n] = in_plan_order[plan.yzx[n]];
  const std::vector<glm::dvec3> points = sample_points(orbitals.centres, grid);
  const Progress none{};
  const std::size_t at_progress = package.add(&none, 1);
  const std::size_t at_coefficients = package.add(in_order.data(), coefficients);
  const std::size_t at_centres = package.add(orbitals.centres.data(), orbitals.centres.size());
  const std::size_t at_points = package.add(points.data(), points.size());
  const std::size_t at_metas = package.add(metas.data(), terms);
  const std::size_t at_exponents = package.add(exponents.data(), terms);
  inputs_ = DeviceArray<std::byte>(package.bytes().size(), stream, "terms of the orbital");
  cuda_check(cuda_api().copy(inputs_.data(), package.bytes().data(), package.bytes().size(), CudaApi::host_to_device,
                             stream.handle()),
             "terms of the orbital");

  Tiles& g = tiles_;
  unsigned long long values = 0;
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    g.step[axis] = units::angstrom_in_bohr * grid.step[axis][axis];
    g.counts[axis] = grid.counts[axis];
    g.stride[axis] = (grid.counts[axis] + orbital_tiles::side - 1) / orbital_tiles::side * orbital_tiles::side;
    g.offset[axis] = values;
    values += static_cast<unsigned long long>(plan.rows) * static_cast<unsigned long long>(g.stride[axis]);
    extent += units::angstrom_in_bohr * grid.counts[axis] * glm::length(grid.step[axis]);
    for (const glm::dvec3& centre : orbitals.centres)
      extent = std::max(extent, std::abs(centre[axis] - g.origin[axis]));
  }
  g.tiles_x = static_cast<unsigned>(g.stride[0] / orbital_tiles::side);
  g.tiles_y = static_cast<unsigned>(g.stride[1] / orbital_tiles::side);
  g.term_count = static_cast<unsigned>(terms);
  const std::size_t table_bytes = orbital_table_bytes(plan, grid);
  g.tables = table_bytes > 0;
  if (!g.tables) values = 0;

  // One workspace: tables in both precisions, and how far terms reach.
  std::size_t size = 0;
  const auto room = [&size](std::size_t bytes) {
    const std::size_t at = size;
    size = (size + bytes + 255) / 256 * 256;
    return at;
  };
  const std::size_t at_axes = room(values * sizeof(double));
  const std::size_t at_single_axes = room(values * sizeof(float));
  const std::size_t at_reach = room(terms * sizeof(Reach));
  const std::size_t at_near = room(terms * sizeof(float));
  workspace_ = DeviceArray<std::byte>(size, stream, "tables of the orbital");
  const auto input = [this](std::size_t at) { return static_cast<void*>(inputs_.data() + at); };
  const auto work = [this](std::size_t at) { return static_cast<void*>(workspace_.data() + at); };
  g.axes = static_cast<double*>(work(at_axes));
  g.single_axes = static_cast<float*>(work(at_single_axes));
  g.reach = static_cast<Reach*>(work(at_reach));
  g.near = static_cast<float*>(work(at_near));
  g.coefficients = static_cast<double*>(input(at_coefficients));
  g.terms = static_cast<Meta*>(input(at_metas));
  g.exponents = static_cast<double*>(input(at_exponents));
  g.centres = static_cast<double*>(input(at_centres));
  if (terms == 0) return;

  const double tolerance = orbital_term_tolerance(options.accuracy);
  g.all_terms = !options.screening;
  // Distances are compared in single precision, relative to the grid's origin.
  const auto margin = static_cast<float>(1e-4 + 1e-6 * extent);
  launch("orbital: terms", stream, orbital_kernels::prepare_kernel, {static_cast<unsigned>(points.size() + terms)},
         {orbital_kernels::prepare_threads}, g, static_cast<double*>(input(at_points)), points.size(), MonomialBounds(),
         tolerance, margin, static_cast<Progress*>(input(at_progress)), const_cast<Reach*>(g.reach),
         const_cast<float*>(g.near), const_cast<double*>(g.axes), const_cast<float*>(g.single_axes));
}

using TilesKernel = void (*)(Tiles);

TilesKernel kernel_for(int degree, bool fine) {
  if (degree <= 2) return fine ? tiles_kernel<2, true> : tiles_kernel<2, false>;
  if (degree <= 4) return fine ? tiles_kernel<4, true> : tiles_kernel<4, false>;
  return fine ? tiles_kernel<6, true> : tiles_kernel<6, false>;
}

void compute_points(const Prepared& prepared, const Grid& grid, Span<float> amplitude, Stream& stream, Job& job) {
  BohrGrid g{};
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    g.counts[axis] = grid.counts[axis];
    for (int c = 0; c < 3; ++c) g.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
  }
  const std::size_t blocks = (grid.size() + point_threads - 1) / point_threads;
  const std::size_t first = (std::size_t{1} << 23) / (prepared.tiles().term_count + 64);
  for_slices(blocks, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    launch("orbital: points", stream, orbital_kernels::points_kernel, {static_cast<unsigned>(n)}, {point_threads}, g,
           prepared.tiles(), begin * point_threads, grid.size(), amplitude.data);
  });
}

}  // namespace

void orbital_cuda(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Stream& stream,
                  bool wait, Job& job, const OrbitalOptions& options) {
  const Prepared prepared(orbitals, which, grid, options, stream);
  if (!grid.axis_aligned()) {
    compute_points(prepared, grid, amplitude, stream, job);
    if (wait) stream.synchronize("orbital: points");
    return;
  }
  Tiles g = prepared.tiles();
  g.amplitude = amplitude.data;
  const bool fine = options.accuracy == OrbitalAccuracy::fine;
  const std::size_t tiles =
      std::size_t{g.tiles_x} * g.tiles_y * static_cast<std::size_t>(g.stride[2] / orbital_tiles::side);
  // The kernel for the basis knows that there are tables.
  CompiledOrbital compiled =
      options.compiled && g.tables ? compiled_orbital(prepared.plan(), amplitude.device, fine) : CompiledOrbital();
  const void* kernel = compiled.kernel() ? compiled.kernel()
                                         : reinterpret_cast<const void*>(kernel_for(prepared.plan().max_degree, fine));
  // Small orbitals in one launch: what all terms on all points of a slice would take is far below a second.
  const std::size_t first = (std::size_t{1} << 23) / (g.term_count + 64);
  compiled.begin(stream);
  for_slices(tiles, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    g.first_tile = static_cast<unsigned>(begin);
    const LaunchTimer timer("orbital: tiles", amplitude.device.index, stream.handle());
    void* arguments[] = {&g};
    cuda_check(
        cuda_api().launch(kernel, {static_cast<unsigned>(n)}, {orbital_tiles::threads}, arguments, 0, stream.handle()),
        "orbital: tiles");
  });
  compiled.end(stream);
  if (wait) stream.synchronize("orbital: tiles");
  compiled.note(tiles);
}

}  // namespace isolume
