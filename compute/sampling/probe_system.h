// ProbeSystem: atoms, images and tables as the bodies of a probe's field need them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/molecular_surface/sphere_cells.h"
#include "compute/sampling/probe_field.h"

namespace isolume {

constexpr double probe_closest = 0.1;  ///< angstrom: distances below count as this
constexpr double probe_cell = 5;       ///< angstrom, side of the cells of atoms

/// The law between a kind of atoms and a kind of sites, in kT: a / r^12 - b / r^6 + q (1/r - 1/r_c). Buckingham's:
/// a exp(-b r) - q / r^6, probe_closed where r^2 < top2.
struct ProbeLaw {
  double a, b, q, top2 = 0;
};

/// Which terms the laws of a system have.
enum class ProbeTerms : std::uint8_t { lennard_jones, with_charges, buckingham };

/// Atoms near a box with their images, in the order of cells.
struct ProbeSystem {
  std::vector<glm::dvec3> places;    ///< angstrom
  std::vector<std::uint32_t> kinds;  ///< of the atoms: rows of `laws`
  CellGrid cells{};                  ///< of places relative to `middle`
  std::vector<std::uint32_t> starts;
  glm::dvec3 middle{0.0};
  std::vector<ProbeLaw> laws;  ///< kind * site_kinds + kind of the site
  std::vector<double> depths;  ///< of each kind: the deepest that a probe's energy with it can be, kT, without charges
  std::size_t site_kinds = 1;
  std::vector<glm::dvec3> offsets;       ///< orientation * sites + site
  std::vector<std::uint32_t> site_kind;  ///< of each site
  double cutoff = 10, reach = 10;        ///< angstrom; reach: cutoff and the probe's extent
  double near = 1;                       ///< angstrom: atoms farther from every site hardly ever keep a probe out
  ProbeTerms terms = ProbeTerms::lennard_jones;

  std::size_t sites() const { return site_kind.size(); }
  std::size_t orientations() const { return offsets.size() / site_kind.size(); }
  double inverse_cutoff() const { return 1 / cutoff; }
};

/// Of the atoms that a probe within the box can meet. Throws Error (usage) for wrong options and values.
ProbeSystem probe_system(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                         std::span<const glm::dquat> orientations, glm::dvec3 lower, glm::dvec3 upper,
                         const ProbeOptions& options);

/// Corners of a grid.
struct GridBox {
  glm::dvec3 lower, upper;
};
GridBox box_of(const Grid& grid);

void probe_free_energy_cpu(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job);
void probe_free_energy_cuda(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job);

}  // namespace isolume
