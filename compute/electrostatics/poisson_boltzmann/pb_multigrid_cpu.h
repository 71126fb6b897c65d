// The multigrid hierarchy of the Poisson-Boltzmann solver on the CPU.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <glm/glm.hpp>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/pb_rows_cpu.h"

namespace isolume {

constexpr std::size_t pb_small = 40'000;  // nodes below which one thread does it all

/// Runs body(k) for layers [first, last); on all threads where there is enough to do.
template <class Body>
void pb_for_layers(int first, int last, std::size_t nodes, const Body& body) {
  if (nodes < pb_small) {
    for (int k = first; k < last; ++k) body(k);
  } else {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<int>(first, last),
        [&](const oneapi::tbb::blocked_range<int>& range) {
          for (int k = range.begin(); k != range.end(); ++k) body(k);
        },
        oneapi::tbb::static_partitioner());
  }
}

/// One grid of the hierarchy.
struct PbLevel {
  glm::ivec3 n{0};
  std::vector<float> own_x, own_y, own_z, own_kappa;  // of the coarser ones
  const float *cx = nullptr, *cy = nullptr, *cz = nullptr, *kappa = nullptr;
  std::vector<float> inverse, u, source;

  std::size_t size() const {
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
  std::size_t row(int j, int k) const {
    return static_cast<std::size_t>(n.x) *
           (static_cast<std::size_t>(j) + static_cast<std::size_t>(n.y) * static_cast<std::size_t>(k));
  }
  PbRowView view(std::size_t at) const {
    return {n.x, n.x, static_cast<std::ptrdiff_t>(n.x) * n.y, cx + at, cy + at, cz + at, kappa + at};
  }
  /// Calls body(offset, view) for the rows of inner nodes.
  template <class Body>
  void rows(const Body& body) const {
    pb_for_layers(1, n.z - 1, size(), [&](int k) {
      for (int j = 1; j < n.y - 1; ++j) body(j, k, row(j, k));
    });
  }
  void invert();
  /// Both colours of a Gauss-Seidel sweep, on all threads.
  void sweep(const float* from, float* to, int first_colour) const;
  /// The same from 0 inside, whatever `to` holds there.
  void first_sweep(const float* from, float* to) const;
  /// to += what coarse.u is between its nodes, and a sweep that begins with the second colour.
  void prolong_and_sweep(const PbLevel& coarse, const float* from, float* to) const;
  /// coarse.source = 4 times the weighted mean of the residual.
  void restrict_residual(const float* from, const float* to, PbLevel& coarse) const;

 private:
  int slabs() const;
  int begin_of(int slab, int slabs) const { return 1 + (n.z - 2) * slab / slabs; }
  void layer(const float* from, float* to, int k, int colour) const;
  void first_layer(const float* from, float* to, int k) const;
  void prolong_layer(const PbLevel& coarse, float* to, int k) const;
  /// Two passes over all layers: prepare(k) once before what reads k, then the colours, the second a layer behind.
  template <class Prepare, class First>
  void in_slabs(int first_colour, const float* from, float* to, const Prepare& prepare, const First& first) const;
};

/// V-cycles with two sweeps down and two up, symmetric as a matrix.
class PbMultigrid {
 public:
  /// With this kappa in place of the problem's. Both must live as long.
  PbMultigrid(const PbProblem& problem, const float* kappa);
  /// u = about the solution of A u = source with u = 0 on the faces.
  void cycle(const std::vector<float>& source, std::vector<float>& u);
  const PbLevel& finest() const { return levels_.front(); }

 private:
  void descend(std::size_t at, const float* source, float* u);

  std::vector<PbLevel> levels_;
};

}  // namespace isolume
