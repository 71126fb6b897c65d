// What the CUDA bodies of energies and forces share.
#include "compute/electrostatics/energy/energy_cuda.h"

#include <cmath>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/energy/energy_device.cuh"

namespace isolume {

namespace {

/// One thread an atom: its row of partners, so that a pair is met from both sides.
__global__ void exclusion_kernel(const float* positions, const float* charges, std::uint32_t atoms, ExclusionView x,
                                 CellView cell, SmoothKernel smooth, bool near, bool far, bool all, float* forces,
                                 float* energies, double* sums) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  double total = 0;
  double virial[6] = {};
  const std::uint32_t begin = i < atoms ? x.offsets[i] : 0;
  const std::uint32_t end = i < atoms ? x.offsets[i + 1] : 0;
  if (begin < end) {
    const float own = coulomb_f * charges[i];
    float force[3] = {};
    float energy = 0;
    for (std::uint32_t k = begin; k < end; ++k) {
      const std::uint32_t j = x.partners[k];
      float d[3];
      for (int a = 0; a < 3; ++a) d[a] = positions[3 * i + a] - positions[3 * j + a];
      if (cell.periodic) {
        double exact[3];
        for (int a = 0; a < 3; ++a) {
          exact[a] = static_cast<double>(positions[3 * i + a]) - static_cast<double>(positions[3 * j + a]);
        }
        double image[3];
        for (int a = 0; a < 3; ++a) {
          image[a] = rint(cell.inverse[a] * exact[0] + cell.inverse[3 + a] * exact[1] + cell.inverse[6 + a] * exact[2]);
        }
        // In an oblique cell the image nearest in fractions need not be the nearest.
        const int reach = cell.upright ? 0 : 1;
        double least = 1e300;
        for (int n = 0; n < (reach ? 27 : 1); ++n) {
          const double at[3] = {image[0] + (n % 3) - reach, image[1] + (n / 3 % 3) - reach, image[2] + (n / 9) - reach};
          double v[3];
          for (int a = 0; a < 3; ++a) {
            v[a] = exact[a] - cell.vectors[a] * at[0] - cell.vectors[3 + a] * at[1] - cell.vectors[6 + a] * at[2];
          }
          const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
          if (!(square < least)) continue;
          least = square;
          for (int a = 0; a < 3; ++a) d[a] = static_cast<float>(v[a]);
        }
      }
      const float r = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      float slope = 0;
      float e = far ? -smooth.value(r, &slope) : 0.0f;
      float f = -slope;
      if (near && r >= static_cast<float>(coincidence)) {
        e += x.kept[k] / r;
        f += x.kept[k] / (r * r * r);
      }
      const float q = own * charges[j];
      energy += q * e;
      for (int a = 0; a < 3; ++a) {
        force[a] += q * f * d[a];
        virial[a] += 0.5 * static_cast<double>(q * f * d[a] * d[a]);
      }
      virial[3] += 0.5 * static_cast<double>(q * f * d[0] * d[1]);
      virial[4] += 0.5 * static_cast<double>(q * f * d[0] * d[2]);
      virial[5] += 0.5 * static_cast<double>(q * f * d[1] * d[2]);
    }
    if (forces) {
      for (int a = 0; a < 3; ++a) forces[3 * i + a] += force[a];
    }
    if (energies) energies[i] += 0.5f * energy;
    total = 0.5 * static_cast<double>(energy);
  }
  if (all) add_energy_sums(sums, sum_exclusions, total, virial);
}

__global__ void own_energy_kernel(const float* charges, std::uint32_t atoms, float per_square, float per_charge,
                                  float* energies) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < atoms) energies[i] += charges[i] * (charges[i] * per_square + per_charge);
}

}  // namespace

CellView CellView::of(const Cell& cell) {
  CellView v;
  v.periodic = true;
  v.upright = cell.orthogonal();
  const glm::dmat3 inverse = glm::inverse(cell.vectors);
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      v.vectors[3 * c + r] = cell.vectors[c][r];
      v.inverse[3 * c + r] = inverse[c][r];
    }
  }
  return v;
}

CellView CellView::reduced(const Cell& cell) {
  Cell c = cell;
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        if (a == b) continue;
        const double times = std::round(glm::dot(c.vectors[a], c.vectors[b]) / glm::dot(c.vectors[b], c.vectors[b]));
        const glm::dvec3 shorter = c.vectors[a] - times * c.vectors[b];
        if (glm::dot(shorter, shorter) >= glm::dot(c.vectors[a], c.vectors[a]) * (1 - 1e-12)) continue;
        c.vectors[a] = shorter;
        changed = true;
      }
    }
  }
  return of(c);
}

EnergyDevice::EnergyDevice(const ElectrostaticProblem& problem, Device device)
    : atoms_(problem.atoms()),
      charges_(DeviceArray<float>::from_host(problem.charges, device, "charges")),
      sums_(sum_count, device, "sums") {
  const PairExclusions& x = problem.exclusions;
  if (x.empty()) return;
  std::vector<std::uint64_t> mask(atoms_, 0);
  std::vector<std::uint8_t> far(atoms_, 0);
  for (std::size_t i = 0; i < atoms_; ++i) {
    for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
      const std::uint32_t bit = x.partners[k] - static_cast<std::uint32_t>(i) + 31u;
      if (bit < 64) {
        mask[i] |= std::uint64_t{1} << bit;
      } else {
        far[i] = 1;
      }
    }
  }
  offsets_ = DeviceArray<std::uint32_t>::from_host(x.offsets, device, "exclusions");
  partners_ = DeviceArray<std::uint32_t>::from_host(x.partners, device, "exclusions");
  kept_ = DeviceArray<float>::from_host(x.kept, device, "exclusions");
  mask_ = DeviceArray<std::uint64_t>::from_host(mask, device, "exclusions");
  far_ = DeviceArray<std::uint8_t>::from_host(far, device, "exclusions");
}

ExclusionView EnergyDevice::exclusions() const {
  if (offsets_.empty()) return {};
  return {offsets_.data(), partners_.data(), kept_.data(), mask_.data(), far_.data()};
}

std::size_t EnergyDevice::bytes() const {
  return charges_.size() * 4 + offsets_.size() * 4 + partners_.size() * 8 + mask_.size() * 9;
}

void EnergyDevice::clear_sums(Stream& stream) {
  cuda_check(cuda_api().set_bytes(sums_.data(), 0, sums_.size() * sizeof(double), stream.handle()), "sums");
}

void EnergyDevice::clear_forces(float* forces, Stream& stream) {
  if (forces) cuda_check(cuda_api().set_bytes(forces, 0, atoms_ * 3 * sizeof(float), stream.handle()), "forces");
}

void EnergyDevice::add_exclusions(const float* positions, const CellView& cell, const SmoothKernel& smooth, bool all,
                                  float* forces, float* energies, Stream& stream, ElectrostaticPart part) {
  if (offsets_.empty()) return;
  launch("excluded pairs", stream, exclusion_kernel, blocks_for(atoms_, 128), CudaDim{128, 1, 1}, positions,
         charges_.data(), static_cast<std::uint32_t>(atoms_), exclusions(), cell, smooth,
         part != ElectrostaticPart::far, part != ElectrostaticPart::near, all, forces, energies, sums_.data());
}

void EnergyDevice::add_own_energies(double per_square, double per_charge, float* energies, Stream& stream) {
  launch("own energies", stream, own_energy_kernel, blocks_for(atoms_, 128), CudaDim{128, 1, 1}, charges_.data(),
         static_cast<std::uint32_t>(atoms_), static_cast<float>(per_square), static_cast<float>(per_charge), energies);
}

ElectrostaticSums EnergyDevice::read_sums(Stream& stream) const {
  double values[sum_count];
  copy_memory(values, Device::cpu(), sums_.data(), stream.device(), sizeof values, stream.handle());
  ElectrostaticSums sums;
  sums.pairs = values[sum_pairs];
  sums.long_range = values[sum_long_range];
  sums.exclusions = values[sum_exclusions];
  for (std::size_t k = 0; k < 6; ++k) sums.virial[k] = values[static_cast<std::size_t>(sum_virial) + k];
  sums.has_virial = true;
  return sums;
}

}  // namespace isolume
