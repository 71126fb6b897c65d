// GB-neck2: generalised Born with the necks between spheres, which solvent cannot reach.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/electrostatics/generalised_born/generalised_born.h"

namespace isolume {

/// How integrals become radii: OBC (Onufriev, Bashford, Case), or GB-neck2 (Nguyen, Roe, Simmerling), which AMBER
/// calls igb=8.
enum class GeneralisedBornModel : unsigned char { obc, neck2 };

/// What GB-neck2 takes of an atom besides its charge and place; neck_parameters() has them.
struct NeckParameters {
  float radius = 0;  ///< angstrom, 1 to 2
  float scale = 0;   ///< S
  glm::vec3 bend{};  ///< alpha, beta, gamma
};
struct NeckAtom {
  glm::vec3 position;  ///< angstrom
  float charge;        ///< e
  NeckParameters parameters;
};

/// The energy and radii of GB-neck2 (J. Chem. Theory Comput. 9, 2020 (2013)) in the medium of the options, whose other
/// fields do not count. To I_i of generalised_born(), with rho' = rho - 0.195141, it adds what the necks between two
/// spheres hold. S of sulfur is negative: its integral is minus that of the absolute value where U > rho'_i, else none.
/// alpha, beta and gamma are those of each atom:
///
///     I_i += 0.826836 sum_j m / (1 + d^2 + 0.3 d^6),  d = r - d0,  for r < rho_i + rho_j + 6.8
///
/// On the CPU; pairs are in single precision and sums in double: relative error of radii and energies below 1e-5.
/// Throws Error (usage) for options out of range, no atoms, radii outside of 1 to 2 angstrom, atoms nearer than 0.01
/// angstrom.
GeneralisedBornResult generalised_born_neck(std::span<const NeckAtom> atoms, const GeneralisedBornOptions& medium,
                                            Job& job);
/// The same in double precision with plain loops; for tests.
GeneralisedBornResult generalised_born_neck_reference(std::span<const NeckAtom> atoms,
                                                      const GeneralisedBornOptions& medium);

/// "generalised Born (GB-neck2), permittivities 1 and 78.54, ionic strength 0.15 mol/l": for reports.
std::string describe_neck(const GeneralisedBornOptions& medium);

inline constexpr double neck_offset = 0.195141;  ///< angstrom
inline constexpr double neck_scale = 0.826836;   ///< of every neck
inline constexpr double neck_reach = 6.8;        ///< angstrom beyond both radii, where there is none

struct Neck {
  double depth = 0;     ///< 1/angstrom, m
  double distance = 0;  ///< angstrom, d0: where it is deepest
};

/// Of an atom of radius `own` with another (angstrom, 1 to 2): bilinear in the tables of Mongan, Simmerling, McCammon,
/// Case, Onufriev (J. Chem. Theory Comput. 3, 156 (2007)), every 0.05 angstrom from 1 to 2.
Neck neck_between(double own, double other);

/// Necks between all radii of a molecule, for loops over pairs.
struct NeckTable {
  explicit NeckTable(std::span<const NeckAtom> atoms);

  std::vector<int> kinds;                ///< of the atoms: which of the radii
  int count = 0;                         ///< of different radii
  std::vector<float> depths, distances;  ///< [own kind * count + other kind]
};

}  // namespace isolume
