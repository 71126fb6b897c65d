// A model in a density map: fitted as a whole, and how well it agrees, overall, near its atoms and part by part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/density_maps/density_map.h"
#include "compute/density_maps/rigid_fit.h"

namespace isolume {

/// A map in host memory on an axis-aligned grid, and a model as Gaussians (map_atoms()) where it is now.
struct ModelInMap {
  const Grid& grid;
  std::span<const float> values;
  std::span<const MapAtom> atoms;
};

/// How well they agree at a place.
struct MapAgreement {
  double overall = 0;  ///< Pearson's correlation over all points; NaN where a map is constant
  double near = 0;     ///< over the points within `distance` of an atom
  /// Of every group of atoms (numbers in ModelInMap::atoms) over the points within `window` of any of them; NaN for
  /// fewer than three points.
  std::vector<double> parts;
};
struct AgreementOptions {
  double distance = 4;  ///< angstrom
  double window = 3;    ///< angstrom
};
/// At the place that `motion` takes the model to. Double precision sums; CPU, all threads. Throws Error (usage) for a
/// grid that is not axis-aligned, and (cancelled).
MapAgreement agreement(const ModelInMap& model, const RigidMotion& motion,
                       std::span<const std::vector<std::uint32_t>> groups, const AgreementOptions& options, Job& job);

struct FittedPlace {
  RigidMotion motion;
  double overall = 0, near = 0;  ///< MapAgreement
  double moved = 0;              ///< RMS distance of the atoms from where they were, angstrom
};
/// The model moved uphill from where it is (rigid_fit()), or with `search` the places of search_map(), the best overall
/// correlation first, on options.device. The map is first made as smooth as the model's own (smoothed_map()). Bytes:
/// model_fit_memory().
std::vector<FittedPlace> fit_model(const ModelInMap& model, bool search, const MapSearchOptions& options, Job& job);
std::size_t model_fit_memory(const ModelInMap& model);

}  // namespace isolume
