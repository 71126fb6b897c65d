// Multilevel summation: the Coulomb potential of any number of charges, periodic or not, in time proportional to it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "compute/electrostatics/direct/direct.h"
#include "molecule/cell.h"

namespace isolume {

/// How the potentials of the lattices are summed.
enum class MsmLattice {
  automatic,  ///< whichever the cost model of the plan says is faster
  direct,     ///< a sum over the lattice points within the cutoff of each level
  fft,        ///< a product of Fourier transforms, zero-padded along axes without periodicity
};

/// What the smooth parts are interpolated with.
enum class MsmBasisKind {
  nodal,    ///< the piecewise polynomial below, whose nodes' values are the function's
  bspline,  ///< B-splines of degree p on as many nodes, the lattices' kernels filtered so that nodes' values are met
};

/// Parameters of the multilevel summation method, MSM (Hardy, Stone, Schulten, Parallel Comput. 35, 164 (2009),
/// doi:10.1016/j.parco.2008.12.005; its equation numbers are used here and in docs/methods/potential.md).
///
/// 1/r is split into a short-range part g* = 1/r - gamma(r/a)/a, summed exactly within the cutoff a, and smooth parts
/// that are interpolated from lattices of spacing h, 2h, 4h, ... (eqs. 2, 3, 8). gamma is the Taylor series of s^(-1/2)
/// in s = rho^2 about 1 up to (s - 1)^smoothing (eq. 4 for 2). The interpolant is the piecewise polynomial of degree p
/// with p + 1 nodes that blends, linearly, the two Lagrange interpolants of degree p - 1 centred on the nodes left and
/// right of a point (eq. 7 for p = 3): nodal, once continuously differentiable, exact for polynomials of degree p - 1.
/// The error of the potential goes as h^p / a^(p+1) (eq. 9).
///
/// With B-splines (Hardy, Wolff, Xia, Schulten, Skeel, J. Chem. Phys. 144, 114112 (2016)) as many nodes give a fraction
/// of the error, p - 1 times continuously differentiable.
struct MsmOptions {
  double cutoff = 4.0;   ///< a, angstrom
  double spacing = 1.0;  ///< h, angstrom; along a periodic axis the largest spacing <= h that divides the cell is used
  int degree = 5;        ///< p: 3, 5 or 7
  int smoothing = 3;     ///< order of the Taylor series: 2, 3 or 4 (gamma is that often continuously differentiable)
  MsmBasisKind basis = MsmBasisKind::nodal;
  int levels = 0;  ///< lattices; 0 chooses
  MsmLattice lattice = MsmLattice::automatic;
  std::array<bool, 3> periodic{};  ///< along which cell vectors the charges repeat
  Cell cell;                       ///< needed where any axis is periodic; orthogonal or triclinic
  /// One Newton step after the processor's approximate 1/sqrt: 1e-7 instead of 6e-5 (CPU with AVX-512; elsewhere the
  /// step is always taken, or not needed).
  bool refine_roots = true;

  /// a = 12, h = 2, p = 3, second-order Taylor: the choice of the paper, with 2.5e-3 relative RMS error on water.
  static MsmOptions published();
  bool operator==(const MsmOptions&) const = default;
};

/// V(r) = sum_j q_j / (4 pi eps0 |r - r_j|) in volts at every grid point, by MSM. With periodicity, j runs over all
/// images.
///
/// * Periodic along three axes: the charges are embedded in a uniform background that neutralises them, the
/// surroundings
///   at infinity conduct (tin foil), and the mean of the potential over the cell is zero: as Ewald's sum.
/// * Along two (one): a charge's potential goes as -2 pi |z| / area (-2 ln(distance) / length) far away; the constant
/// is
///   that of ewald_reference(), and only neutral systems have a potential that does not depend on it.
/// * A charge within 1e-4 angstrom of a point is left out there, as in direct_potential(); of its images, only the near
/// one.
///
/// @param charges    host memory; positions may lie outside of the cell
/// @param grid       any parallelepiped of non-zero volume; fastest where its steps are parallel to the periodic axes
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Throws Error (usage) for parameters out of range, no charges, periodicity without a cell, sizes that differ and
/// lattices of more than 2^31 points, and charges that are not finite.
/// Accuracy: 2e-5 of the RMS of the potential against msm_potential_reference() with the same options; against the
/// exact sum what msm_expected_error() says, as measured by potential_error().
void msm_potential(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                   Span<float> potential, Job& job);

class MsmFieldBody;
struct MsmPlan;

/// A multilevel summation whose lattices are done: from it come parts of the map, one after the other where the whole
/// does not fit, and the potential with its gradient anywhere.
class MsmField {
 public:
  /// Without charges; reset() comes first.
  MsmField();
  /// As msm_potential(). `charges` must live as long as this.
  MsmField(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device, Job& job);
  ~MsmField();
  MsmField(MsmField&&) noexcept;
  MsmField& operator=(MsmField&&) noexcept;

  /// As if newly constructed, with the same bits. Where only the charges changed, and the lattices that they ask for
  /// did not, a CUDA device keeps geometry, kernels, transforms and memory.
  void reset(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device,
             Job& job);
  /// The charges on the CUDA device that computes; empty on the CPU.
  Span<const PointCharge> charges_on_device() const;
  /// True where reset() may find something to keep, which is at most 256 MiB of a device.
  bool keeps_memory() const;

  /// Layers [first, first + layers) along the grid's third axis: what msm_potential() puts there, to rounding.
  /// @param potential  counts.x * counts.y * layers values on the device
  void map(int first, int layers, Span<float> potential, Job& job);

  /// The same into host memory, at most `at_a_time` layers at once on the device, each slab on its way while the next
  /// is computed. `done` is called with the number of layers after each slab. Takes the bytes of two slabs.
  void map_to_host(int first, int layers, int at_a_time, std::span<float> potential, Job& job,
                   const std::function<void(int layers)>& done = {});

  /// At points within the box of the grid (for periodic axes anywhere), on the CPU: the potential in volts and, where
  /// `field` is not empty, -grad V in volt/angstrom, the analytic gradient of what is interpolated plus that of the
  /// short-range part. A charge within 1e-4 angstrom of a point is left out there. Throws Error (usage) for a point
  /// that is outside.
  void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field, Job& job);

  static std::size_t memory(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                            Device device, int layers);

 private:
  std::span<const PointCharge> charges_;
  std::unique_ptr<MsmPlan> plan_;
  Device device_;
  std::unique_ptr<MsmFieldBody> body_;
};

/// The same at `points` in plain double precision, the lattices as the above lays them out for `grid`, every lattice
/// sum a loop over pairs of lattice points; for tests on small systems.
void msm_potential_reference(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                             std::span<const glm::dvec3> points, std::span<double> potential);

/// Bytes of memory of `device` taken apart from the output; MsmField::memory() says the same for maps made `layers` at
/// a time.
std::size_t msm_potential_memory(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                                 Device device);

/// Relative RMS error (RMS error / RMS of the potential at the points of potential_error()) that these parameters have
/// on water in the mean of boxes of all sizes, measured once with double-precision sums and interpolated in a and h.
double msm_expected_error(const MsmOptions& options);

/// What the planner found.
struct MsmPlanned {
  MsmOptions options;
  double expected_error = 0;  ///< relative RMS: the largest measured on water of 10^4 to 10^6 atoms
  double seconds = 0;         ///< predicted time
};

/// The parameters that reach the relative RMS error `accuracy` in the least time on `device`, for this number of
/// charges and this grid. Times come from a count of operations and from the device's rates, which are measured on
/// first use (some tens of milliseconds) and kept. Throws Error (usage) where `accuracy` is finer than what the method
/// reaches in single precision (2e-5), naming that.
///
/// @param request  periodicity and cell; its other members are ignored
MsmPlanned plan_msm(double accuracy, std::span<const PointCharge> charges, const Grid& grid, Device device,
                    const MsmOptions& request = {});

/// "a = 4 A, h = 1 A, p = 5, Taylor 3, 4 levels by FFT": for reports.
std::string describe(const MsmOptions& options);

}  // namespace isolume
