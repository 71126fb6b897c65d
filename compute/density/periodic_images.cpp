// Periodic images of atoms: whole cell vectors, counted from the third, which alone has all three parts.
#include "compute/density/periodic_images.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

namespace {

/// The numbers n for which at + n * length is from -reach to length + reach.
struct Images {
  int first, last;
  Images(double at, double length, double reach)
      : first(static_cast<int>(std::ceil((-reach - at) / length))),
        last(static_cast<int>(std::floor((length + reach - at) / length))) {}
};

/// How many lengths lie before `at`.
double whole_lengths(double at, double length) {
  return std::floor(at / length);
}

double outside(double at, double length) {
  return std::max({-at, at - length, 0.0});
}

}  // namespace

glm::dvec3 period_box(const Cell& cell) {
  if (!cell.exists())
    throw Error("a periodic surface needs a periodic cell, and the frame has none", Error::Kind::usage);
  const glm::dmat3& v = cell.vectors;
  const glm::dvec3 box(v[0].x, v[1].y, v[2].z);
  const double tiny = 1e-6 * std::max({glm::length(v[0]), glm::length(v[1]), glm::length(v[2])});
  const bool lies = std::abs(v[0].y) <= tiny && std::abs(v[0].z) <= tiny && std::abs(v[1].z) <= tiny;
  if (!lies || !(std::min({box.x, box.y, box.z}) > 0)) {
    throw Error(fmt::format("a periodic surface needs a cell with its first vector along x and its second in the xy "
                            "plane; here they are ({:g}, {:g}, {:g}) and ({:g}, {:g}, {:g})",
                            v[0].x, v[0].y, v[0].z, v[1].x, v[1].y, v[1].z),
                Error::Kind::usage);
  }
  return box;
}

Grid period_grid(const Cell& cell, double spacing) {
  const glm::dvec3 box = period_box(cell);
  Grid grid;
  grid.origin = glm::dvec3(0);
  grid.step = glm::dmat3(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    const double steps = std::max(1.0, std::ceil(box[axis] / spacing - 1e-9));
    if (!(steps < 1e6)) throw Error(fmt::format("a spacing of {:g} angstrom is too fine", spacing), Error::Kind::usage);
    grid.step[axis][axis] = box[axis] / steps;
    grid.counts[axis] = static_cast<int>(steps) + 1;
  }
  return grid;
}

std::vector<DensityAtom> with_periodic_images(std::span<const DensityAtom> atoms, const Cell& cell, double reach_factor,
                                              double reach_more, std::vector<std::uint32_t>* sources) {
  const glm::dvec3 box = period_box(cell);
  const glm::dmat3& v = cell.vectors;
  std::vector<DensityAtom> result;
  result.reserve(atoms.size() + atoms.size() / 4);
  if (sources) sources->clear();
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    glm::dvec3 home(atoms[i].position);
    if (!std::isfinite(home.x + home.y + home.z)) {
      throw Error(fmt::format("atom {}: a coordinate is not a finite number", i + 1), Error::Kind::usage);
    }
    for (int axis = 2; axis >= 0; --axis) home -= whole_lengths(home[axis], box[axis]) * v[axis];
    const double reach = reach_factor * static_cast<double>(atoms[i].radius) + reach_more;
    const auto add = [&](const glm::dvec3& at) {
      const glm::dvec3 gap(outside(at.x, box.x), outside(at.y, box.y), outside(at.z, box.z));
      if (glm::dot(gap, gap) > reach * reach) return;
      result.push_back({glm::vec3(at), atoms[i].radius, atoms[i].colour});
      if (sources) sources->push_back(static_cast<std::uint32_t>(i));
    };
    const Images along_z(home.z, box.z, reach);
    for (int z = along_z.first; z <= along_z.last; ++z) {
      const glm::dvec3 at_z = home + double(z) * v[2];
      const Images along_y(at_z.y, box.y, reach);
      for (int y = along_y.first; y <= along_y.last; ++y) {
        const glm::dvec3 at_y = at_z + double(y) * v[1];
        const Images along_x(at_y.x, box.x, reach);
        for (int x = along_x.first; x <= along_x.last; ++x) add(at_y + double(x) * v[0]);
      }
    }
  }
  return result;
}

}  // namespace isolume
