// Maps of a Poisson-Boltzmann solution on CUDA: a thread a node, Coulomb's sums over charges in shared memory.
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electrostatics/poisson_boltzmann/pb_fields_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_open.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/pb_slope_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr const char* name = "Poisson-Boltzmann: field and reaction potential";
constexpr unsigned threads = 128;

/// A solution, and the nodes of it that are wanted.
struct Wanted {
  PbNodes box;
  const double* u;
  const std::uint8_t* inside;
  int first[3], counts[3];

  __host__ __device__ std::size_t size() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
  /// In the box.
  __device__ void place_of(std::size_t number, int* place) const {
    const std::size_t nx = static_cast<std::size_t>(counts[0]), ny = static_cast<std::size_t>(counts[1]);
    place[0] = first[0] + static_cast<int>(number % nx);
    place[1] = first[1] + static_cast<int>(number / nx % ny);
    place[2] = first[2] + static_cast<int>(number / (nx * ny));
  }
};

Wanted wanted_of(const PbNodesOf& nodes) {
  PbBox box;
  box.origin = nodes.solution.origin;
  box.step = nodes.solution.step;
  box.counts = nodes.solution.counts;
  Wanted wanted{pb_nodes(box), nodes.solution.device_solution.data(), nodes.solution.device_inside.data(), {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    wanted.first[axis] = nodes.first[axis];
    wanted.counts[axis] = nodes.counts[axis];
  }
  return wanted;
}

/// Where the maps go; null for those that are not wanted.
struct Maps {
  float* reaction;
  float* field[3];
};

/// `unit` is kT/e in V, `coulomb` the potential of a charge at 1 angstrom in kT/e. Charges are relative to `middle`.
__global__ void __launch_bounds__(threads)
    maps_kernel(Wanted wanted, std::size_t first, double3 middle, const float4* __restrict__ charges,
                unsigned charge_count, double unit, double coulomb, Maps maps) {
  __shared__ float4 tile[threads];
  const std::size_t mine = first + std::size_t{blockIdx.x} * threads + threadIdx.x;
  const bool has_node = mine < wanted.size();
  int place[3];
  wanted.place_of(has_node ? mine : wanted.size() - 1, place);
  const PbNodes& box = wanted.box;
  const std::size_t node = box.index(place[0], place[1], place[2]);
  const bool within = wanted.inside[node] != 0;
  const auto x = static_cast<float>(box.along(0, place[0]) - middle.x);
  const auto y = static_cast<float>(box.along(1, place[1]) - middle.y);
  const auto z = static_cast<float>(box.along(2, place[2]) - middle.z);
  const bool with_field = maps.field[0] != nullptr;
  // In the solute the sums are of the field, outside of the potential.
  const bool sums = within ? with_field : maps.reaction != nullptr;
  double total[3] = {};
  for (unsigned begin = 0; begin < charge_count; begin += threads) {
    const unsigned used = min(threads, charge_count - begin);
    __syncthreads();
    if (threadIdx.x < used) tile[threadIdx.x] = charges[begin + threadIdx.x];
    if (!__syncthreads_or(sums)) break;
    float run[3] = {};
    if (within) {
      for (unsigned m = 0; m < used && sums; ++m) {
        const float4 c = tile[m];
        const float dx = x - c.x, dy = y - c.y, dz = z - c.z;
        const float square = dx * dx + dy * dy + dz * dz;
        const float inverse = square > 1e-8f ? rsqrtf(square) : 0.0f;
        const float pull = c.w * inverse * inverse * inverse;
        run[0] -= pull * dx;
        run[1] -= pull * dy;
        run[2] -= pull * dz;
      }
    } else {
      for (unsigned m = 0; m < used && sums; ++m) {
        const float4 c = tile[m];
        const float dx = x - c.x, dy = y - c.y, dz = z - c.z;
        const float square = dx * dx + dy * dy + dz * dz;
        run[0] += square > 1e-8f ? c.w * rsqrtf(square) : 0.0f;
      }
    }
    for (int axis = 0; axis < 3; ++axis) total[axis] += static_cast<double>(run[axis]);
  }
  if (!has_node) return;
  if (maps.reaction != nullptr)
    maps.reaction[mine] = static_cast<float>(unit * (wanted.u[node] - (within ? 0.0 : coulomb * total[0])));
  if (!with_field) return;
  double slope[3];
  pb_slope(box, wanted.u, wanted.inside, place, slope);
  for (int axis = 0; axis < 3; ++axis)
    maps.field[axis][mine] = static_cast<float>(-unit * (slope[axis] + (within ? coulomb * total[axis] : 0.0)));
}

/// `depth` below the ions' surface; the charge takes its place.
__global__ void ions_kernel(Wanted wanted, PbIons ions, bool nonlinear, double unit, double cell,
                            float* __restrict__ depth) {
  const std::size_t mine = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (mine >= wanted.size()) return;
  int place[3];
  wanted.place_of(mine, place);
  const std::size_t node = wanted.box.index(place[0], place[1], place[2]);
  double charge = 0;
  if (wanted.inside[node] == 0) {
    double slope = 0;
    const double u = wanted.u[node];
    charge = unit * pb_open_to_ions(1, static_cast<double>(depth[mine]), cell) *
             (nonlinear ? pb_ion_term(ions, u, slope) : u);
  }
  depth[mine] = static_cast<float>(charge);
}

__global__ void slopes_apart_kernel(Wanted wanted, Wanted fine, double* __restrict__ apart) {
  const std::size_t mine = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (mine >= wanted.size()) return;
  int place[3];
  wanted.place_of(mine, place);
  const int twin[3] = {2 * place[0], 2 * place[1], 2 * place[2]};
  double one[3], two[3], square = 0;
  pb_slope(wanted.box, wanted.u, wanted.inside, place, one);
  pb_slope(fine.box, fine.u, fine.inside, twin, two);
  for (int axis = 0; axis < 3; ++axis) square += (one[axis] - two[axis]) * (one[axis] - two[axis]);
  apart[mine] = sqrt(square);
}

}  // namespace

void pb_fields_cuda(const PbNodesOf& nodes, std::span<const ChargedSphere> charges,
                    const PoissonBoltzmannOptions& options, std::span<float> reaction,
                    const std::array<std::span<float>, 3>& field, Job& job) {
  const Device device = nodes.solution.device_solution.device();
  Stream stream(device);
  const Wanted wanted = wanted_of(nodes);
  glm::dvec3 middle(0);
  std::size_t count = 0;
  for (const ChargedSphere& atom : charges) {
    if (atom.charge == 0) continue;
    middle += glm::dvec3(atom.position);
    ++count;
  }
  if (count > 0) middle /= static_cast<double>(count);
  std::vector<float4> list;
  list.reserve(count);
  for (const ChargedSphere& atom : charges) {
    const glm::vec3 at(glm::dvec3(atom.position) - middle);
    if (atom.charge != 0) list.push_back(make_float4(at.x, at.y, at.z, atom.charge));
  }
  const auto there = DeviceArray<float4>::from_host(list, stream, name);
  const auto room = [&](std::span<float> map) { return DeviceArray<float>(map.size(), stream, name); };
  DeviceArray<float> out = room(reaction);
  std::array<DeviceArray<float>, 3> components{room(field[0]), room(field[1]), room(field[2])};
  const Maps maps{out.data(), {components[0].data(), components[1].data(), components[2].data()}};
  const std::size_t blocks = (wanted.size() + threads - 1) / threads;
  for_slices(blocks, std::size_t{1} << 12, stream, job, "field of Poisson-Boltzmann",
             [&](std::size_t begin, std::size_t number) {
               launch(name, stream, maps_kernel, {static_cast<unsigned>(number), 1, 1}, {threads, 1, 1}, wanted,
                      begin * threads, make_double3(middle.x, middle.y, middle.z), there.data(),
                      static_cast<unsigned>(count), units::thermal_voltage(options.temperature),
                      pb_bjerrum(options) / options.solute_permittivity, maps);
             });
  const auto back = [&](const DeviceArray<float>& from, std::span<float> to) {
    copy_memory(to.data(), Device::cpu(), from.data(), device, to.size_bytes(), stream.handle());
  };
  back(out, reaction);
  for (std::size_t axis = 0; axis < 3; ++axis) back(components[axis], field[axis]);
}

std::vector<float> pb_ion_charge_cuda(const PbNodesOf& nodes, std::span<const ChargedSphere> atoms,
                                      const PoissonBoltzmannOptions& o, Job& job) {
  const Device device = nodes.solution.device_solution.device();
  const Wanted wanted = wanted_of(nodes);
  PbBox box;
  box.step = nodes.solution.step;
  box.origin = nodes.solution.origin + box.step * glm::dvec3(nodes.first);
  box.counts = nodes.counts;
  DeviceArray<float> depth(wanted.size(), device, name);
  molecular_surface(pb_surface_atoms(atoms), box.grid(), pb_ion_surface(o), depth.span(), {}, job);
  const double kappa = o.inverse_debye_length();
  Stream stream(device);
  launch(name, stream, ions_kernel, blocks_for(wanted.size()), {256, 1, 1}, wanted, pb_ions(o), o.nonlinear,
         -o.solvent_permittivity * kappa * kappa / (4 * units::pi * pb_bjerrum(o)),
         (box.step.x + box.step.y + box.step.z) / 3, depth.data());
  stream.synchronize(name);
  return depth.copy_to_host();
}

std::vector<double> pb_slopes_apart_cuda(const PbNodesOf& coarse, const PoissonBoltzmannStart& fine) {
  Stream stream(coarse.solution.device_solution.device());
  const Wanted wanted = wanted_of(coarse);
  DeviceArray<double> apart(wanted.size(), stream, name);
  launch(name, stream, slopes_apart_kernel, blocks_for(wanted.size(), threads), {threads, 1, 1}, wanted,
         wanted_of({fine, glm::ivec3(0), glm::ivec3(0)}), apart.data());
  return apart.copy_to_host();
}

}  // namespace isolume
