// Coulomb's sums at points on CUDA.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/coulomb_sum/coulomb_view.cuh"

namespace isolume {
namespace {

constexpr unsigned point_threads = 128;
const char* const what = "Coulomb sum";

/// A warp for each point.
__global__ void __launch_bounds__(point_threads)
    coulomb_points_kernel(CoulombView view, const double3* __restrict__ points, unsigned count,
                          float4* __restrict__ values) {
  const unsigned at = blockIdx.x * (point_threads / 32) + threadIdx.x / 32;
  if (at >= count) return;
  const double3 point = points[at];
  const double place[1][3] = {{point.x, point.y, point.z}};
  float4 sums[1];
  coulomb_of_warp<1>(view, place, sums);
  if (threadIdx.x % 32 == 0) values[at] = sums[0];
}

constexpr unsigned pair_tile = 128;

/// A gradient and a potential.
struct Sums {
  double x, y, z, w;
};

/// A thread for each point, charges in shared memory; points and charges relative to the charges' middle.
__global__ void __launch_bounds__(pair_tile)
    coulomb_pairs_kernel(const float4* __restrict__ charges, unsigned charge_count, const float3* __restrict__ points,
                         unsigned count, Sums* __restrict__ values) {
  __shared__ float4 tile[pair_tile];
  const unsigned at = blockIdx.x * pair_tile + threadIdx.x;
  const float3 p = points[min(at, count - 1)];
  double potential = 0, slope_x = 0, slope_y = 0, slope_z = 0;
  for (unsigned first = 0; first < charge_count; first += pair_tile) {
    const unsigned used = min(pair_tile, charge_count - first);
    __syncthreads();
    if (threadIdx.x < used) tile[threadIdx.x] = charges[first + threadIdx.x];
    __syncthreads();
    float v = 0, gx = 0, gy = 0, gz = 0;
    for (unsigned m = 0; m < used; ++m) {
      const float4 c = tile[m];
      const float x = p.x - c.x, y = p.y - c.y, z = p.z - c.z;
      const float square = x * x + y * y + z * z;
      const float inverse = square > 1e-8f ? rsqrtf(square) : 0.0f;
      const float one = c.w * inverse, slope = one * inverse * inverse;
      v += one;
      gx -= slope * x;
      gy -= slope * y;
      gz -= slope * z;
    }
    // Totals in double precision, from runs of single.
    potential += static_cast<double>(v);
    slope_x += static_cast<double>(gx);
    slope_y += static_cast<double>(gy);
    slope_z += static_cast<double>(gz);
  }
  if (at < count) values[at] = {slope_x, slope_y, slope_z, potential};
}

template <class Value>
void take(const std::vector<Value>& found, std::span<double> potential, std::span<glm::dvec3> gradients) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Value& value = found[i];
    potential[i] = static_cast<double>(value.w);
    if (!gradients.empty())
      gradients[i] =
          glm::dvec3(static_cast<double>(value.x), static_cast<double>(value.y), static_cast<double>(value.z));
  }
}

class LatticeOnDevice final : public CoulombLatticeCuda {
 public:
  LatticeOnDevice(std::span<const PointCharge> charges, const CoulombLatticePlan& plan, Device device, Job& job)
      : CoulombLatticeCuda(plan),
        msm_(charges, plan.box, plan.options, device),
        stream_(device),
        function_(PairFunction::msm_short_range(plan.options.cutoff, plan.options.smoothing, true)),
        field_(msm_field_cuda(charges, msm_, device, job)) {
    // The lattices are summed in a stream of their own; meanwhile the charges are sorted.
    const auto raw = DeviceArray<RawCharge>::from_host(
        {reinterpret_cast<const RawCharge*>(charges.data()), charges.size()}, stream_, what);
    bins_ = bin_charges_cuda(raw, plan.box, msm_.frame, plan.options.cutoff, plan.side(), 1.0, msm_.images, stream_);
    const CoulombTaps table(msm_.basis);
    taps_ = DeviceArray<float>::from_host({&table.weight[0][0], sizeof table.weight / sizeof(float)}, stream_, what);
    lattice_ = field_->nodes();
    stream_.synchronize(what);
  }

  CoulombView view() const override {
    CoulombView view{};
    for (int axis = 0; axis < 3; ++axis) {
      view.origin[axis] = msm_.frame.origin[axis];
      view.lower[axis] = bins_.lower[axis];
      view.cells[axis] = bins_.counts[axis];
      view.node_zero[axis] = msm_.origin[axis];
      view.counts[axis] = lattice_.counts[axis];
      view.padded[axis] = lattice_.padded[axis];
    }
    view.charges = bins_.charges.data();
    view.first = bins_.first.data();
    view.per_angstrom = bins_.per_angstrom;
    view.side = bins_.side;
    view.inverse_side = 1 / bins_.side;
    view.cutoff = static_cast<float>(plan_.options.cutoff);
    std::copy(std::begin(function_.coefficient), std::end(function_.coefficient), std::begin(view.coefficient));
    view.values = lattice_.values;
    view.taps = taps_.data();
    view.inverse_spacing = 1 / plan_.options.spacing;
    view.unit = static_cast<float>(1 / function_.scale);
    return view;
  }

  void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> gradients,
          Job& job) override {
    static_assert(sizeof(glm::dvec3) == sizeof(double3));
    constexpr std::size_t run = std::size_t{1} << 20;  // points between two looks at the job
    for (std::size_t first = 0; first < points.size(); first += run) {
      job.check();
      const std::size_t count = std::min(run, points.size() - first);
      const auto places =
          DeviceArray<double3>::from_host({reinterpret_cast<const double3*>(&points[first]), count}, stream_, what);
      DeviceArray<float4> values(count, stream_, what);
      launch("Coulomb sum: points", stream_, coulomb_points_kernel, blocks_for(count, point_threads / 32),
             {point_threads, 1, 1}, view(), places.data(), static_cast<unsigned>(count), values.data());
      take(values.copy_to_host(), potential.subspan(first, count),
           gradients.empty() ? gradients : gradients.subspan(first, count));
    }
  }

 private:
  const MsmPlan msm_;
  Stream stream_;
  const PairFunction function_;
  const std::unique_ptr<MsmFieldBody> field_;
  DeviceBins bins_;
  DeviceArray<float> taps_;
  MsmNodesView lattice_;
};

}  // namespace

std::unique_ptr<CoulombLattice> coulomb_lattice_cuda(std::span<const PointCharge> charges,
                                                     const CoulombLatticePlan& plan, Device device, Job& job) {
  return std::make_unique<LatticeOnDevice>(charges, plan, device, job);
}

void coulomb_direct_cuda(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                         std::span<double> potential, std::span<glm::dvec3> gradients, Device device, Job& job) {
  const glm::dvec3 middle = coulomb_middle(charges);
  const auto relative = [&](glm::dvec3 place) { return glm::vec3(place - middle); };
  std::vector<float4> sources;
  for (const PointCharge& charge : charges) {
    const glm::vec3 place = relative(glm::dvec3(charge.position));
    sources.push_back(make_float4(place.x, place.y, place.z, charge.charge));
  }
  std::vector<float3> places;
  for (const glm::dvec3& point : points) {
    const glm::vec3 place = relative(point);
    places.push_back(make_float3(place.x, place.y, place.z));
  }
  Stream stream(device);
  const auto sent = DeviceArray<float4>::from_host(sources, stream, what);
  // A launch is short, so that the job is looked at often.
  const std::size_t run = std::clamp<std::size_t>((std::size_t{1} << 35) / std::max<std::size_t>(1, charges.size()),
                                                  std::size_t{1} << 12, std::size_t{1} << 20);
  for (std::size_t first = 0; first < points.size(); first += run) {
    job.check();
    const std::size_t count = std::min(run, points.size() - first);
    const auto at = DeviceArray<float3>::from_host({&places[first], count}, stream, what);
    DeviceArray<Sums> values(count, stream, what);
    launch("Coulomb sum: pairs", stream, coulomb_pairs_kernel, blocks_for(count, pair_tile), {pair_tile, 1, 1},
           sent.data(), static_cast<unsigned>(charges.size()), at.data(), static_cast<unsigned>(count), values.data());
    take(values.copy_to_host(), potential.subspan(first, count),
         gradients.empty() ? gradients : gradients.subspan(first, count));
  }
}

}  // namespace isolume
