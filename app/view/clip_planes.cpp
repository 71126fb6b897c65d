// Clipping planes of a scene: where new ones go, and their words.
#include "app/view/clip_planes.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "app/documents/frames.h"
#include "app/scene/named_selections.h"
#include "app/view/scene_extent.h"
#include "compute/isosurface/plane_slice.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

glm::dvec3 towards_viewer(const Camera& camera) {
  return glm::conjugate(camera.rotation) * glm::dvec3(0, 0, 1);
}

[[noreturn]] void refuse(const std::string& words, const std::string& why) {
  throw Error(fmt::format("clipping plane '{}': {}; expected DIRECTION[:OFFSET][@SELECTION], the direction view, x, y, "
                          "z, a, b, c, -x ... or three numbers, as z:2.5 or view@ligand",
                          words, why),
              Error::Kind::usage);
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// A vector of the first cell that a molecule of the scene has.
std::optional<glm::dvec3> cell_vector(int which, const Scene& scene, Documents& documents) {
  for (const SceneMolecule& entry : scene.molecules) {
    const auto molecule = documents.molecule(entry);
    if (molecule->frame_count() == 0) continue;
    const Cell cell = frame_at(*molecule, scene.frame).cell;
    if (cell.exists()) return cell.vectors[which];
  }
  return std::nullopt;
}

glm::dvec3 direction_of(const std::string& words, std::string_view text, const Scene& scene, Documents& documents) {
  if (text == "view") return towards_viewer(scene.camera);
  if (text.find(',') != std::string_view::npos) {
    glm::dvec3 direction(0);
    std::size_t begin = 0;
    for (int i = 0; i < 3; ++i) {
      const std::size_t end = i < 2 ? text.find(',', begin) : text.size();
      const auto value = end == std::string_view::npos ? std::nullopt : number_in(text.substr(begin, end - begin));
      if (!value) refuse(words, fmt::format("'{}' is no direction of three numbers", text));
      direction[i] = *value;
      begin = end + 1;
    }
    if (!(glm::length(direction) > 1e-9)) refuse(words, "the direction has no length");
    return direction;
  }
  const double sign = text.starts_with('-') ? -1 : 1;
  const std::string_view axis = sign < 0 ? text.substr(1) : text;
  if (axis.size() == 1) {
    glm::dvec3 direction(0);
    if (axis[0] >= 'x' && axis[0] <= 'z') {
      direction[axis[0] - 'x'] = sign;
      return direction;
    }
    if (axis[0] >= 'a' && axis[0] <= 'c') {
      if (const auto vector = cell_vector(axis[0] - 'a', scene, documents)) return sign * *vector;
      refuse(words, "no molecule has a cell, take x, y or z");
    }
  }
  refuse(words, fmt::format("'{}' is no direction", text));
}

glm::dvec3 middle_of(const std::string& words, const std::string& selected, const Scene& scene, Documents& documents) {
  glm::dvec3 sum(0);
  std::size_t count = 0;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (!molecule->topology || molecule->frame_count() == 0) continue;
    const Frame frame = frame_at(*molecule, scene.frame);
    const auto mask = Selection(with_names(scene, m, selected)).mask(*molecule->topology, frame);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i]) sum += glm::dvec3(frame.positions[i]), ++count;
  }
  if (count == 0) refuse(words, fmt::format("no atom is in '{}'", selected));
  return sum / static_cast<double>(count);
}

}  // namespace

ClipPlane plane_facing(const Camera& camera, glm::dvec3 through) {
  ClipPlane plane;
  plane.point = through;
  plane.normal = towards_viewer(camera);
  return plane;
}

ClipPlane plane_of_points(std::span<const glm::dvec3> points, const Camera& camera) {
  glm::dvec3 middle(0);
  for (const glm::dvec3& point : points) middle += point / static_cast<double>(points.size());
  ClipPlane plane = plane_facing(camera, points.empty() ? camera.centre : middle);
  if (const auto found = plane_through(points))
    plane.normal = glm::dot(found->normal, plane.normal) < 0 ? -found->normal : found->normal;
  return plane;
}

ClipPlane plane_across_cell(int axis, const Scene& scene, Documents& documents) {
  ClipPlane plane;
  glm::dvec3 direction(0);
  direction[axis] = 1;
  plane.normal = glm::normalize(cell_vector(axis, scene, documents).value_or(direction));
  plane.point = scene_extent(scene, documents).centre;
  return plane;
}

ClipPlane clip_plane_of(const std::string& words, const Scene& scene, Documents& documents) {
  const std::size_t at = words.find('@');
  std::string front = words.substr(0, at);
  ClipPlane plane;
  if (const std::size_t colon = front.find(':'); colon != std::string::npos) {
    const auto offset = number_in(std::string_view(front).substr(colon + 1));
    if (!offset) refuse(words, fmt::format("'{}' is no offset in angstrom", front.substr(colon + 1)));
    plane.offset = *offset;
    front.resize(colon);
  }
  plane.normal = glm::normalize(direction_of(words, front, scene, documents));
  plane.point = at == std::string::npos ? scene_extent(scene, documents).centre
                                        : middle_of(words, words.substr(at + 1), scene, documents);
  return plane;
}

void add_clip_plane(Scene& scene, const ClipPlane& plane) {
  if (scene.clip_planes.size() >= most_clip_planes)
    throw Error(
        fmt::format("a picture can have {} clipping planes, and there are as many: remove one first", most_clip_planes),
        Error::Kind::usage);
  scene.clip_planes.push_back(plane);
}

}  // namespace isolume
