// Ellipsoids of anisotropic displacement: where an atom is found with a given probability (Johnson 1965, ORTEP).
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "render/represent/ellipsoid_scale.h"
#include "render/represent/sticks.h"
#include "render/represent/unit_sphere.h"

namespace isolume {

double ellipsoid_scale(double probability) {
  // The part of a normal distribution within k deviations: erf(k/sqrt 2) - sqrt(2/pi) k exp(-k^2/2), rising in k.
  const double wanted = std::clamp(probability, 0.01, 0.99);
  double low = 0, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double k = 0.5 * (low + high);
    const double within = std::erf(k / std::sqrt(2.0)) - std::sqrt(2.0 / M_PI) * k * std::exp(-0.5 * k * k);
    (within < wanted ? low : high) = k;
  }
  return 0.5 * (low + high);
}

namespace {

constexpr double least_axis = 0.01;  // angstrom: a displacement that is not positive in some direction is drawn flat

/// Columns: the half axes of the ellipsoid.
glm::mat3 half_axes(const Atom& atom, const std::array<float, 6>* u, double scale) {
  const bool known = u && std::any_of(u->begin(), u->end(), [](float v) { return v != 0; });
  if (!known) {
    // Without an anisotropic one, the sphere of B = 8 pi^2 U.
    const double radius = scale * std::sqrt(std::max(static_cast<double>(atom.b_factor), 0.0) / (8 * M_PI * M_PI));
    return glm::mat3(static_cast<float>(std::max(radius, least_axis)));
  }
  Eigen::Matrix3d m;
  const auto& v = *u;
  m << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m);
  glm::mat3 axes(1.0f);
  for (int i = 0; i < 3; ++i) {
    const double length = std::max(scale * std::sqrt(std::max(solver.eigenvalues()[i], 0.0)), least_axis);
    const Eigen::Vector3d axis = solver.eigenvectors().col(i) * length;
    axes[i] = glm::vec3(axis.x(), axis.y(), axis.z());
  }
  if (glm::determinant(axes) < 0) axes[2] = -axes[2];  // triangles keep their sense
  return axes;
}

/// The three principal ellipses, a little outside the surface.
void add_rings(Lines& rings, glm::vec3 centre, const glm::mat3& axes, std::uint32_t part) {
  constexpr int segments = 32;
  for (int k = 0; k < 3; ++k) {
    const glm::vec3 a = 1.01f * axes[(k + 1) % 3], b = 1.01f * axes[(k + 2) % 3];
    const auto at = [&](int i) {
      const float angle = 6.2831853f * static_cast<float>(i) / segments;
      return centre + std::cos(angle) * a + std::sin(angle) * b;
    };
    for (int i = 0; i < segments; ++i) {
      rings.points.insert(rings.points.end(), {at(i), at(i + 1)});
      rings.colours.insert(rings.colours.end(), 2, glm::u8vec4(30, 34, 40, 255));
      rings.parts.insert(rings.parts.end(), 2, part);
    }
  }
}

}  // namespace

Items represent_ellipsoids(const StyleInput& input) {
  const std::size_t count = static_cast<std::size_t>(std::count(input.drawn.begin(), input.drawn.end(), 1));
  // Fewer triangles and no rings for many atoms: 1280, 320 or 80 each.
  const UnitSphere sphere(count > 50'000 ? 1 : count > 3'000 ? 2 : 3);
  const double scale = ellipsoid_scale(static_cast<double>(input.options.probability));
  const auto& displacements = input.topology.displacements;
  auto mesh = std::make_shared<Mesh>();
  Surface shape;
  Lines rings;
  rings.width = 1.0f;
  const std::size_t steps = input.drawn.size() + input.topology.bonds.size();
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    if ((i & 63) == 0) input.report(i, steps);  // each is hundreds of triangles
    if (!input.drawn[i]) continue;
    const glm::mat3 axes =
        half_axes(input.topology.atoms[i], displacements.empty() ? nullptr : &displacements[i], scale);
    const glm::mat3 normals = glm::transpose(glm::inverse(axes));
    const auto first = static_cast<unsigned>(mesh->positions.size());
    for (const glm::vec3& point : sphere.points) {
      mesh->positions.push_back(input.position(i) + axes * point);
      mesh->normals.push_back(glm::normalize(normals * point));
      mesh->colours.push_back(input.colours[i]);
      shape.parts.push_back(static_cast<std::uint32_t>(i));
    }
    for (const glm::uvec3 triangle : sphere.triangles) mesh->triangles.push_back(triangle + first);
    if (count <= 3'000) add_rings(rings, input.position(i), axes, static_cast<std::uint32_t>(i));
  }
  Cylinders bonds;
  add_bonds(bonds, input, 0.5f * input.options.bond_radius, input.drawn.size(), steps);
  Items items;
  if (!mesh->positions.empty()) {
    shape.mesh = std::move(mesh);
    input.add(items, std::move(shape));
  }
  if (!rings.points.empty()) input.add(items, std::move(rings));
  if (!bonds.cylinders.empty()) input.add(items, std::move(bonds));
  return items;
}

}  // namespace isolume
