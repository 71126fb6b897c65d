// ForceField: the parameters of a molecular-mechanics energy, as a topology file gives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecule/cell.h"

namespace isolume {

// Terms over bonded atoms. Energies in kcal/mol, lengths in angstrom, angles in radians; atoms are indices into
// Topology::atoms. No term carries a factor 1/2 that is not written here.

/// E = k (r - r0)^2.
struct BondTerm {
  std::array<std::uint32_t, 2> atoms;
  double force = 0;   ///< k, kcal/(mol angstrom^2)
  double length = 0;  ///< r0, angstrom

  bool operator==(const BondTerm&) const = default;
};

/// E = k (theta - theta0)^2, theta at the middle atom.
struct AngleTerm {
  std::array<std::uint32_t, 3> atoms;
  double force = 0;  ///< k, kcal/(mol rad^2)
  double angle = 0;  ///< theta0, rad

  bool operator==(const AngleTerm&) const = default;
};

/// E = k [1 + cos(n phi - delta)], phi about the middle bond by IUPAC's sign (0 for cis). Impropers of this form
/// (AMBER) are among them.
struct DihedralTerm {
  std::array<std::uint32_t, 4> atoms;
  double force = 0;     ///< k, kcal/mol
  int periodicity = 1;  ///< n
  double phase = 0;     ///< delta, rad
  bool improper = false;

  bool operator==(const DihedralTerm&) const = default;
};

/// E = k (psi - psi0)^2, psi the dihedral angle of the four atoms, the difference taken in [-pi, pi] (CHARMM's
/// impropers).
struct ImproperTerm {
  std::array<std::uint32_t, 4> atoms;
  double force = 0;  ///< k, kcal/(mol rad^2)
  double angle = 0;  ///< psi0, rad

  bool operator==(const ImproperTerm&) const = default;
};

/// A correction map E(phi, psi) on a periodic grid: node (i, j) at phi = -pi + 2 pi i / size, psi = -pi + 2 pi j /
/// size, interpolated by bicubic splines (MacKerell, Feig, Brooks, J. Comput. Chem. 25, 1400 (2004),
/// doi:10.1002/jcc.20065).
struct CorrectionMap {
  int size = 0;
  std::vector<double> energies;  ///< size * size, kcal/mol, psi runs fastest

  bool operator==(const CorrectionMap&) const = default;
};

/// phi of the first four atoms, psi of the last four.
struct CorrectionTerm {
  std::array<std::uint32_t, 8> atoms;
  std::uint32_t map = 0;  ///< index into ForceField::maps

  bool operator==(const CorrectionTerm&) const = default;
};

/// Two atoms that three bonds separate: their Coulomb and Lennard-Jones energies count times these factors.
struct Pair14 {
  std::uint32_t a = 0, b = 0;  ///< a < b
  double coulomb = 1;          ///< 1/SCEE in AMBER
  double lennard_jones = 1;    ///< 1/SCNB in AMBER

  bool operator==(const Pair14&) const = default;
};

/// The energy of a configuration is the sum of all terms below, plus for all pairs of atoms that exclusions do not name
/// coulomb_constant q_a q_b / r + A/r^12 - B/r^6, plus for the pairs of pairs14 the same with their factors (and with
/// the tables for them, where there are some). Pairs of pairs14 are among the exclusions. Per atom, in the order of
/// Topology::atoms.
struct ForceField {
  std::string source;                ///< "AMBER", "CHAMBER (CHARMM in AMBER's form)", "CHARMM"
  double coulomb_constant = 0;       ///< kcal angstrom / (mol e^2), the program's own: 18.2223^2 in AMBER
  std::vector<double> charges;       ///< e
  std::vector<double> masses;        ///< Da; 0 for virtual sites
  std::vector<std::uint32_t> types;  ///< Lennard-Jones type, below type_count
  std::uint32_t type_count = 0;
  std::vector<double> lj_a;    ///< type_count^2, symmetric: A, kcal angstrom^12 / mol
  std::vector<double> lj_b;    ///< type_count^2, symmetric: B, kcal angstrom^6 / mol
  std::vector<double> lj14_a;  ///< the same for pairs14; empty: lj_a
  std::vector<double> lj14_b;
  std::vector<BondTerm> bonds;
  std::vector<BondTerm> urey_bradley;  ///< of the outer atoms of angles; none in AMBER's own force fields
  std::vector<AngleTerm> angles;
  std::vector<DihedralTerm> dihedrals;
  std::vector<ImproperTerm> impropers;
  std::vector<CorrectionMap> maps;
  std::vector<CorrectionTerm> corrections;
  std::vector<Pair14> pairs14;  ///< sorted by (a, b), each once
  /// Exclusions in compressed rows: those of atom a with partners b > a, ascending, are excluded[exclusion_offsets[a]]
  /// to excluded[exclusion_offsets[a + 1] - 1].
  std::vector<std::uint32_t> exclusion_offsets;  ///< atoms + 1
  std::vector<std::uint32_t> excluded;
  Cell cell;  ///< the file's; a frame's own goes first
  std::vector<std::string> notes;

  std::size_t atom_count() const { return charges.size(); }
  /// True where no full interaction of atoms a and b is counted.
  bool excludes(std::uint32_t a, std::uint32_t b) const;

  /// Throws Error (kind failed) naming the first array of the wrong length, index out of range, exclusion out of order,
  /// or number that is not finite.
  void validate() const;
};

}  // namespace isolume
