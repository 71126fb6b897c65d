// Two methods of the potential in space: a surface painted by each of them and by their difference, side by side.
#include "app/fields/comparison/comparison_view.h"

#include <algorithm>
#include <array>
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

/// True where the grid is one period of the cell of both maps.
bool one_period(const PotentialComparison& c) {
  for (const PotentialOptions* options : {&c.first.potential, &c.second.potential}) {
    const Cell& cell = periodic_cell(*options);
    if (!is_fully_periodic(*options) || !cell.exists()) return false;
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

double map_value(const Grid& grid, std::span<const float> values, bool periodic, glm::dvec3 point) {
  const glm::dvec3 at = glm::inverse(grid.step) * (point - grid.origin);
  int low[3], high[3];
  double part[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int n = grid.counts[axis];
    double u = at[axis];
    if (periodic) u -= std::floor(u / n) * n;
    if (!(u >= 0) || u > (periodic ? n : n - 1)) return std::numeric_limits<double>::quiet_NaN();
    low[axis] = std::min(static_cast<int>(u), n - 1);
    part[axis] = u - low[axis];
    high[axis] = low[axis] + 1 < n ? low[axis] + 1 : periodic ? 0 : low[axis];
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int place[3];
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = (corner >> axis & 1) != 0;
      weight *= up ? part[axis] : 1 - part[axis];
      place[axis] = up ? high[axis] : low[axis];
    }
    sum += weight * static_cast<double>(values[grid.index(place[0], place[1], place[2])]);
  }
  return sum;
}

ComparisonView comparison_view(const FieldRequest& request, const PotentialComparison& c, ComparedSurface surface,
                               double isovalue, Job& job) {
  const bool own = surface == ComparedSurface::isosurfaces;
  std::array<std::vector<Mesh>, 3> meshes;
  if (own) {
    if (!(isovalue > 0)) throw Error("the isovalue of a comparison must be above 0", Error::Kind::usage);
    meshes[0] = isosurfaces(c.grid, c.first.values, isovalue, job);
    meshes[1] = isosurfaces(c.grid, c.second.values, isovalue, job);
  } else {
    meshes[0] = meshes[1] = atoms_surface(request, surface, job);
  }
  meshes[2] = meshes[0];
  if (meshes[0].empty() && meshes[1].empty()) {
    throw Error(own ? "Neither potential reaches this value." : "There is no surface to paint.", Error::Kind::usage);
  }
  const std::array<const std::vector<float>*, 3> maps{&c.first.values, &c.second.values, &c.difference.values};
  const bool periodic = one_period(c);
  ComparisonView result;
  std::array<std::vector<std::vector<float>>, 3> values;
  std::array<std::vector<float>, 3> all;
  for (std::size_t tile = 0; tile < 3; ++tile) {
    for (const Mesh& mesh : meshes[tile]) {
      std::vector<float>& at = values[tile].emplace_back(mesh.vertex_count());
      constexpr std::size_t part = 4096;
      parallel_for((at.size() + part - 1) / part, job, "comparison", [&](std::size_t p) {
        for (std::size_t i = p * part; i < std::min(at.size(), (p + 1) * part); ++i) {
          at[i] = static_cast<float>(map_value(c.grid, *maps[tile], periodic, glm::dvec3(mesh.positions[i])));
        }
      });
      all[tile].insert(all[tile].end(), at.begin(), at.end());
    }
  }
  result.vertices = all[0].size();
  result.beyond =
      static_cast<std::size_t>(std::count_if(all[0].begin(), all[0].end(), [](float v) { return !std::isfinite(v); }));
  // One range for both methods, which the highest peaks do not decide.
  result.range = own ? isovalue : std::max(magnitude(all[0], 0.95), magnitude(all[1], 0.95));
  result.difference_range = magnitude(all[2], 0.99);
  const Painter painter(request.field);
  auto view = std::make_shared<SceneView>();
  glm::dvec3 lower(std::numeric_limits<double>::max()), upper(-lower);
  for (std::size_t tile = 0; tile < 3; ++tile) {
    SceneView part;
    for (std::size_t k = 0; k < meshes[tile].size(); ++k) {
      part.items.push_back(painter.paint(meshes[tile][k], values[tile][k],
                                         tile < 2 ? result.range : result.difference_range, request.field));
      for (const glm::vec3 p : meshes[tile][k].positions) {
        lower = glm::min(lower, glm::dvec3(p));
        upper = glm::max(upper, glm::dvec3(p));
      }
    }
    view->tiles.push_back(std::move(part));
  }
  view->centre = (lower + upper) / 2.0;
  view->radius = std::max(1.0, glm::length(upper - lower) / 2);
  view->tile_columns = 3;
  for (SceneView& tile : view->tiles) tile.centre = view->centre, tile.radius = view->radius;
  view->camera.fit(view->centre, view->radius);
  result.view = std::move(view);
  job.check();
  return result;
}

}  // namespace isolume
