// SPME's mesh on the CPU: from charges to the potential on the mesh.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <span>

#include "compute/base/job.h"
#include "compute/base/large_vector.h"
#include "compute/electrostatics/ewald/spme_mesh_cpu.h"
#include "compute/electrostatics/ewald/spme_plan.h"
#include "compute/fft/mesh_convolution.h"

namespace isolume {

/// Memory is taken once and used again by every solve().
class SpmeSolverCpu {
 public:
  /// Options complete. Throws Error.
  SpmeSolverCpu(const SpmeOptions& options, const Cell& cell);
  /// Another cell, the same mesh.
  void set_cell(const SpmeOptions& options, const Cell& cell);

  /// Energy and virial of some waves, which `index` names; called by several threads.
  using AddSums = std::function<void(std::size_t index, double energy, const double (&virial)[6])>;
  /// Fills mesh() with the potential of the charges in kcal/(mol e): the same bits for the same places, whatever was
  /// solved before and by however many threads the slabs are filled. `add` may be empty.
  void solve(std::span<const glm::vec3> positions, std::span<const float> charges, const AddSums& add, Job& job);

  /// The potential; rows are continued by the 8 values that follow them.
  const MeshView& mesh() const { return mesh_; }
  /// The charges of the last solve() in the order of the mesh.
  std::span<const MeshAtom> sorted() const { return sorted_; }
  /// A place on the mesh.
  void locate(glm::dvec3 position, MeshAtom& atom) const;
  const SpmeTables& tables() const { return *tables_; }

 private:
  int slabs() const;
  int first_plane(int slab) const;  ///< 0 ... slabs
  void sort(std::span<const glm::vec3> positions, std::span<const float> charges, Job& job);
  void spread(Job& job);
  void convolve(const AddSums& add, Job& job);
  /// The same for meshes of other lengths, by a general transform.
  void transform(const AddSums& add, Job& job);
  void multiply(const AddSums& add, Job& job);
  template <class Use>
  void each_row(Job& job, const Use& use);

  SpmeOptions options_;
  std::unique_ptr<SpmeTables> tables_;
  MeshView mesh_;
  std::unique_ptr<MeshConvolution> convolution_;  ///< null where the mesh is of another length
  LargeVector<float> values_, influence_;
  LargeVector<std::complex<float>> spectrum_;
  LargeVector<MeshAtom> atoms_, sorted_;
  std::vector<std::uint32_t> first_, counts_;
  std::vector<std::uint32_t> slab_rows_;                ///< by plane: the first row of its slab
  std::vector<std::size_t> row_places_, plane_places_;  ///< of mesh_
  MeshFrame frame_;
};

}  // namespace isolume
