// The colours of a representation's atoms, with the numbers that some colourings need.
#include "app/view/representation_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/documents/titles.h"
#include "app/fields/legend.h"
#include "app/fields/probes/scene_probes.h"
#include "app/fields/shown_result.h"
#include "app/scene/density_name.h"
#include "app/view/colour_file.h"
#include "molecule/base/error.h"
#include "molecule/selection/number_expression.h"

namespace isolume {
namespace {

/// The volume at the atoms; NaN outside of its grid, where it says nothing.
std::vector<float> at_atoms(const Volume& volume, const Frame& frame) {
  std::vector<float> values;
  values.reserve(frame.positions.size());
  const glm::dmat3 to_grid = glm::inverse(volume.grid.step);
  const glm::dvec3 last(volume.grid.counts - 1);
  for (const glm::vec3& position : frame.positions) {
    const glm::dvec3 place(position);
    const glm::dvec3 at = to_grid * (place - volume.grid.origin);
    const bool inside = glm::all(glm::greaterThanEqual(at, glm::dvec3(0))) && glm::all(glm::lessThanEqual(at, last));
    values.push_back(inside ? interpolate(volume, place) : std::numeric_limits<float>::quiet_NaN());
  }
  return values;
}

const Volume& volume_of(const Scene& scene, const Representation& representation, Documents& documents,
                        std::shared_ptr<const Molecule>& keep) {
  if (representation.map_molecule >= scene.molecules.size())
    throw Error(fmt::format("map_molecule {} is beyond the {} molecules of the scene (they count from 0)",
                            representation.map_molecule, scene.molecules.size()),
                Error::Kind::usage);
  keep = documents.molecule(scene.molecules[representation.map_molecule]);
  if (representation.map_volume >= keep->volumes.size())
    throw Error(fmt::format("map_volume {}: molecule {} has {} volumes (they count from 0)", representation.map_volume,
                            representation.map_molecule, keep->volumes.size()),
                Error::Kind::usage);
  return *keep->volumes[representation.map_volume];
}

}  // namespace

AtomColours colours_of(const Scene& scene, const Representation& representation, const Topology& topology,
                       const Frame& frame, std::span<const std::uint8_t> mask, Documents& documents,
                       const std::function<void()>& check) {
  const ColourRule rule{representation.colouring,
                        representation.colour,
                        representation.colours,
                        representation.lower,
                        representation.upper,
                        representation.molecule,
                        file_title(scene.molecules[representation.molecule].paths)};
  if (rule.colouring == Colouring::value) {
    const NumberExpression expression(representation.value);
    return colour_atoms(topology, rule, expression.values(topology, frame), expression.text(), expression.unit(), mask);
  }
  if (rule.colouring == Colouring::map) {
    std::shared_ptr<const Molecule> keep;
    const Volume& volume = volume_of(scene, representation, documents, keep);
    return colour_atoms(topology, rule, at_atoms(volume, frame), volume_title(*keep, representation.map_volume),
                        volume.unit, mask);
  }
  if (rule.colouring == Colouring::file) return colours_by_file(representation.file, topology, rule, mask);
  if (rule.colouring == Colouring::probe) {
    const AtomShares shares = atom_shares(scene, representation, documents, check);
    return colour_atoms(topology, rule, shares.values, shares.title, shares.unit, mask);
  }
  return colour_atoms(topology, rule, {}, {}, {}, mask);
}

namespace {

/// At which values an orbital's lobes are, and how much of the electron they hold where that was asked for.
std::optional<FieldLegend> legend_of_lobes(const Field& field, const FieldResult& result) {
  const bool density = names_density(field.orbital);
  if (field.kind != Field::Kind::orbital || (!result.orbital && !density) || result.items.empty()) return std::nullopt;
  const double isovalue = result.orbital ? result.orbital->isovalue : effective_isovalue(field);
  const double value = std::abs(isovalue);
  if (value == 0) return std::nullopt;
  const auto colour = [](glm::u8vec4 c) { return glm::vec3(glm::u8vec3(c)) / 255.0f; };
  FieldLegend legend;
  const char* spin = !result.orbital || !result.orbital->unrestricted ? ""
                     : field.spin == Spin::beta                       ? ", beta"
                                                                      : ", alpha";
  const bool of_pair = result.orbital && !result.orbital->pair.empty();
  legend.title = of_pair                                  ? result.orbital->pair
                 : field.orbital == electron_density_name ? "electron density"
                 : density                                ? field.orbital
                                                          : "orbital " + field.orbital + spin;
  legend.unit = density ? "bohr^-3" : "bohr^-3/2";
  legend.lower = -value;
  legend.upper = value;
  legend.colours = {colour(field.negative_colour), colour(field.colour)};
  if (!field.both_signs) {
    legend.colours = {colour(field.colour)};
    legend.lower = legend.upper = isovalue;
  }
  legend.isosurfaces = true;
  if (result.orbital && result.orbital->enclosed > 0)
    legend.method = fmt::format("{:.3g} % enclosed", 100 * result.orbital->enclosed);
  return legend;
}

}  // namespace

std::vector<FieldLegend> legends_of(const Scene& scene, const std::vector<FieldResult>& results,
                                    const SceneView& view) {
  std::vector<FieldLegend> legends;
  if (scene.legends == Legends::none) return legends;
  for (std::size_t i = 0; i < results.size() && i < scene.fields.size(); ++i) {
    const Field field = as_shown(scene.fields[i], results[i]);
    if (!field.visible || field.molecule >= scene.molecules.size() || !scene.molecules[field.molecule].visible)
      continue;
    if (view.object > 0 && view.object != field.molecule + 1) continue;
    auto legend = legend_of(field, results[i]);
    if (!legend) legend = legend_of_lobes(field, results[i]);
    // Two fields with the same colours need one legend.
    if (legend && std::find(legends.begin(), legends.end(), *legend) == legends.end())
      legends.push_back(std::move(*legend));
  }
  for (const ColourKey& key : view.keys) {
    legends.push_back(legend_of(key));
  }
  return legends;
}

std::vector<std::vector<FieldLegend>> legends_by_tile(const Scene& scene, const std::vector<FieldResult>& results,
                                                      const SceneView& view) {
  if (view.tiles.empty()) return {legends_of(scene, results, view)};
  std::vector<std::vector<FieldLegend>> legends;
  for (const SceneView& tile : view.tiles) legends.push_back(legends_of(scene, results, tile));
  return legends;
}

}  // namespace isolume
