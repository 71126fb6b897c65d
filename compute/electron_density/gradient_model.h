// The independent gradient model of a wavefunction's density by Hirshfeld atoms (IGMH).
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electron_density/promolecule.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// The real density taken apart into atoms rho_i = w_i rho by Hirshfeld's weights w_i = rho0_i / sum_j rho0_j, with the
/// densities of free atoms of AtomicDensity. Then, as in the promolecule,
///   delta_g       = |sum_i abs(grad rho_i)| - |sum_i grad rho_i|, abs by component, over the atoms that are in a part;
///   delta_g_inter = |abs(grad rho_A) + abs(grad rho_B)| - |grad rho_A + grad rho_B|,
/// where rho_A is the sum over the atoms of a part. grad rho_i = w_i grad rho + rho grad w_i. T. Lu and Q. Chen,
/// J. Comput. Chem. 43 (2022) 539. Unlike that of the promolecule it needs orbitals, and has their bonds in it.
///
/// Accuracy: double precision; free atoms are left out where their density is below 1e-12 bohr^-3 (tested against
/// reference()). Where no free atom is left both are 0.
class HirshfeldGradientModel {
 public:
  /// @param parts  1 or 2 for each atom of delta_g_inter (1 for those of delta_g), 0 for atoms that count in the
  ///               weights alone
  /// The centres of the orbitals are the atoms. Throws Error (usage) for other numbers of elements or parts, and for
  /// elements without a free density.
  HirshfeldGradientModel(const Orbitals& orbitals, std::span<const int> elements, std::span<const std::uint8_t> parts);
  ~HirshfeldGradientModel();

  /// Points (bohr), on all threads or on a CUDA device. The density of a point is that of the orbitals.
  std::vector<PromoleculePoint> at(std::span<const glm::dvec3> points, Job& job, Device device = Device::cpu()) const;
  /// One field, or two at once, on a grid (angstrom), x fastest, of map_value(), on the device of the values.
  void on_grid(PromoleculeField field, const Grid& grid, Span<float> values, Job& job) const;
  void on_grid(PromoleculeField first, PromoleculeField second, const Grid& grid, Span<float> first_values,
               Span<float> second_values, Job& job) const;
  /// Straight from the formula, nothing left out.
  PromoleculePoint reference(glm::dvec3 point) const;
  /// Bytes next to the values: on the CPU, or on a CUDA device for a grid.
  std::size_t memory() const;
  std::size_t memory(Device device, const Grid& grid) const;

 private:
  struct Atoms;
  void fill(const PromoleculeMaps& maps, const Grid& grid, Job& job) const;

  std::unique_ptr<Atoms> atoms_;
};

}  // namespace isolume
