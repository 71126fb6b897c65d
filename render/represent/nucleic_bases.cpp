// Nucleic acids in a cartoon: the backbone as a tube, bases as slabs.
#include "render/represent/nucleic_bases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/represent/curve.h"

namespace isolume {
namespace {

constexpr float half_thickness = 0.28f;  // of a slab, angstrom
constexpr float rod_radius = 0.22f;

/// A prism over a flat ring of atoms.
void add_slab(RibbonMesh& ribbon, const std::vector<glm::vec3>& ring, glm::u8vec4 colour, std::uint32_t part) {
  const auto n = static_cast<std::uint32_t>(ring.size());
  glm::vec3 middle(0), normal(0);
  for (const glm::vec3& p : ring) middle += p / static_cast<float>(n);
  for (std::uint32_t i = 0; i < n; ++i) normal += glm::cross(ring[i] - middle, ring[(i + 1) % n] - middle);
  if (glm::length(normal) < 1e-4f) return;
  normal = glm::normalize(normal);
  Mesh& mesh = ribbon.mesh;
  const auto add = [&](glm::vec3 position, glm::vec3 direction) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(direction);
    mesh.colours.push_back(colour);
    ribbon.parts.push_back(part);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  };
  // Both faces, drawn in a little, a bevel of the rest, and the rim.
  constexpr float bevel = 0.12f;
  for (const float side : {1.0f, -1.0f}) {
    const std::uint32_t centre = add(middle + normal * (side * half_thickness), normal * side);
    for (std::uint32_t i = 0; i < n; ++i)
      add(ring[i] + bevel * glm::normalize(middle - ring[i]) + normal * (side * half_thickness), normal * side);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = centre + 1 + i, b = centre + 1 + (i + 1) % n;
      if (side > 0)
        mesh.triangles.emplace_back(centre, a, b);
      else
        mesh.triangles.emplace_back(centre, b, a);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const glm::vec3 a = ring[i], b = ring[(i + 1) % n];
    const glm::vec3 out = glm::normalize(glm::cross(b - a, normal));
    std::array<std::uint32_t, 8> v{};
    const std::array<float, 4> level = {1, 1 - bevel / half_thickness, -1 + bevel / half_thickness, -1};
    for (std::size_t k = 0; k < 4; ++k) {
      const bool inner = k == 0 || k == 3;
      const glm::vec3 direction = inner ? normal * level[k] : out;
      const glm::vec3 rise = normal * (half_thickness * level[k]);
      v[2 * k] = add(a + (inner ? bevel * glm::normalize(middle - a) : glm::vec3(0)) + rise, direction);
      v[2 * k + 1] = add(b + (inner ? bevel * glm::normalize(middle - b) : glm::vec3(0)) + rise, direction);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      mesh.triangles.emplace_back(v[2 * k], v[2 * k + 2], v[2 * k + 1]);
      mesh.triangles.emplace_back(v[2 * k + 1], v[2 * k + 2], v[2 * k + 3]);
    }
  }
}

std::vector<glm::vec3> ring_of(const StyleInput& input, std::size_t residue, std::initializer_list<const char*> names) {
  std::vector<glm::vec3> ring;
  for (const char* name : names) {
    const std::int64_t atom = find_atom(input, residue, {name});
    if (atom < 0) return {};
    ring.push_back(input.position(static_cast<std::size_t>(atom)));
  }
  return ring;
}

void add_rod(Cylinders& rods, glm::vec3 a, glm::vec3 b, float radius, glm::u8vec4 colour, std::uint32_t part) {
  rods.cylinders.push_back({a, b, radius});
  rods.colours_a.push_back(colour);
  rods.colours_b.push_back(colour);
  rods.parts_a.push_back(part);
  rods.parts_b.push_back(part);
}

/// The point nearest to `from` of the stretch of a curve behind residue i.
glm::vec3 nearest_on(const Curve& curve, std::size_t i, glm::vec3 from) {
  glm::vec3 nearest = from;
  float least = std::numeric_limits<float>::max();
  for (int k = 0; k <= 16 && curve.size() > 1; ++k) {
    const glm::vec3 p = curve.at(static_cast<float>(i) + static_cast<float>(k) / 16).position;
    if (glm::dot(p - from, p - from) < least) least = glm::dot(p - from, p - from), nearest = p;
  }
  return nearest;
}

/// The curve of a run, drawn on to the sugar of its last residue.
Curve nucleic_curve(const StyleInput& input, const Backbone& backbone) {
  Curve curve(backbone, shapes(backbone));
  if (!backbone.nucleic) return curve;
  const std::int64_t end = find_atom(input, backbone.residues.back().residue, {"O3'", "O3*", "C3'", "C3*"});
  if (end >= 0) curve.extend(input.position(static_cast<std::size_t>(end)));
  return curve;
}

void add_tube(RibbonMesh& ribbon, const StyleInput& input, const Backbone& backbone, const Curve& curve, float radius) {
  const std::size_t n = backbone.residues.size();
  if (curve.size() < 2) return;
  const Section section{radius, radius, 2};
  const int detail = std::clamp(input.options.detail, 2, 64);
  const auto last = static_cast<float>(curve.size() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t atom = backbone.residues[i].atom;
    const glm::u8vec4 colour = input.colours[atom];
    const float begin = std::max(static_cast<float>(i) - 0.5f, 0.0f);
    const float end = i + 1 == n ? last : static_cast<float>(i) + 0.5f;
    if (i == 0) ribbon.cap(curve.at(0), section, -1, colour, atom);
    const int steps = i + 1 == n && last > static_cast<float>(i) ? detail * 3 / 2 : detail;
    for (int k = 0; k <= steps; ++k)
      ribbon.ring(curve.at(begin + (end - begin) * static_cast<float>(k) / static_cast<float>(steps)), section, colour,
                  atom, k == 0);
    if (i + 1 == n) ribbon.cap(curve.at(last), section, 1, colour, atom);
  }
}

}  // namespace

void add_tube(RibbonMesh& ribbon, const StyleInput& input, const Backbone& backbone, float radius) {
  add_tube(ribbon, input, backbone, nucleic_curve(input, backbone), radius);
}

void add_nucleic_acid(RibbonMesh& ribbon, Cylinders& rods, const StyleInput& input, const Backbone& backbone) {
  const Curve curve = nucleic_curve(input, backbone);
  add_tube(ribbon, input, backbone, curve, 0.36f * input.options.cartoon_width);
  if (input.options.bases == Bases::none) return;
  const bool ladder = input.options.bases == Bases::ladder;
  for (std::size_t i = 0; i < backbone.residues.size(); ++i) {
    const std::size_t residue = backbone.residues[i].residue;
    const std::int64_t sugar = find_atom(input, residue, {"C1'", "C1*"});
    if (sugar < 0) continue;
    const auto part = static_cast<std::uint32_t>(sugar);
    const glm::u8vec4 colour = input.colours[part];
    const glm::vec3 c1 = input.position(part);
    const auto six = ring_of(input, residue, {"N1", "C2", "N3", "C4", "C5", "C6"});
    const auto five = ring_of(input, residue, {"C4", "C5", "N7", "C8", "N9"});
    if (ladder) {
      // A rung from the tube to the atom of the base that faces its partner: N1 of purines, N3 of pyrimidines.
      const std::int64_t tip =
          find_atom(input, residue,
                    five.empty() ? std::initializer_list<const char*>{"N3"} : std::initializer_list<const char*>{"N1"});
      if (tip >= 0)
        add_rod(rods, nearest_on(curve, i, c1), input.position(static_cast<std::size_t>(tip)), 2 * rod_radius, colour,
                part);
      continue;
    }
    if (!six.empty()) add_slab(ribbon, six, colour, part);
    if (!five.empty()) add_slab(ribbon, five, colour, part);
    const std::int64_t base =
        find_atom(input, residue,
                  five.empty() ? std::initializer_list<const char*>{"N1"} : std::initializer_list<const char*>{"N9"});
    if (base >= 0) add_rod(rods, c1, input.position(static_cast<std::size_t>(base)), rod_radius, colour, part);
    // From the sugar to the tube.
    const std::int64_t c4 = find_atom(input, residue, {"C4'", "C4*", "C3'", "C3*"});
    const glm::vec3 from = c4 >= 0 ? input.position(static_cast<std::size_t>(c4)) : c1;
    if (c4 >= 0) add_rod(rods, c1, from, rod_radius, colour, part);
    add_rod(rods, from, nearest_on(curve, i, from), rod_radius, colour, part);
  }
}

}  // namespace isolume
