// Molecular surfaces of the same atoms on grids of several steps, on a CUDA device.
#pragma once

#include <memory>
#include <span>

#include "compute/base/stream.h"
#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {

/// The atoms in the order of their cells and the samples of their arcs, once for all grids. Work is put into the stream
/// and not waited for.
class DeviceSurfaces {
 public:
  /// A second surface of the same atoms: the accessible one of another probe.
  struct OtherSurface {
    float probe = 0;         ///< angstrom
    float* depth = nullptr;  ///< null for none
  };

  /// Samples are as near to each other as a grid with steps of `finest_step` asks for. `stream` must live as long.
  DeviceSurfaces(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options, double finest_step,
                 Stream& stream);
  ~DeviceSurfaces();
  DeviceSurfaces(const DeviceSurfaces&) = delete;
  DeviceSurfaces& operator=(const DeviceSurfaces&) = delete;

  /// What molecular_surface() gives of these atoms, on the stream's device; `colours` may be null.
  void depths(const Grid& grid, float* depth, const OtherSurface& other, const float* atom_colours, float* colours,
              Job& job) const;

 private:
  struct Found;
  std::unique_ptr<Found> found_;
  double finest_step_;
  Stream& stream_;
};

}  // namespace isolume
