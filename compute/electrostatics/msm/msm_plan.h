// MsmPlan: where the lattices of a multilevel summation lie, and how they are summed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/electrostatics/charges/charge_bins.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_math.h"

namespace isolume {

/// One lattice. Node i of level k is, along an axis, at coordinate i/2 + shift of level k + 1.
struct MsmLevel {
  glm::ivec3 counts{0};  ///< nodes
  glm::ivec3 shift{0};   ///< to the next level
  glm::ivec3 radius{0};  ///< of the kernel, in nodes: beyond, it is zero; for the top level its size less 1
  glm::ivec3 padded{0};  ///< size of the Fourier transform
  bool fft = true;
  bool top = false;
  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
};

/// Weights that take a row of lattice nodes to the points of a map, along one axis.
struct MsmAxis {
  std::vector<std::int32_t> first;  ///< node of the first weight, per point; along a periodic axis any integer
  std::vector<float> weights;       ///< taps per point
};

/// Everything about a multilevel summation but the charges. Coordinates are those of the map's row frame (RowFrame).
struct MsmPlan {
  MsmPlan(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device);
  /// True where a plan for these would be this one.
  bool serves(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device) const;

  MsmOptions options;  ///< with levels chosen
  Grid grid;
  RowFrame frame;
  MsmBasis basis;
  glm::dmat3 lattice{1.0};  ///< columns: steps of level 0
  glm::dmat3 inverse{1.0};
  glm::dvec3 origin{0.0};  ///< of node (0,0,0) of level 0
  bool periodic[3] = {};
  ChargeImages images;
  std::vector<MsmLevel> levels;

  glm::dmat3 map_step{1.0};  ///< lattice coordinates of point (i,j,k): map_base + map_step (i,j,k)
  glm::dvec3 map_base{0.0};
  bool separable = true;                     ///< map_step is diagonal
  MsmAxis axes[3];                           ///< filled where separable
  std::shared_ptr<const EwaldKernel> ewald;  ///< where any axis is periodic
  MsmOptions asked;                          ///< options as they were given
  Device device;                             ///< that it was made for
  bool transforms = false;                   ///< CUDA's had fast ones then

  /// Lattice coordinates of a point of space; along periodic axes brought into [0, counts).
  glm::dvec3 coordinates(glm::vec3 position) const;

  /// The kernel of a level (1/angstrom) at a difference of nodes, not filtered: eq. 3, times its 1/2^k; the top's is
  /// the rest of 1/r, with periodicity that of all images.
  double kernel(const MsmLevel& level, glm::ivec3 difference) const;
  int index_of(const MsmLevel& level) const { return static_cast<int>(&level - levels.data()); }
  /// All axes are periodic: the top level's kernel is made from top_split(), not node by node.
  bool periodic_top() const { return periodic[0] && periodic[1] && periodic[2]; }

  /// Three periodic axes: the kernel of the top level is a short-ranged part (nodes within `reach` angstrom, added over
  /// images) and a smooth one that is known in Fourier space.
  struct Split {
    double alpha = 0;     ///< 1/angstrom
    double reach = 0;     ///< angstrom
    double constant = 0;  ///< 1/angstrom, added everywhere
    double a = 0;         ///< cutoff of the top level
  };
  Split top_split() const;
  /// The short-ranged part at distance r.
  double split_near(const Split& split, double r) const;
  /// The smooth part in Fourier space at the wave numbers m (each within +- half its size), filtered for the basis:
  /// what a discrete transform of the kernel over the nodes would give.
  double split_far(const Split& split, glm::ivec3 m) const;
};

/// Values of a level's kernel (periodic top: of its short-ranged part) for node differences first to last, x fastest.
struct MsmStencil {
  glm::ivec3 first{0};
  glm::ivec3 last{0};
  std::vector<float> values;
  glm::ivec3 size() const { return last - first + 1; }
};
MsmStencil msm_stencil(const MsmPlan& plan, const MsmLevel& level, Job& job);

/// The kernel of a level (three periodic axes: of all images too, not split) for differences `first` to `last`, x
/// fastest, filtered for the basis; a periodic axis of the top level must be asked for from 0 to its size less 1.
std::vector<double> msm_kernel_values(const MsmPlan& plan, const MsmLevel& level, glm::ivec3 first, glm::ivec3 last,
                                      Job& job);

/// By how many nodes a filtered kernel is longer than its support, so that what is left out is below 1e-5 of the
/// potential's error: 0 for the nodal basis.
int msm_filter_reach(const MsmBasis& basis);

/// What a level's kernel depends on; kernels repeat from frame to frame, so both bodies keep their last few.
struct MsmKernelKey {
  glm::ivec3 counts, padded, radius;
  bool top, fft;
  int level;
  glm::dmat3 lattice;
  double cutoff;
  int smoothing;
  int spline;  ///< degree of the B-splines that it is filtered for, 0 for none
  std::array<bool, 3> periodic;
  bool operator==(const MsmKernelKey&) const = default;
};
MsmKernelKey msm_kernel_key(const MsmPlan& plan, const MsmLevel& level);

}  // namespace isolume
