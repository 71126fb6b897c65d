// The promolecule: the sum of free atoms' densities, its derivatives, and the measures of contacts that follow from it.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electron_density/density_derivatives.h"
#include "molecule/grid.h"

namespace isolume {

/// Fields of the promolecule; those up to sign_lambda2 are those of DensityMeasure.
enum class PromoleculeField {
  electron,
  gradient,
  laplacian,
  lambda2,
  rdg,
  sign_lambda2,
  delta_g,        ///< |sum_i abs(grad rho_i)| - |grad rho|, abs by component: all atoms against each other
  delta_g_inter,  ///< |abs(grad rho_A) + abs(grad rho_B)| - |grad rho|: two parts against each other
};

struct PromoleculeFieldInfo {
  PromoleculeField field;
  const char* name;  ///< of --kind: "delta-g-inter"
  const char* title;
  const char* unit;
};
const std::vector<PromoleculeFieldInfo>& promolecule_fields();
/// Null where the name is none of them.
const PromoleculeFieldInfo* find_promolecule_field(const std::string& name);

struct PromoleculeMaps;

/// What one point has.
struct PromoleculePoint {
  DensityDerivatives density;  ///< tau is 0
  double delta_g = 0, delta_g_inter = 0;
};
double field_value(PromoleculeField field, const PromoleculePoint& point);
/// The same as a map has it: reduced gradients above 10, which are those of empty space, are 10.
double map_value(PromoleculeField field, const PromoleculePoint& point);

/// sum_i rho_i(|r - R_i|) with the densities of AtomicDensity. The reduced gradient of it shows contacts as that of a
/// wavefunction does (Johnson et al., J. Am. Chem. Soc. 132 (2010) 6498); delta_g is that of the independent gradient
/// model (Lefebvre et al., Phys. Chem. Chem. Phys. 19 (2017) 17928).
///
/// Accuracy of the sums: single precision, atoms left out where their density is below 1e-8 bohr^-3: 1e-5 of the
/// largest value at a point's own scale (tested against reference()). Cost: atoms within 9 bohr of a point times ten
/// exponentials.
class Promolecule {
 public:
  /// @param positions  bohr
  /// @param parts      1 or 2 for each atom, for delta_g_inter; empty where there are none
  /// Throws Error (usage) for elements without a density.
  Promolecule(std::span<const glm::dvec3> positions, std::span<const int> elements,
              std::span<const std::uint8_t> parts = {});
  ~Promolecule();

  static constexpr std::size_t batch = 64;

  /// Points (bohr), on all threads or on a CUDA device.
  std::vector<PromoleculePoint> at(std::span<const glm::dvec3> points, Job& job, Device device = Device::cpu()) const;
  /// One field on a grid (angstrom), x fastest, of map_value(), on the device of `values`.
  void on_grid(PromoleculeField field, const Grid& grid, Span<float> values, Job& job) const;
  /// Two fields at once, as a plot of one against the other needs them, both on one device.
  void on_grid(PromoleculeField first, PromoleculeField second, const Grid& grid, Span<float> first_values,
               Span<float> second_values, Job& job) const;
  /// Straight from the formula in double precision: the reference of the tests. Only atoms whose density is below 1e-20
  /// bohr^-3 there are left out. Any number of threads at once.
  PromoleculePoint reference(glm::dvec3 point) const;

  struct Atoms;

 private:
  void fill(const PromoleculeMaps& maps, const Grid& grid, Job& job) const;

  std::unique_ptr<Atoms> atoms_;
};

}  // namespace isolume
