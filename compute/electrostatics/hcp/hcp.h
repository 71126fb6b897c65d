// Hierarchical charge partitioning: far parts of a molecule act by one or two charges each.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/charges/dielectric.h"
#include "compute/electrostatics/direct/direct.h"
#include "molecule/grid.h"
#include "molecule/topology.h"

namespace isolume {

/// How a system is made of parts. Level 0 is the atoms; a component of level l is a consecutive run of components of
/// level l - 1: component c of level l holds [first[l-1][c], first[l-1][c+1]). Levels: 1 groups (residues,
/// nucleotides), 2 subunits (chains), 3 complexes.
struct HcpHierarchy {
  std::array<std::vector<std::uint32_t>, 3> first;

  /// Residues, chains, and complexes: that of each chain by chain_complexes(); empty: all chains make one. An assembly
  /// has every copy of a chain as a chain of its own.
  static HcpHierarchy from_topology(const Topology& topology, std::span<const std::uint32_t> complex_of_chain = {});

  std::size_t count(int level) const { return first[static_cast<std::size_t>(level - 1)].size() - 1; }
  /// Throws Error (usage) where a level does not cover the one below without gap, or a component is empty.
  void check(std::size_t atoms) const;
};

/// When a component counts as far, and what stands for it then.
///
/// A component acts by its approximate charges on a point that is farther from its centre than the threshold of its
/// level (and than the component's own radius plus 5 angstrom, so that no point inside one and no bonded partner is
/// ever "far"); nearer, its parts are looked at. The centre is the mean of its atoms' positions weighted by |q| (the
/// plain mean where all charges are 0). One charge: the net charge, at the centre. Two charges: the sum of the positive
/// charges at their centre of charge, and that of the negative ones at theirs, which keeps the dipole moment.
///
/// Anandakrishnan, Onufriev, J. Comput. Chem. 31, 691 (2010), doi:10.1002/jcc.21357; on the GPU: Anandakrishnan, Daga,
/// Onufriev, Feng, ACM-BCB 2016, doi:10.1145/2975167.2975214, whose Table 1 has the presets.
struct HcpOptions {
  static constexpr double never = std::numeric_limits<double>::infinity();
  std::array<double, 3> thresholds{15, 66, never};  ///< of groups, subunits and complexes, angstrom, > 0
  int charges = 1;                                  ///< that stand for a component: 1 or 2
  Dielectric dielectric;

  /// "15", "15/66", "21/90", "15/48": thresholds of groups and subunits as published, or any "H1[/H2[/H3]]" in
  /// angstrom. Throws Error (usage).
  static std::array<double, 3> parse_thresholds(const std::string& text);
  void check() const;
};

/// V(r) = sum over the charges that stand for the system at r of q / (4 pi eps0 eps(d) d), in volts, at every grid
/// point; what stands for it is decided for every point by itself. A charge within 1e-4 angstrom of a point is left out
/// there.
///
/// @param charges    host memory, as many as atoms in the hierarchy and in its order
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Throws Error (usage). Accuracy: 2e-5 of the RMS of the potential against hcp_reference(); how far that is from the
/// sum over all atoms depends on the thresholds (error_estimate.h measures it).
void hcp_potential(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy, const Grid& grid,
                   const HcpOptions& options, Span<float> potential, Job& job);

/// The same at points (angstrom, host memory); `potential` on the device that computes.
void hcp_potential_at(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy,
                      std::span<const glm::vec3> points, const HcpOptions& options, Span<float> potential, Job& job);

/// Potential and field on the atoms themselves, each atom's own charge left out: values[i] = (E_x, E_y, E_z, V) at atom
/// i, E = -grad V in V/angstrom. Force and energy follow by the charge; bonded pairs are the caller's to subtract.
/// `charges` lie on the host or on the device of `values`.
void hcp_field_on_atoms(Span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpOptions& options,
                        Span<glm::vec4> values, Job& job);

/// Bytes that a device needs for `atoms` atoms next to the result.
std::size_t hcp_memory(const HcpHierarchy& hierarchy, const HcpOptions& options);

/// The same at points in plain double precision: (E_x, E_y, E_z, V), straight from the definition; for tests.
void hcp_reference(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy,
                   std::span<const glm::dvec3> points, const HcpOptions& options, std::span<glm::dvec4> values);

}  // namespace isolume
