// The exposed arcs of a solvent-excluded surface, found once for grids of several steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {

/// Where the spheres of the probe's centres meet and no third one covers them. On the CPU; options.kind is excluded.
class SurfaceArcs {
 public:
  SurfaceArcs(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options, Job& job);
  ~SurfaceArcs();
  SurfaceArcs(const SurfaceArcs&) = delete;
  SurfaceArcs& operator=(const SurfaceArcs&) = delete;

  /// What molecular_surface() gives of these atoms on the CPU.
  void depth(const Grid& grid, Span<float> values, Job& job) const;
  /// About the bytes of the arcs of so many atoms of a molecule.
  static std::size_t memory(std::size_t atoms);

 private:
  struct Found;
  std::unique_ptr<const Found> found_;
};

}  // namespace isolume
