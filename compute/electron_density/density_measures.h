// Fields that follow from the density and its derivatives: ELF, LOL, reduced gradient, sign(lambda2) rho and others.
#pragma once

#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electron_density/density_derivatives.h"
#include "molecule/grid.h"

namespace isolume {

/// Fields of one point, in atomic units. With D = tau - |grad rho|^2 / (8 rho) and D0 = 3/10 (3 pi^2)^(2/3) rho^(5/3)
/// of the total density, and D_s, D0_s = 3/10 (6 pi^2)^(2/3) rho_s^(5/3) of one spin:
enum class DensityMeasure {
  electron,      ///< rho
  spin,          ///< rho_alpha - rho_beta
  alpha,         ///< rho_alpha
  beta,          ///< rho_beta
  gradient,      ///< |grad rho| (at points: the vector)
  hessian,       ///< at points: xx, xy, xz, yy, yz, zz
  laplacian,     ///< trace of the Hessian
  lambda2,       ///< its middle eigenvalue
  tau,           ///< sum_i n_i |grad psi_i|^2 / 2
  tau_alpha,     ///< of one spin
  tau_beta,      ///< of one spin
  elf,           ///< 1 / (1 + (D / D0)^2)
  elf_alpha,     ///< 1 / (1 + (D_s / D0_s)^2), Becke and Edgecombe, J. Chem. Phys. 92 (1990) 5397
  elf_beta,      ///< of the other spin
  elf_spin,      ///< 1 / (1 + ((D_a + D_b) / (D0_a + D0_b))^2); of closed shells it is elf
  lol,           ///< t / (1 + t), t = D0 / tau; Schmider and Becke, J. Mol. Struct. THEOCHEM 527 (2000) 51
  lol_spin,      ///< t = (D0_a + D0_b) / tau
  rdg,           ///< |grad rho| / (2 (3 pi^2)^(1/3) rho^(4/3)); Johnson et al., J. Am. Chem. Soc. 132 (2010) 6498
  sign_lambda2,  ///< sign(lambda2) rho
  dori,          ///< t / (1 + t), t = |grad k^2|^2 / (k^2)^3, k = grad rho / rho; de Silva and Corminboeuf,
                 ///< J. Chem. Theory Comput. 10 (2014) 3745
};

/// What one is called on the command line and in files, its unit, and what it needs.
struct DensityMeasureInfo {
  DensityMeasure measure;
  const char* name;   ///< "sign-lambda2"
  const char* title;  ///< "sign(lambda2) rho"
  const char* unit;   ///< "bohr^-3"; "1" for numbers
  DensityOrder order;
  bool spins;  ///< alpha and beta apart
};
const std::vector<DensityMeasureInfo>& density_measures();
/// Null where the name is none of them.
const DensityMeasureInfo* find_density_measure(const std::string& name);

/// The measure of one point: one value, of gradient 3 and of hessian 6. Where the density is below 1e-8 bohr^-3
/// (of one spin: half of that), elf, lol and dori are 0; where it is 0,
/// rdg is infinite.
std::vector<double> measure_values(DensityMeasure measure, const DensityDerivatives& alpha,
                                   const DensityDerivatives& beta);
/// One value: of gradient its length, of hessian its largest magnitude.
double measure_value(DensityMeasure measure, const DensityDerivatives& alpha, const DensityDerivatives& beta);

/// Middle eigenvalue of xx, xy, xz, yy, yz, zz.
double middle_eigenvalue(const std::array<double, 6>& hessian);

/// About so many points of a grid are interpolated at once, which bounds the memory.
inline constexpr std::size_t fine_slab_points = std::size_t{1} << 25;

/// One field on a grid (angstrom), x fastest, on the device of `values`. Values above 1e30 become 1e30.
/// Both bodies sum in double precision; values are rounded to single precision at the end.
///
/// Grids with points at most 0.119 angstrom apart (0.225 bohr) are interpolated. On the CPU, along x, y and z, and but
/// for rdg and dori, Gaussians of pairs of functions are summed, each on a grid as coarse as its width allows;
/// quotients (unit 1) that their errors may change by 3e-7 are computed point by point.
///
/// Elsewhere sums are computed on every second point, or every fourth on finer grids. Between them they are
/// interpolated by 12 points along each axis, the density's decay taken out, and compared with those by 10 points.
/// Parts of 4 x 4 x 4 points where these differ are computed. Quotients may differ by 2e-7 of the larger of the value
/// and 1, sums by 2e-7 of the larger of the sum and of 1 or the largest density at nuclei, which is the smaller one.
/// Along x, y and z, fields of the density's gradient and Hessian are interpolated from values and slopes of 8 points,
/// compared with those of 6, which may differ by 5e-7.
///
/// Returns at how many points, of all grids, sums were computed.
std::size_t measure_on_grid(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                            Span<float> values, Job& job, std::size_t slab_points = fine_slab_points);

/// Bytes that measure_on_grid takes beyond its values.
std::size_t measure_memory(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                           Device device);

}  // namespace isolume
