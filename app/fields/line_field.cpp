// Fields as lines along which they fall, instead of surfaces.
#include "app/fields/line_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "app/fields/device_volume.h"
#include "app/fields/difference.h"
#include "app/fields/field_atoms.h"
#include "app/fields/field_result.h"
#include "app/fields/potential_paint.h"
#include "app/fields/slice_plane.h"
#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"
#include "render/represent/cone.h"
#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

constexpr double points_of_map = 2e6;  // the field at atoms' surfaces needs a finer grid than an isosurface
constexpr double finest = 0.25;        // angstrom
constexpr double above_surface = 0.5;  // angstrom
constexpr double smallest_radius = 1;  // of atoms, angstrom
constexpr double longest_piece = 1;    // of a tube, angstrom
constexpr int places_on_edge = 120;    // of a plane
constexpr std::size_t places_on_sphere = 400;
constexpr double straight = 0.9976;  // cosine of the angle at which a piece ends
constexpr int legend_colours = 17, steps = 256;
constexpr float shortest_line = 10;                     // in radii of the tube: shorter ones are crumbs in a picture
constexpr float arrow_length = 9, arrow_radius = 2.8f;  // in radii of the tube

// Grey at zero instead of white, so that it is seen on white and black.
glm::vec3 seen_on_white(glm::vec3 colour, double t) {
  return colour * static_cast<float>(0.62 + 0.38 * std::min(1.0, std::abs(t)));
}

std::vector<glm::vec3> line_colours(const Field& field, int count) {
  std::vector<glm::vec3> colours = diverging_colours(field.negative_colour, field.colour, count);
  for (int i = 0; i < count; ++i) {
    glm::vec3& c = colours[static_cast<std::size_t>(i)];
    c = seen_on_white(c, 2.0 * i / (count - 1) - 1);
  }
  return colours;
}

// The surface of the atoms, where the molecule has any; `known` are those of the field, or null.
std::vector<glm::vec4> surface_of(const Field& field, const std::shared_ptr<const Molecule>& molecule,
                                  std::size_t frame, std::shared_ptr<const FieldAtoms> known) {
  std::vector<glm::vec4> spheres;
  const auto add = [&](glm::vec3 place, float radius) {
    spheres.emplace_back(place, std::max(smallest_radius, static_cast<double>(radius)) + above_surface);
  };
  const bool charges = field.kind == Field::Kind::potential;
  if (!charges && (!molecule->topology || molecule->frame_count() == 0)) return spheres;
  if (!known) known = field_atoms(field, molecule, frame);
  if (charges) {
    for (const ChargedSphere& s : charged_spheres(*known))
      add(glm::vec3(known->origin + glm::dvec3(s.position)), s.radius);
  } else {
    const ChosenAtoms& which = *known->chosen;
    for (std::size_t i = 0; i < which.numbers.size(); ++i)
      add(known->frame.positions[which.numbers[i]], which.radii[i]);
  }
  return spheres;
}

std::vector<glm::vec3> isosurface_points(const Field& field, const Grid& grid, std::span<const float> values,
                                         Job& job) {
  std::vector<glm::vec3> points;
  const auto isovalue = static_cast<float>(effective_isovalue(field));
  const ConstValues volume(Span<const float>{values.data(), values.size(), Device::cpu()});
  for (const float level : {isovalue, -isovalue}) {
    if (level != isovalue && !field.both_signs) continue;
    const Mesh mesh = marching_cubes(volume, grid, {level, level > 0}, {}, job);
    points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
  }
  return points;
}

// Without those within an angstrom of an atom, where a potential is all that of this atom.
void drop_places_in_atoms(std::vector<glm::vec3>& places, const std::vector<glm::vec3>& atoms) {
  std::erase_if(places, [&](glm::vec3 place) {
    return std::any_of(atoms.begin(), atoms.end(), [&](glm::vec3 atom) {
      const glm::vec3 d = place - atom;
      return glm::dot(d, d) < 1;
    });
  });
}

// The places that lines go through where they are not those of a surface.
std::vector<glm::vec3> seed_places(const FieldRequest& request, const Grid& grid) {
  const LineSeeds& seeds = request.field.seeds;
  const Molecule& molecule = *request.molecule;
  std::vector<glm::vec3> atoms, places;
  const Frame frame = molecule.frame_count() > 0 ? frame_at(molecule, request.frame) : Frame{};
  atoms = frame.positions;
  if (seeds.kind == LineSeeds::Kind::plane) {
    const PlaneFrame plane = slice_frame(seeds.plane, molecule, request.frame, grid);
    const double diagonal = glm::length(grid.step * glm::dvec3(grid.counts - 1));
    places = places_on_plane(plane.centre, plane.normal, diagonal / 2, places_on_edge);
  } else {
    if (!molecule.topology || atoms.empty())
      throw Error("field lines around atoms: the molecule has none", Error::Kind::usage);
    const std::vector<std::uint32_t> chosen = Selection(seeds.selection).atoms(*molecule.topology, frame);
    if (chosen.empty()) throw Error(empty_selection(seeds.selection, *molecule.topology), Error::Kind::usage);
    for (const std::uint32_t atom : chosen) {
      const auto around = places_around(glm::dvec3(atoms[atom]), seeds.radius, places_on_sphere);
      places.insert(places.end(), around.begin(), around.end());
    }
  }
  const glm::dmat3 to_grid = glm::inverse(grid.step);
  std::erase_if(places, [&](glm::vec3 place) {
    const glm::dvec3 at = to_grid * (glm::dvec3(place) - grid.origin);
    return glm::any(glm::lessThan(at, glm::dvec3(0))) || glm::any(glm::greaterThan(at, glm::dvec3(grid.counts - 1)));
  });
  drop_places_in_atoms(places, atoms);
  if (places.empty())
    throw Error(
        "field lines: the plane or the spheres that they begin on are outside the field's grid, or within atoms",
        Error::Kind::usage);
  return places;
}

// A round value that nine of ten points of the lines stay below. Lines through other places than a surface end within
// atoms, where potentials are large: there half of the points do.
double usual_range(const std::vector<FieldLine>& lines, bool into_atoms) {
  std::vector<float> sizes;
  for (const FieldLine& line : lines)
    for (const float v : line.values) sizes.push_back(std::abs(v));
  if (sizes.empty()) return 1;
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(into_atoms ? sizes.size() / 2 : sizes.size() * 9 / 10);
  std::nth_element(sizes.begin(), at, sizes.end());
  return round_number(static_cast<double>(*at));
}

// The numbers of the points of a line where its tube bends or has another colour.
std::vector<std::size_t> corners_of(const std::vector<glm::vec3>& points) {
  std::vector<std::size_t> corners{0};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const glm::dvec3 piece(points[i] - points[corners.back()]);
    const glm::dvec3 next(points[i + 1] - points[i]);
    const double length = glm::length(piece);
    if (length <= 0) continue;
    if (length > longest_piece || glm::dot(piece, next) < straight * length * glm::length(next)) corners.push_back(i);
  }
  corners.push_back(points.size() - 1);
  return corners;
}

float length_of(const FieldLine& line) {
  float length = 0;
  for (std::size_t i = 1; i < line.points.size(); ++i) length += glm::distance(line.points[i], line.points[i - 1]);
  return length;
}

void add_arrow(Mesh& mesh, const FieldLine& line, float radius, const std::vector<std::size_t>& corners,
               const std::vector<glm::u8vec4>& colours) {
  float length = 0;
  for (std::size_t c = 1; c < corners.size(); ++c)
    length += glm::distance(line.points[corners[c]], line.points[corners[c - 1]]);
  if (length < 1.5f * arrow_length * radius) return;
  float left = 0.5f * length;
  for (std::size_t c = 1; c < corners.size(); ++c) {
    const glm::vec3 from = line.points[corners[c - 1]], to = line.points[corners[c]];
    const float piece = glm::distance(from, to);
    if (piece > 0 && left <= piece) {
      const glm::vec3 direction = (to - from) / piece;
      const glm::vec3 middle = from + left * direction;
      const glm::vec3 half = 0.5f * arrow_length * radius * direction;
      add_cone(mesh, middle - half, middle + half, arrow_radius * radius, colours[c], 16);
      return;
    }
    left -= piece;
  }
}

}  // namespace

bool shows_lines(const Field& field) {
  return field.show == Field::Show::lines && field.slice.kind == SlicePlane::Kind::none &&
         (field.kind == Field::Kind::potential || field.kind == Field::Kind::volume);
}

ComputedLines compute_lines(const FieldRequest& given, Job& job, FieldMemory* memory) {
  FieldRequest request = given;
  Field& field = request.field;
  field.paint = Field::Paint::atoms;
  const bool potential = field.kind == Field::Kind::potential;
  if (potential && field.spacing <= 0 && !request.grid) {
    const Grid usual = plan_field(request).grid;
    const double finer = glm::length(usual.step[0]) * std::cbrt(static_cast<double>(usual.size()) / points_of_map);
    field.spacing = std::ceil(100 * std::max(finest, finer)) / 100;
  }
  DeviceVolume volume = compute_on_device(request, job, memory);
  ComputedLines computed;
  computed.grid = volume.grid;
  computed.name = volume.name;
  computed.predicted_bytes = volume.predicted_bytes;
  const std::vector<float> values = volume.host_values(job);
  const FieldSampler sampler(volume.grid, values);
  FieldLineOptions options;
  options.lines = field.lines;
  if (request.device.is_cuda() && volume.values.size() == values.size()) options.there = volume.values.span();
  if (field.seeds.kind != LineSeeds::Kind::surface) {
    computed.lines = field_lines_through(sampler, seed_places(request, volume.grid), options, job);
  } else if (const auto spheres = surface_of(field, request.molecule, request.frame, request.atoms); spheres.empty()) {
    computed.lines = field_lines_through(sampler, isosurface_points(field, volume.grid, values, job), options, job);
  } else {
    computed.lines = field_lines_of_spheres(sampler, spheres, options, job);
  }
  const double unit = shown_factor(field);
  for (FieldLine& line : computed.lines)
    for (float& v : line.values) v = static_cast<float>(unit * static_cast<double>(v));
  if (volume.legend) computed.legend = *volume.legend;
  computed.legend.title = potential && !values_differ(field) ? "electrostatic potential" : volume.name;
  computed.legend.unit = potential ? name(field.potential.unit) : volume.unit;
  computed.legend.isosurfaces = false;
  const double range = field.paint_range > 0
                           ? field.paint_range
                           : usual_range(computed.lines, field.seeds.kind != LineSeeds::Kind::surface);
  computed.legend.upper = std::strtod(fmt::format("{:.6g}", range).c_str(), nullptr);
  computed.legend.lower = -computed.legend.upper;
  computed.legend.colours = line_colours(field, legend_colours);
  return computed;
}

FieldResult lines_result(const FieldRequest& request, Job& job, FieldMemory* memory) {
  const auto begin = std::chrono::steady_clock::now();
  const ComputedLines computed = compute_lines(request, job, memory);
  job.check();
  FieldResult result = result_of(request);
  result.grid = computed.grid;
  result.predicted_bytes = computed.predicted_bytes;
  result.legend = computed.legend;
  const Grid& grid = computed.grid;
  const double diagonal = glm::length(grid.step * glm::dvec3(grid.counts - 1));
  const auto radius = static_cast<float>(std::clamp(diagonal / 900, 0.03, 0.2));
  const std::vector<glm::vec3> scale = line_colours(request.field, 2 * steps + 1);
  const auto colour = [&](float value) {
    const double t = std::clamp(static_cast<double>(value) / computed.legend.upper, -1.0, 1.0);
    return glm::u8vec4(glm::u8vec3(glm::round(255.0f * scale[static_cast<std::size_t>(std::lround(steps * (1 + t)))])),
                       255);
  };
  Cylinders tubes;
  tubes.round_ends = true;
  auto heads = std::make_shared<Mesh>();
  const auto is_short = [&](const FieldLine& line) { return length_of(line) < shortest_line * radius; };
  const auto crumbs = static_cast<std::size_t>(std::count_if(computed.lines.begin(), computed.lines.end(), is_short));
  const bool all = crumbs == computed.lines.size();
  for (const FieldLine& line : computed.lines) {
    if (!all && is_short(line)) continue;
    const std::vector<std::size_t> corners = corners_of(line.points);
    std::vector<glm::u8vec4> colours;
    for (const std::size_t c : corners) colours.push_back(colour(line.values[c]));
    for (std::size_t c = 1; c < corners.size(); ++c) {
      tubes.cylinders.push_back({line.points[corners[c - 1]], line.points[corners[c]], radius});
      tubes.colours_a.push_back(colours[c - 1]);
      tubes.colours_b.push_back(colours[c]);
    }
    add_arrow(*heads, line, radius, corners, colours);
  }
  tubes.parts_a.assign(tubes.cylinders.size(), 0);
  tubes.parts_b = tubes.parts_a;
  result.host_bytes = tubes.cylinders.size() * (sizeof(Cylinders::Cylinder) + 16) + heads->vertex_count() * 28 +
                      heads->triangles.size() * sizeof(glm::uvec3);
  if (!tubes.cylinders.empty()) add_item(result, request.field, std::move(tubes));
  if (!heads->triangles.empty()) {
    Surface surface;
    surface.mesh = std::move(heads);
    add_item(result, request.field, std::move(surface));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string left_out =
      crumbs > 0 && !all ? fmt::format(" ({} shorter than {:.2g} A are not drawn)", crumbs, shortest_line * radius)
                         : "";
  result.summary = fmt::format("{}: {} field lines{} on {} x {} x {} points, {:.0f} ms, {}", computed.name,
                               computed.lines.size(), left_out, grid.counts.x, grid.counts.y, grid.counts.z,
                               result.seconds * 1000, to_string(request.device));
  return result;
}

}  // namespace isolume
