// Atomic charges fitted to an electrostatic potential: Merz-Kollman, CHELPG, RESP.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace isolume {

/// Points on scaled spheres about the atoms, bohr: on each shell a spiral of equal areas, without those inside another
/// atom's sphere of that shell. Singh and Kollman, J. Comput. Chem. 5 (1984) 129; Besler, Merz and Kollman, ibid. 11
/// (1990) 431.
///
/// @param radii    angstrom, one an atom
/// @param scales   of the shells: 1.4, 1.6, 1.8, 2.0
/// @param density  points per square angstrom of a whole sphere
std::vector<glm::dvec3> merz_kollman_points(std::span<const glm::dvec3> centres, std::span<const double> radii,
                                            std::span<const double> scales, double density);

/// Points of a cubic grid (angstrom apart) outside of the atoms' radii and at most `reach` angstrom from one of them,
/// bohr. Breneman and Wiberg, J. Comput. Chem. 11 (1990) 361: 0.3 and 2.8 angstrom.
std::vector<glm::dvec3> chelpg_points(std::span<const glm::dvec3> centres, std::span<const double> radii,
                                      double spacing, double reach);

/// Radii of atoms for these points, angstrom: H 1.20, C 1.70, N 1.55, O 1.52 and others of Bondi; of CHELPG H 1.45,
/// C 1.50, N 1.70, O 1.70 and the rest as before.
double merz_kollman_radius(int element);
double chelpg_radius(int element);

/// What a fit is asked for.
struct ChargeFitOptions {
  double total_charge = 0;                        ///< e
  double restraint = 0;                           ///< a of a (sqrt(q^2 + b^2) - b), in atomic units; 0 for none
  double tightness = 0.1;                         ///< b, e
  std::vector<bool> restrained;                   ///< one an atom; empty for all
  std::vector<std::vector<std::uint32_t>> equal;  ///< groups of atoms with one charge each
  std::vector<bool> fixed;                        ///< atoms that keep `charges`; empty for none
  std::vector<double> charges;                    ///< of the fixed ones, and where the iteration begins
};

struct ChargeFit {
  std::vector<double> charges;  ///< e
  double rms = 0;               ///< of the potential at the points, hartree/e
  double relative = 0;          ///< rms over that of the potential
  int iterations = 0;
};

/// Least squares sum_k (V_k - sum_A q_A / r_kA)^2 with the total charge as a Lagrange constraint, and with a restraint
/// that of RESP: sum over points (not divided by their number) plus a sum_A (sqrt(q_A^2 + b^2) - b), iterated until the
/// charges change by less than 1e-12 e. Bayly, Cieplak, Cornell and Kollman, J. Phys. Chem. 97 (1993) 10269. Throws
/// Error (usage) for sizes that do not fit together or fewer points than atoms, (failed) where it does not converge.
ChargeFit fit_charges(std::span<const glm::dvec3> centres, std::span<const glm::dvec3> points,
                      std::span<const double> potential, const ChargeFitOptions& options);

}  // namespace isolume
