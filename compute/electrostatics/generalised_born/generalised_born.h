// Generalised Born: the polar solvation energy of a molecule from Born radii of its atoms.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"

namespace isolume {

/// An atom as its neighbours' Born radii see it.
struct GeneralisedBornAtom {
  glm::vec3 position;  ///< angstrom
  float charge;        ///< e
  float radius;        ///< intrinsic, rho, angstrom; above the offset
  float scale;         ///< S: the factor of its sphere where it descreens others; screening_scale()
};

struct GeneralisedBornOptions {
  double solute_permittivity = 1;
  double solvent_permittivity = 78.54;
  double temperature = 298.15;                 ///< K
  double ionic_strength = 0.15;                ///< mol/l
  double screening_factor = 0.73;              ///< of the inverse Debye length; AMBER's, for the ions' size
  double offset = 0.09;                        ///< angstrom: rho less this is the radius of the integrals
  double alpha = 1, beta = 0.8, gamma = 4.85;  ///< OBC II; OBC I has 0.8, 0, 2.909125

  /// 1/angstrom, with the factor.
  double inverse_debye_length() const;
  bool operator==(const GeneralisedBornOptions&) const = default;
};

struct GeneralisedBornResult {
  std::vector<double> radii;     ///< of Born, angstrom
  std::vector<double> energies;  ///< of the atoms, kcal/mol: half of their pairs and their own; they add up to `energy`
  double energy = 0;             ///< kcal/mol: the transfer from a medium with the solute's permittivity, without ions
};

/// S of an element (Tsui, Case, Biopolymers 56, 275 (2001), Table 1): H 0.85, C 0.72, N 0.79, O 0.85, F 0.88, P 0.86,
/// S 0.96, others 0.8.
float screening_scale(int element);

/// The model of Onufriev, Bashford, Case (Proteins 55, 383 (2004)): with rho' = rho - offset, s = S rho' of the other
/// atom, and the pairwise integrals of Hawkins, Cramer, Truhlar (Chem. Phys. Lett. 246, 122 (1995)),
///
///     I_i = 1/2 sum_j [1/L - 1/U + (r - s^2/r)(1/U^2 - 1/L^2)/4 + ln(L/U)/(2r) + C],
///     L = max(rho'_i, |r - s|),  U = r + s,  C = 2 (1/rho'_i - 1/L) where rho'_i < s - r,  none where U <= rho'_i
///     1/R_i = 1/rho'_i - tanh(alpha psi - beta psi^2 + gamma psi^3) / rho_i,     psi = I_i rho'_i
///     E = -1/2 sum_ij q_i q_j C (1/e1 - exp(-kappa f)/e2) / f,   f^2 = r^2 + R_i R_j exp(-r^2 / (4 R_i R_j))
///
/// over all pairs and all i = j, without a cutoff. On the CPU and on CUDA pairs are in single precision and sums in
/// double: relative error of radii and energies below 1e-5. `device` computes; everything else is in host memory.
/// Throws Error (usage) for options out of range, no atoms, radii not above the offset, atoms nearer than 0.01
/// angstrom.
GeneralisedBornResult generalised_born(std::span<const GeneralisedBornAtom> atoms,
                                       const GeneralisedBornOptions& options, Device device, Job& job);

/// The same in double precision with plain loops; for tests.
GeneralisedBornResult generalised_born_reference(std::span<const GeneralisedBornAtom> atoms,
                                                 const GeneralisedBornOptions& options);

/// "generalised Born (OBC II), permittivities 1 and 78.54, ionic strength 0.15 mol/l": for reports.
std::string describe(const GeneralisedBornOptions& options);

}  // namespace isolume
