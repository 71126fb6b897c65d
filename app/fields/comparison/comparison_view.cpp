// Methods of the potential in space: a surface painted by each of them and by their differences, side by side.
#include "app/fields/comparison/comparison_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/error.h"
#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

constexpr glm::u8vec4 grey(150, 150, 150, 255);  // where a map has no value
constexpr int colour_steps = 510;

/// The magnitude that `part` of the values do not exceed.
double magnitude(std::vector<float> values, double part) {
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.empty()) return 0;
  for (float& v : values) v = std::abs(v);
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)]);
}

/// True where the grid is one period of the cell of all that is computed. What maps are of is not known.
bool one_period(const PotentialComparison& c) {
  if (std::none_of(c.sides.begin(), c.sides.end(), [](const ComparedSide& side) { return side.is_computed(); }))
    return false;
  for (const ComparedSide& side : c.sides) {
    if (!side.is_computed()) continue;
    const Cell& cell = periodic_cell(side.potential);
    if (!is_fully_periodic(side.potential) || !cell.exists()) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const glm::dvec3 edge = c.grid.step[axis] * static_cast<double>(c.grid.counts[axis]);
      if (glm::length(edge - cell.vectors[axis]) > 1e-6 * glm::length(edge)) return false;
    }
  }
  return true;
}

struct Painter {
  std::vector<glm::u8vec4> colours;  ///< evenly from -1 to 1

  explicit Painter(const Field& field) {
    const glm::u8vec4 positive = field.colour.a > 0 ? field.colour : glm::u8vec4(0, 114, 178, 255);
    for (const glm::vec3 c : diverging_colours(field.negative_colour, positive, colour_steps + 1)) {
      colours.emplace_back(glm::round(glm::clamp(c, 0.0f, 1.0f) * 255.0f), 255);
    }
  }
  std::shared_ptr<const DrawItem> paint(const Mesh& shape, const std::vector<float>& values, double range,
                                        const Field& field) const {
    auto mesh = std::make_shared<Mesh>(shape);
    for (const float v : values) {
      const double part = range > 0 ? std::clamp(static_cast<double>(v) / range, -1.0, 1.0) : 0;
      const double at = (part + 1) / 2 * colour_steps;
      mesh->colours.push_back(std::isfinite(v) ? colours[static_cast<std::size_t>(std::lround(at))] : grey);
    }
    auto item = std::make_shared<DrawItem>();
    Surface surface;
    surface.mesh = std::move(mesh);
    item->shape = std::move(surface);
    item->material = field.material;
    return item;
  }
};

std::vector<Mesh> atoms_surface(FieldRequest request, ComparedSurface surface, Job& job) {
  Field field;
  field.kind = surface == ComparedSurface::gaussian ? Field::Kind::gaussian : Field::Kind::solvent_excluded;
  field.molecule = request.field.molecule;
  field.selection = request.field.selection;
  request.field = field;
  request.grid.reset();
  request.atoms.reset();
  const FieldResult result = compute_field(request, nullptr, job);
  std::vector<Mesh> meshes;
  for (const auto& item : result.items) {
    const auto* part = std::get_if<Surface>(&item->shape);
    if (part != nullptr && part->mesh && part->mesh->vertex_count() > 0) meshes.push_back(*part->mesh);
  }
  for (Mesh& mesh : meshes) mesh.colours.clear();
  return meshes;
}

std::vector<Mesh> isosurfaces(const Grid& grid, const std::vector<float>& values, double isovalue, Job& job) {
  std::vector<Mesh> meshes;
  for (const bool above : {true, false}) {
    const auto at = static_cast<float>(above ? isovalue : -isovalue);
    Mesh mesh =
        marching_cubes(Span<const float>(values.data(), values.size(), Device::cpu()), grid, {at, above}, {}, job);
    if (mesh.vertex_count() > 0) meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace

std::vector<ComparedTile> compared_tiles(std::size_t sides, std::size_t reference) {
  std::vector<ComparedTile> tiles;
  for (std::size_t k = 0; k < sides; ++k) tiles.push_back({ComparedTile::Kind::side, k});
  for (std::size_t k = 0; k < sides; ++k) {
    if (k != reference) {
      tiles.push_back({ComparedTile::Kind::difference, k});
    } else if (sides > 2) {
      tiles.push_back({ComparedTile::Kind::empty, k});
    }
  }
  return tiles;
}

int compared_columns(std::size_t sides) {
  return sides == 2 ? 3 : static_cast<int>(sides);
}

ComparisonView comparison_view(const FieldRequest& request, const PotentialComparison& c, ComparedSurface surface,
                               double isovalue, Job& job) {
  const bool own = surface == ComparedSurface::isosurfaces;
  std::vector<std::vector<Mesh>> shapes;  // of each side
  if (own) {
    if (!(isovalue > 0)) throw Error("the isovalue of a comparison must be above 0", Error::Kind::usage);
    for (const ComparedSide& side : c.sides) shapes.push_back(isosurfaces(c.grid, side.values, isovalue, job));
  } else {
    shapes.assign(c.sides.size(), atoms_surface(request, surface, job));
  }
  if (std::all_of(shapes.begin(), shapes.end(), [](const std::vector<Mesh>& meshes) { return meshes.empty(); })) {
    throw Error(own ? "None of the potentials reaches this value." : "There is no surface to paint.",
                Error::Kind::usage);
  }
  const std::vector<ComparedTile> tiles = compared_tiles(c.sides.size(), c.reference);
  const bool periodic = one_period(c);
  ComparisonView result;
  std::vector<std::vector<std::vector<float>>> values(tiles.size());
  const auto meshes_of = [&](const ComparedTile& tile) -> const std::vector<Mesh>& {
    static const std::vector<Mesh> none;
    if (tile.kind == ComparedTile::Kind::empty) return none;
    return shapes[tile.kind == ComparedTile::Kind::side ? tile.side : c.reference];
  };
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const ComparedTile& tile = tiles[t];
    const bool difference = tile.kind == ComparedTile::Kind::difference;
    const std::vector<float>& map = difference ? c.differences[tile.side].values : c.sides[tile.side].values;
    std::vector<float> all;
    for (const Mesh& mesh : meshes_of(tile)) {
      std::vector<float>& at = values[t].emplace_back(mesh.vertex_count());
      constexpr std::size_t part = 4096;
      parallel_for((at.size() + part - 1) / part, job, "comparison", [&](std::size_t p) {
        for (std::size_t i = p * part; i < std::min(at.size(), (p + 1) * part); ++i) {
          at[i] = static_cast<float>(map_value(c.grid, map, periodic, glm::dvec3(mesh.positions[i])));
        }
      });
      all.insert(all.end(), at.begin(), at.end());
    }
    if (!difference && tile.side == c.reference && tile.kind == ComparedTile::Kind::side) {
      result.vertices = all.size();
      result.beyond =
          static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](float v) { return !std::isfinite(v); }));
    }
    // One range for all methods, which the highest peaks do not decide, and one for all differences.
    double& range = difference ? result.difference_range : result.range;
    range = std::max(range, magnitude(std::move(all), difference ? 0.99 : 0.95));
  }
  if (own) result.range = isovalue;
  const Painter painter(request.field);
  auto view = std::make_shared<SceneView>();
  glm::dvec3 lower(std::numeric_limits<double>::max()), upper(-lower);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    SceneView part;
    const std::vector<Mesh>& meshes = meshes_of(tiles[t]);
    const double range = tiles[t].kind == ComparedTile::Kind::difference ? result.difference_range : result.range;
    for (std::size_t k = 0; k < meshes.size(); ++k) {
      part.items.push_back(painter.paint(meshes[k], values[t][k], range, request.field));
      for (const glm::vec3 p : meshes[k].positions) {
        lower = glm::min(lower, glm::dvec3(p));
        upper = glm::max(upper, glm::dvec3(p));
      }
    }
    view->tiles.push_back(std::move(part));
  }
  view->centre = (lower + upper) / 2.0;
  view->radius = std::max(1.0, glm::length(upper - lower) / 2);
  view->tile_columns = compared_columns(c.sides.size());
  for (SceneView& tile : view->tiles) tile.centre = view->centre, tile.radius = view->radius;
  view->camera.fit(view->centre, view->radius);
  result.view = std::move(view);
  job.check();
  return result;
}

}  // namespace isolume
