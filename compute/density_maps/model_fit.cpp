// A model in a density map: fitted as a whole, and how well it agrees.
#include "compute/density_maps/model_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/density_maps/map_windows.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<MapAtom> moved_atoms(std::span<const MapAtom> atoms, const RigidMotion& motion) {
  std::vector<MapAtom> result(atoms.begin(), atoms.end());
  for (MapAtom& atom : result) atom.position = glm::vec3(motion(glm::dvec3(atom.position)));
  return result;
}

std::vector<glm::dvec3> places_of(std::span<const MapAtom> atoms) {
  std::vector<glm::dvec3> places;
  places.reserve(atoms.size());
  for (const MapAtom& atom : atoms) places.emplace_back(atom.position);
  return places;
}

}  // namespace

MapAgreement agreement(const ModelInMap& model, const RigidMotion& motion,
                       std::span<const std::vector<std::uint32_t>> groups, const AgreementOptions& options, Job& job) {
  const std::vector<MapAtom> atoms = moved_atoms(model.atoms, motion);
  std::vector<float> own(model.grid.size());
  const MapComparison comparison{{model.values.data(), model.values.size(), Device::cpu()}, 0, 0};
  MapAgreement result;
  result.overall = compared_density_map(atoms, model.grid, comparison, {own.data(), own.size(), Device::cpu()}, job)
                       .all.correlation();
  const std::vector<glm::dvec3> places = places_of(atoms);
  result.near =
      masked_sums(model.values, own, points_near(model.grid, places, options.distance, job), job).correlation();
  if (groups.empty()) return result;
  for (const MapSums& sums : window_sums(model.grid, model.values, own, places, groups, options.window, job))
    result.parts.push_back(sums.count < 3 ? std::numeric_limits<double>::quiet_NaN() : sums.correlation());
  return result;
}

std::vector<FittedPlace> fit_model(const ModelInMap& model, bool search, const MapSearchOptions& options, Job& job) {
  if (model.atoms.empty()) throw Error("a fit needs atoms", Error::Kind::usage);
  RigidModel rigid;
  double sigma = 0;
  for (const MapAtom& atom : model.atoms) {
    rigid.positions.emplace_back(atom.position);
    // The integral of its Gaussian.
    rigid.weights.push_back(static_cast<double>(atom.height) * std::pow(static_cast<double>(atom.sigma), 3));
    sigma += static_cast<double>(atom.sigma) / static_cast<double>(model.atoms.size());
  }
  const MapSpline map(model.grid, smoothed_map(model.grid, model.values, sigma, job));
  const std::vector<RigidFit> fits =
      search ? search_map(map, rigid, options, job) : std::vector{rigid_fit(map, rigid, {}, job, options.device)};
  std::vector<FittedPlace> places;
  for (const RigidFit& fit : fits) {
    job.check();
    const MapAgreement agrees = agreement(model, fit.motion, {}, {}, job);
    places.push_back({fit.motion, agrees.overall, agrees.near, rmsd_of_places(rigid, {}, fit.motion)});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const FittedPlace& a, const FittedPlace& b) { return a.overall > b.overall; });
  return places;
}

std::size_t model_fit_memory(const ModelInMap& model) {
  return model.grid.size() * (3 * sizeof(float) + 1) + MapSpline::memory(model.grid) +
         density_map_memory(model.atoms, model.grid, Device::cpu());
}

}  // namespace isolume
