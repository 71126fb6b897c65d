// Arrows: dipole moments, velocities, forces.
#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/dipole.h"
#include "render/represent/cone.h"
#include "render/represent/style_input.h"

namespace isolume {

const char* unit(VectorKind kind) {
  switch (kind) {
    case VectorKind::dipole:
    case VectorKind::residue_dipoles:
      return "D";
    case VectorKind::velocities:
      return "angstrom/ps";
    case VectorKind::forces:
      return "kcal/mol/angstrom";
  }
  return "";
}

namespace {

struct Arrow {
  glm::vec3 place{0}, vector{0};  ///< angstrom; in the unit of the kind
  glm::u8vec4 colour{255};
  std::uint32_t part = 0;
};

/// Half the diagonal of the box around what is drawn, angstrom.
float extent(const StyleInput& input) {
  glm::vec3 low(1e9f), high(-1e9f);
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    if (!input.drawn[i]) continue;
    low = glm::min(low, input.position(i));
    high = glm::max(high, input.position(i));
  }
  return low.x <= high.x ? std::max(0.5f * glm::length(high - low), 1.0f) : 1.0f;
}

std::vector<Arrow> dipoles(const StyleInput& input) {
  std::vector<Arrow> arrows;
  const auto add = [&](std::size_t begin, std::size_t count) {
    const auto from = input.drawn.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = from + static_cast<std::ptrdiff_t>(count);
    const auto first = std::find(from, end, 1);
    if (first == end) return;
    const auto part = static_cast<std::uint32_t>(first - input.drawn.begin());
    const Dipole found = dipole(input.topology, input.frame, input.drawn, begin, count);
    arrows.push_back({glm::vec3(found.centre), glm::vec3(found.moment), input.colours[part], part});
  };
  if (input.options.vectors == VectorKind::dipole) {
    add(0, input.drawn.size());
  } else {
    for (const Residue& residue : input.topology.residues) add(residue.first_atom, residue.atom_count);
  }
  return arrows;
}

std::vector<Arrow> of_atoms(const StyleInput& input, const std::vector<glm::vec3>& vectors, const char* what) {
  if (vectors.size() != input.drawn.size())
    throw Error(
        std::string("there are no ") + what + " in this frame; TRR, GRO, extended XYZ and restart files may have them",
        Error::Kind::usage);
  std::vector<Arrow> arrows;
  for (std::size_t i = 0; i < input.drawn.size(); ++i)
    if (input.drawn[i])
      arrows.push_back({input.position(i), vectors[i], input.colours[i], static_cast<std::uint32_t>(i)});
  return arrows;
}

std::vector<Arrow> arrows_of(const StyleInput& input) {
  switch (input.options.vectors) {
    case VectorKind::velocities:
      return of_atoms(input, input.frame.velocities, "velocities");
    case VectorKind::forces:
      return of_atoms(input, input.frame.forces, "forces");
    default:
      return dipoles(input);
  }
}

}  // namespace

Items represent_vectors(const StyleInput& input) {
  std::vector<Arrow> arrows = arrows_of(input);
  std::erase_if(arrows,
                [](const Arrow& a) { return !(glm::length(a.vector) > 0) || !std::isfinite(glm::length(a.vector)); });
  if (arrows.empty()) return {};
  const bool whole = input.options.vectors == VectorKind::dipole;
  float scale = input.options.vector_scale;
  if (!(scale > 0)) {
    float longest = 0;
    for (const Arrow& a : arrows) longest = std::max(longest, glm::length(a.vector));
    scale = (whole ? extent(input) : 4.0f) / longest;
  }
  const bool in_middle = whole || input.options.vectors == VectorKind::residue_dipoles;
  // One arrow is a sign in the picture, many are a field of lines.
  const float usual_radius = whole ? std::max(0.03f * extent(input), 0.12f) : 0.6f * input.options.bond_radius;
  Cylinders shafts;
  auto heads = std::make_shared<Mesh>();
  Surface shape;
  const int segments = arrows.size() > 5'000 ? 8 : 24;
  std::size_t done = 0;
  for (const Arrow& arrow : arrows) {
    input.step(done++, arrows.size());
    const glm::vec3 vector = scale * arrow.vector;
    const float length = glm::length(vector);
    if (length < 1e-3f) continue;
    const float radius = std::min(usual_radius, 0.12f * length);
    const glm::vec3 start = arrow.place - (in_middle ? 0.5f : 0.0f) * vector, tip = start + vector;
    const glm::vec3 neck = tip - vector * std::min(4.5f * radius / length, 0.6f);
    shafts.cylinders.push_back({start, neck, radius});
    shafts.colours_a.push_back(arrow.colour);
    shafts.parts_a.push_back(arrow.part);
    add_cone(*heads, neck, tip, 2.2f * radius, arrow.colour, segments);
    shape.parts.resize(heads->positions.size(), arrow.part);
  }
  shafts.colours_b = shafts.colours_a;
  shafts.parts_b = shafts.parts_a;
  Items items;
  if (shafts.cylinders.empty()) return items;
  shape.mesh = std::move(heads);
  input.add(items, std::move(shafts));
  input.add(items, std::move(shape));
  return items;
}

}  // namespace isolume
