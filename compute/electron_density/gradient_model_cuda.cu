// The gradient model by Hirshfeld atoms on CUDA: a block has a tile of points, and the atoms that reach it.
#include <map>

#include "compute/base/slices.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/promolecule_near.cuh"

namespace isolume {

namespace {

using namespace promolecule_near;

struct TermInDouble {
  double power, exponent, factor;
};

/// The density of a free atom and its gradient over the distance.
__device__ __forceinline__ void free_density(const Where& where, const TermInDouble* terms, const AtomOnDevice& atom,
                                             const double (&away)[3], double r2, double& density, double& over) {
  const double r = fmax(sqrt(r2), 1e-4);
  double slope = 0;
  density = 0;
  for (unsigned t = where.first_term[atom.kind]; t < where.first_term[atom.kind + 1]; ++t) {
    const TermInDouble term = terms[t];
    double part = term.factor * exp(-term.exponent * r);
    for (double n = 1; n < term.power; n += 2) part *= r * r;  // powers are even
    density += part;
    slope = fma(term.power / r - term.exponent, part, slope);
  }
  over = slope / r;
}

/// The gradient model: Hirshfeld's atoms of the density whose sums (11 a point) are given.
template <bool lengths_wanted>
__global__ void __launch_bounds__(threads)
    gradient_model_kernel(const __grid_constant__ Where where, const TermInDouble* terms, const double* densities,
                          bool with_hessian, const __grid_constant__ Output out) {
  __shared__ Box boxes[warps];
  __shared__ unsigned near[threads];
  __shared__ unsigned found_by[warps];
  double positions[1][3];
  const double(&position)[3] = positions[0];
  std::size_t index = 0;
  unsigned in_room = 0;
  bool empty = false;
  const bool inside = where.find<1>(0, positions[0], index, in_room, empty);
  if (empty) return;
  Box box;
  set_box<1>(positions, boxes, box);
  // Of all atoms, and of those of each part: densities and gradients.
  double whole[4] = {}, of_part[2][4] = {};
  const auto of_near = [&](const auto& use) {
    const auto number_of = [](unsigned number, const AtomOnDevice&, const float(&)[3], float) { return number; };
    for_near(where, in_room, box, near, found_by, number_of, [&](unsigned number) {
      const AtomOnDevice& atom = where.atoms[number];
      double away[3], r2 = 0;
      for (int axis = 0; axis < 3; ++axis) {
        away[axis] = position[axis] - atom.centre[axis];
        r2 += away[axis] * away[axis];
      }
      if (r2 > static_cast<double>(atom.reach) * static_cast<double>(atom.reach)) return;
      double density, over;
      free_density(where, terms, atom, away, r2, density, over);
      use(atom, away, density, over);
    });
  };
  of_near([&](const AtomOnDevice& atom, const double(&away)[3], double density, double over) {
    whole[0] += density;
    for (int axis = 0; axis < 3; ++axis) whole[1 + axis] = fma(over, away[axis], whole[1 + axis]);
    if (atom.part == 0) return;
    const bool second = atom.part == 2;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      if (second != (p == 1)) continue;
      of_part[p][0] += density;
      for (int axis = 0; axis < 3; ++axis) of_part[p][1 + axis] = fma(over, away[axis], of_part[p][1 + axis]);
    }
  });
  PointDensity point;
  if (inside) {
    const double* const from = densities + 11 * index;
    point.density = from[0];
    for (int axis = 0; axis < 3; ++axis) point.gradient[axis] = from[1 + axis];
    point.tau = from[4];
    for (int k = 0; with_hessian && k < 6; ++k) point.hessian[k] = from[5 + k];
  }
  // grad rho_i = w_i (grad rho - rho G / W) + rho grad rho0_i / W, with W and G of all atoms.
  const double scale = whole[0] > 0 ? 1 / whole[0] : 0.0, rho = point.density * scale;
  double rest[3];
  for (int axis = 0; axis < 3; ++axis) rest[axis] = scale * (point.gradient[axis] - rho * whole[1 + axis]);
  double parts[2][3];
  for (int p = 0; p < 2; ++p) {
    for (int axis = 0; axis < 3; ++axis) parts[p][axis] = fma(of_part[p][0], rest[axis], rho * of_part[p][1 + axis]);
  }
  double delta_g = 0;
  if constexpr (lengths_wanted) {
    double lengths[3] = {};
    of_near([&](const AtomOnDevice& atom, const double(&away)[3], double density, double over) {
      if (atom.part == 0) return;
      for (int axis = 0; axis < 3; ++axis) lengths[axis] += fabs(fma(density, rest[axis], rho * over * away[axis]));
    });
    delta_g = promolecule_math::length(lengths[0], lengths[1], lengths[2]) -
              promolecule_math::length(parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], parts[0][2] + parts[1][2]);
  }
  if (inside) out.store(index, point, delta_g, promolecule_math::between(parts[0], parts[1]));
}

/// The free atoms of the weights, and the atoms as the device has them.
struct WeightAtoms {
  std::vector<AtomOnDevice> atoms;
  std::vector<unsigned> first_term;
  std::vector<TermInDouble> terms;

  explicit WeightAtoms(const HirshfeldParts& from) {
    std::map<const AtomicDensity*, unsigned> kinds;
    for (std::size_t i = 0; i < from.positions.size(); ++i) {
      const auto [found, is_new] = kinds.try_emplace(from.free[i], static_cast<unsigned>(first_term.size()));
      if (is_new) {
        first_term.push_back(static_cast<unsigned>(terms.size()));
        for (const AtomicTerm& term : from.free[i]->terms())
          terms.push_back({static_cast<double>(term.power), term.exponent, term.factor});
      }
      const glm::dvec3 at = from.positions[i];
      atoms.push_back({{at.x, at.y, at.z}, static_cast<float>(from.reach[i]), found->second, from.parts[i]});
    }
    first_term.push_back(static_cast<unsigned>(terms.size()));
  }
  std::size_t size() const { return atoms.size(); }
  AtomOnDevice operator()(std::size_t i) const { return atoms[i]; }
};

}  // namespace

void gradient_model_on_grid_cuda(const HirshfeldParts& atoms, const PromoleculeMaps& maps, const Grid& grid, Job& job) {
  Stream stream(maps.first_values.device);
  const WeightAtoms weights(atoms);
  DeviceAtoms on_device(weights.first_term, stream);
  const auto terms = DeviceArray<TermInDouble>::from_host(weights.terms, stream, "free atoms");
  const DerivativesCuda derivatives(atoms.functions, stream);
  const int planes = gradient_model_planes(grid);
  const std::size_t plane = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
  DeviceArray<double> densities(11 * plane * static_cast<std::size_t>(planes), stream, "sums of the density");
  Output out = output_of(maps);
  const bool lengths = maps.has(PromoleculeField::delta_g);
  const DensityOrder order = maps.wants_hessian() ? DensityOrder::hessian : DensityOrder::gradient;
  for (int first = 0; first < grid.counts.z; first += planes) {
    Grid slab = grid;
    slab.origin = grid.point(0, 0, first);
    slab.counts.z = std::min(planes, grid.counts.z - first);
    derivatives.on_grid(slab, order, densities.data(), stream, job);
    on_device.set_grid(slab, weights.size(), weights, job);
    out.shift = plane * static_cast<std::size_t>(first);
    for_slices(on_device.rooms, first_rooms, stream, job, "gradient model", [&](std::size_t begin, std::size_t count) {
      on_device.where.first_room = static_cast<unsigned>(begin);
      launch("gradient model: tiles", stream, lengths ? gradient_model_kernel<true> : gradient_model_kernel<false>,
             {static_cast<unsigned>(count) * tiles_of_room<1>, 1, 1}, {threads, 1, 1}, on_device.where, terms.data(),
             densities.data(), maps.wants_hessian(), out);
    });
    stream.synchronize("gradient model");
  }
}

std::vector<PromoleculePoint> gradient_model_at_points_cuda(const HirshfeldParts& atoms,
                                                            std::span<const glm::dvec3> points, Device device,
                                                            Job& job) {
  if (points.empty()) return {};
  Stream stream(device);
  const WeightAtoms weights(atoms);
  DeviceAtoms on_device(weights.first_term, stream);
  const auto terms = DeviceArray<TermInDouble>::from_host(weights.terms, stream, "free atoms");
  on_device.set_list(points, weights.size(), weights);
  const DerivativesCuda derivatives(atoms.functions, stream);
  DeviceArray<double> densities(11 * points.size(), stream, "sums of the density");
  DeviceArray<double> all(12 * points.size(), stream, "values at points");
  derivatives.at_points(on_device.where.list, points.size(), DensityOrder::hessian, densities.data(), stream, job);
  Output out{};
  out.all = all.data();
  launch("gradient model: points", stream, gradient_model_kernel<true>, {blocks_of<1>(points.size()), 1, 1},
         {threads, 1, 1}, on_device.where, terms.data(), densities.data(), true, out);
  stream.synchronize("gradient model at points");
  job.check();
  return points_of(all.copy_to_host());
}

}  // namespace isolume
