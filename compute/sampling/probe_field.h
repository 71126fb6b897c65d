// The interaction of a probe with the atoms of one frame: energies of orientations, and their average at grid points.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/sampling/probe.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// An atom as a probe meets it.
struct ProbedAtom {
  glm::dvec3 position;     ///< angstrom
  double sigma = 0;        ///< angstrom
  double epsilon = 0;      ///< kcal/mol
  double charge = 0;       ///< e
  std::uint32_t kind = 0;  ///< of ProbeOptions::buckingham, where that is not empty
};

/// Buckingham's law between a site and a kind of atoms: V(r) = a exp(-b r) - c / r^6.
struct BuckinghamPair {
  double a = 0;  ///< kcal/mol, >= 0
  double b = 0;  ///< 1/angstrom, > 0 where a > 0
  double c = 0;  ///< kcal/mol angstrom^6, >= 0

  /// Where V is highest and falls towards smaller r, without a bound (0 where c = 0), and where it is lowest beyond
  /// (infinity where c = 0). Throws Error (usage) where a and b are so small, next to c, that V rises with r
  /// everywhere, and for values out of range.
  struct Extrema {
    double top = 0, bottom = 0;  ///< angstrom
  };
  Extrema extrema() const;
  double energy(double r) const;  ///< kcal/mol
};

/// How sigma and epsilon of two kinds make those of the pair; epsilon is the root of the product in both.
enum class LjMixing {
  lorentz_berthelot,  ///< sigma: the mean
  geometric           ///< sigma: the root of the product, as in OPLS
};

struct ProbeOptions {
  double temperature = 300;  ///< kelvin
  double cutoff = 10;        ///< angstrom between a site and an atom; plain truncation of Lennard-Jones
  bool charges = false;      ///< with Coulomb's law, shifted to 0 at the cutoff
  LjMixing mixing = LjMixing::lorentz_berthelot;
  /// Not empty: these laws in place of Lennard-Jones, one for each kind of atoms with the one site of the probe;
  /// without charges. Closer than its top a pair counts probe_closed.
  std::vector<BuckinghamPair> buckingham;
};

/// Free energies from this on (kT) are given as this: the probe does not fit.
inline constexpr double probe_ceiling = 80;

/// The energy (kT) of a pair that is closer than the top of Buckingham's law.
inline constexpr double probe_closed = 1e4;

/// k T in kcal/mol.
double probe_kt(double temperature);

/// G / kT = -ln [(1/N) sum_o exp(-E_o / kT)] at every point of a grid, over the orientations o of the probe there, of
/// Lennard-Jones 4 epsilon [(sigma/r)^12 - (sigma/r)^6], or of Buckingham's law, and, where asked for, q q' (1/r -
/// 1/r_c) / (4 pi eps0), over all atoms and their images in the cell (none where it does not exist). Values are at most
/// probe_ceiling. Distances below 0.1 angstrom count as 0.1.
///
/// @param free_energy  grid.size() values, x fastest, on the device that computes
/// Accuracy: 1e-4 kT + 2e-5 |G| against probe_energies() where the value is below the ceiling; with charges, whose
/// terms cancel, 1e-3 kT in place of 1e-4. Single precision in coordinates relative to bricks of points; atoms beyond
/// the cutoff are left out one by one.
void probe_free_energy(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                       std::span<const glm::dquat> orientations, const Grid& grid, const ProbeOptions& options,
                       Span<float> free_energy, Job& job);

/// E / kT of every orientation at points, in plain double precision: value p * orientations + o. For points, for tests,
/// and for the error of maps.
void probe_energies(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                    std::span<const glm::dquat> orientations, std::span<const glm::dvec3> points,
                    const ProbeOptions& options, std::span<double> energies, Job& job);

/// -ln of the mean of exp(-E), of values in kT.
double mean_free_energy(std::span<const double> energies);

/// Bytes on the device apart from the map.
std::size_t probe_memory(std::size_t atoms, const Grid& grid, const Cell& cell, const ProbeOptions& options);

}  // namespace isolume
