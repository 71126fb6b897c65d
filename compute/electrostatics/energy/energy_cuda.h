// What the CUDA bodies of energies and forces share: charges and exclusions on the device, and the sums.
#pragma once

#include <cstdint>

#include "compute/base/device_array.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/pairs/short_range.h"

namespace isolume {

/// Exclusions as kernels read them. Most partners of an atom are near it in the file: those whose index is at most 31
/// less or 32 more are bits of a mask; atoms that have others are marked and look into their row.
struct ExclusionView {
  const std::uint32_t* offsets = nullptr;  ///< null where there are none
  const std::uint32_t* partners = nullptr;
  const float* kept = nullptr;
  const std::uint64_t* mask = nullptr;  ///< bit j - i + 31 of atom i
  const std::uint8_t* far = nullptr;
};

/// Places in the sums on the device.
enum SumPlace { sum_pairs = 0, sum_long_range = 1, sum_exclusions = 2, sum_virial = 3, sum_count = 9 };

/// The cell as kernels read it: columns of the matrix and of its inverse; no rounding where not periodic.
struct CellView {
  double vectors[9] = {};
  double inverse[9] = {};
  bool periodic = false;
  bool upright = true;  ///< edges at right angles
  static CellView of(const Cell& cell);
  /// The same lattice by short vectors, for nearest images.
  static CellView reduced(const Cell& cell);
};

class EnergyDevice {
 public:
  EnergyDevice(const ElectrostaticProblem& problem, Device device);
  ExclusionView exclusions() const;
  const float* charges() const { return charges_.data(); }
  double* sums() { return sums_.data(); }
  std::size_t bytes() const;

  /// Puts zeros into the sums.
  void clear_sums(Stream& stream);
  /// Puts zeros into the forces of all atoms (null: none).
  void clear_forces(float* forces, Stream& stream);
  /// Adds kept/r (the near part) - smooth(r) (the far part) of the excluded and scaled pairs to forces, energies (null:
  /// none) and sums (`all`).
  void add_exclusions(const float* positions, const CellView& cell, const SmoothKernel& smooth, bool all, float* forces,
                      float* energies, Stream& stream, ElectrostaticPart part = ElectrostaticPart::all);
  /// energies[i] += per_square q_i^2 + per_charge q_i.
  void add_own_energies(double per_square, double per_charge, float* energies, Stream& stream);
  /// Waits and reads them, in kcal/mol.
  ElectrostaticSums read_sums(Stream& stream) const;

 private:
  std::size_t atoms_;
  DeviceArray<float> charges_;
  DeviceArray<std::uint32_t> offsets_, partners_;
  DeviceArray<float> kept_;
  DeviceArray<std::uint64_t> mask_;
  DeviceArray<std::uint8_t> far_;
  DeviceArray<double> sums_;
};

}  // namespace isolume
