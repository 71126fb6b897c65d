// Hirshfeld's charges: the density shared by the densities of free atoms.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// Points and weights that integrate over space a function with peaks at the centres: about each a radial grid (Becke's
/// map of Chebyshev points of the second kind) times a product of Gauss-Legendre and equal angles, divided between the
/// centres by Becke's fuzzy cells (three times smoothed). Becke, J. Chem. Phys. 88 (1988) 2547. bohr.
struct AtomicGrid {
  std::vector<glm::dvec3> points;
  std::vector<double> weights;
};
struct AtomicGridSize {
  int radial = 80;
  int polar = 22;  ///< with twice as many angles around; near the nucleus fewer
};
/// Of an atom alone at the origin.
AtomicGrid atomic_grid(int element, const AtomicGridSize& size = {});
/// The part of one centre.
AtomicGrid atomic_grid(std::span<const glm::dvec3> centres, std::span<const int> elements, std::size_t centre,
                       const AtomicGridSize& size = {});

/// Throws Error (usage) where free atoms are not known: of nuclei with effective cores, and of other numbers of
/// elements or charges than centres.
void check_free_atoms(const Orbitals& orbitals, std::span<const int> elements, std::span<const double> charges);

struct HirshfeldCharges {
  std::vector<double> charges;  ///< e
  double electrons = 0;         ///< by the grid; what it differs from the orbitals' is the error of the integrals
  std::size_t points = 0;
};

/// q_A = Z_A - integral of w_A rho, w_A = rho0_A / sum_B rho0_B, with the densities of FreeAtom in the file's own
/// basis. Hirshfeld, Theor. Chim. Acta 44 (1977) 129. Accuracy: better than 1e-4 e (measured 2e-6 e at three
/// molecules). Double precision, on the CPU or on a CUDA device.
/// @param charges  of the nuclei
/// Throws Error (usage) for nuclei with effective cores, whose free atoms a basis does not give.
HirshfeldCharges hirshfeld_charges(const Orbitals& orbitals, std::span<const int> elements,
                                   std::span<const double> charges, Job& job, Device device = Device::cpu(),
                                   const AtomicGridSize& size = {});
/// Iterative Hirshfeld charges: the free atoms have the electrons that the atoms get, between whole numbers of them by
/// a line. Bultinck, Van Alsenoy, Ayers and Carbo-Dorca, J. Chem. Phys. 126 (2007) 144111. Ions are those of FreeAtom
/// in the file's own basis. On the CPU.
struct IterativeCharges {
  HirshfeldCharges hirshfeld;
  int iterations = 0;
  double change = 0;  ///< e, the largest that one more would make
};
/// Throws Error as hirshfeld_charges(), and (failed) where an ion does not converge or the charges do not in 500 steps.
IterativeCharges iterative_hirshfeld_charges(const Orbitals& orbitals, std::span<const int> elements,
                                             std::span<const double> charges, Job& job,
                                             const AtomicGridSize& size = {});

/// The charges of hirshfeld_charges() straight from the formula, one thread, nothing left out: the reference of the
/// tests.
HirshfeldCharges hirshfeld_reference(const Orbitals& orbitals, std::span<const int> elements,
                                     std::span<const double> charges, const AtomicGridSize& size);

}  // namespace isolume
