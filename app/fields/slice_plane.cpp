// Where the slices of a scene are.
#include "app/fields/slice_plane.h"

#include <fmt/format.h>

#include "app/documents/frames.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

glm::dvec3 mean_of(const std::vector<glm::dvec3>& points) {
  glm::dvec3 sum(0);
  for (const glm::dvec3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

std::vector<glm::dvec3> positions_of(const Molecule& molecule, std::size_t frame) {
  std::vector<glm::dvec3> points;
  if (molecule.frame_count() == 0) return points;
  for (const glm::vec3& position : frame_at(molecule, frame).positions) points.emplace_back(position);
  return points;
}

}  // namespace

PlaneFrame slice_frame(const SlicePlane& slice, const Molecule& molecule, std::size_t frame, const Grid& box) {
  if (slice.kind == SlicePlane::Kind::none) throw Error("a field without a slice has no plane");
  const std::vector<glm::dvec3> atoms = positions_of(molecule, frame);
  PlaneFrame plane;
  if (slice.kind == SlicePlane::Kind::atoms) {
    std::vector<glm::dvec3> chosen;
    if (molecule.topology && !atoms.empty()) {
      for (const std::uint32_t i : Selection(slice.selection).atoms(*molecule.topology, frame_at(molecule, frame)))
        chosen.push_back(atoms[i]);
    }
    if (chosen.size() < 3)
      throw Error(fmt::format("a slice through '{}': that is {} atom{}, and three make a plane", slice.selection,
                              chosen.size(), chosen.size() == 1 ? "" : "s"),
                  Error::Kind::usage);
    const std::optional<PlaneFrame> found = plane_through(chosen);
    if (!found)
      throw Error("the atoms of the slice lie on a line: three that do not are needed for a plane", Error::Kind::usage);
    plane = *found;
  } else {
    const glm::dvec3 middle = box.point(0.5 * (box.counts.x - 1), 0.5 * (box.counts.y - 1), 0.5 * (box.counts.z - 1));
    plane = plane_across(static_cast<int>(slice.kind) - static_cast<int>(SlicePlane::Kind::x),
                         atoms.empty() ? middle : mean_of(atoms));
  }
  plane.centre += slice.offset * plane.normal;
  return plane;
}

}  // namespace isolume
