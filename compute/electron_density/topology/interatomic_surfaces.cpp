// The surfaces between atoms, through which the density has no flux.
#include "compute/electron_density/topology/interatomic_surfaces.h"

#include <algorithm>
#include <cmath>

#include "compute/linear_algebra/decompositions.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::size_t around = 64;          // paths of a surface
constexpr double first = 0.05, step = 0.1;  // bohr, from the bond point, and along a path
constexpr std::size_t most_steps = 120;     // 12 bohr
constexpr double still = 1e-6;              // bohr^-4: at a critical point

struct Path {
  std::size_t point;  // among the critical points
  std::vector<glm::dvec3> places;
  bool ended = false;
};

/// Two unit vectors across the bond at a bond point.
std::array<glm::dvec3, 2> plane_of(const CriticalPoint& point) {
  const auto& h = point.values.hessian;
  const double matrix[9] = {h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5]};
  const Eigenvectors found = symmetric_eigenvectors(matrix, 3);  // ascending: the negative ones first
  const auto column = [&](std::size_t k) {
    return glm::dvec3(found.vectors[k], found.vectors[3 + k], found.vectors[6 + k]);
  };
  return {column(0), column(1)};
}

std::vector<Path> begun(const CriticalPoints& all) {
  std::vector<Path> paths;
  for (std::size_t n = 0; n < all.points.size(); ++n) {
    const CriticalPoint& point = all.points[n];
    if (point.kind != CriticalKind::bond) continue;
    const auto [a, b] = plane_of(point);
    for (std::size_t k = 0; k < around; ++k) {
      const double angle = 2 * units::pi * static_cast<double>(k) / static_cast<double>(around);
      paths.push_back({n, {point.position + first * (std::cos(angle) * a + std::sin(angle) * b)}});
    }
  }
  return paths;
}

/// Downwards; zero where the density does not change.
glm::dvec3 downwards(const DensityDerivatives& at) {
  const double slope = glm::length(at.gradient);
  return slope > still ? -at.gradient / slope : glm::dvec3(0);
}

/// All paths at once, so that a device has many points.
void follow(const DensityEvaluator& evaluator, std::vector<Path>& paths, double least, Job& job, Device device) {
  for (std::size_t n = 0; n < most_steps; ++n) {
    std::vector<std::size_t> going;
    std::vector<glm::dvec3> here;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (paths[i].ended) continue;
      going.push_back(i);
      here.push_back(paths[i].places.back());
    }
    if (going.empty()) return;
    const auto at = evaluator.at(here, DensityOrder::gradient, job, device);
    std::vector<glm::dvec3> middle;
    for (std::size_t i = 0; i < going.size(); ++i) middle.push_back(here[i] + 0.5 * step * downwards(at[i]));
    const auto between = evaluator.at(middle, DensityOrder::gradient, job, device);
    for (std::size_t i = 0; i < going.size(); ++i) {
      Path& path = paths[going[i]];
      const glm::dvec3 direction = downwards(between[i]);
      const bool turned = glm::dot(direction, downwards(at[i])) <= 0;  // beyond a minimum on the way
      path.ended = at[i].density < least || direction == glm::dvec3(0) || turned;
      if (!path.ended) path.places.push_back(here[i] + step * direction);
    }
  }
}

void add_normals(Mesh& mesh) {
  std::vector<glm::dvec3> sums(mesh.positions.size(), glm::dvec3(0));
  for (const glm::uvec3 t : mesh.triangles) {
    const glm::dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
    for (const std::uint32_t v : {t.x, t.y, t.z}) sums[v] += glm::cross(b - a, c - a);
  }
  for (const glm::dvec3& sum : sums) {
    const double length = glm::length(sum);
    mesh.normals.emplace_back(length > 0 ? glm::vec3(sum / length) : glm::vec3(0, 0, 1));
  }
}

/// Rows of neighbouring paths joined; the shorter one stays at its end.
Mesh joined(glm::dvec3 centre, std::span<const Path> paths) {
  Mesh mesh;
  const auto add = [&](glm::dvec3 bohr) {
    mesh.positions.emplace_back(units::bohr_in_angstrom * bohr);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  };
  const std::uint32_t middle = add(centre);
  std::vector<std::vector<std::uint32_t>> vertices;
  for (const Path& path : paths) {
    auto& row = vertices.emplace_back();
    for (const glm::dvec3& place : path.places) row.push_back(add(place));
  }
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const auto& a = vertices[k];
    const auto& b = vertices[(k + 1) % vertices.size()];
    mesh.triangles.emplace_back(middle, a[0], b[0]);
    for (std::size_t j = 0; j + 1 < std::max(a.size(), b.size()); ++j) {
      const std::uint32_t a0 = a[std::min(j, a.size() - 1)], a1 = a[std::min(j + 1, a.size() - 1)];
      const std::uint32_t b0 = b[std::min(j, b.size() - 1)], b1 = b[std::min(j + 1, b.size() - 1)];
      if (a0 != a1) mesh.triangles.emplace_back(a0, a1, b0);
      if (b0 != b1) mesh.triangles.emplace_back(b0, a1, b1);
    }
  }
  add_normals(mesh);
  return mesh;
}

}  // namespace

std::vector<Mesh> interatomic_surfaces(const DensityEvaluator& evaluator, const CriticalPoints& points,
                                       double least_density, Job& job, Device device) {
  std::vector<Path> paths = begun(points);
  follow(evaluator, paths, least_density, job, device);
  std::vector<Mesh> result(points.points.size());
  for (std::size_t begin = 0; begin < paths.size(); begin += around) {
    const std::size_t n = paths[begin].point;
    result[n] = joined(points.points[n].position, std::span(paths).subspan(begin, around));
  }
  return result;
}

}  // namespace isolume
