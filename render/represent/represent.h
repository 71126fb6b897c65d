// Representations: atoms and bonds in, things to draw out.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"
#include "render/scene_view.h"

namespace isolume {

/// The styles that need no field: those are surfaces, made by compute/ and handed over as Surface items.
enum class Style : std::uint8_t { lines, sticks, ball_and_stick, spheres, cartoon, tube, trace, points };
const char* name(Style style);                   ///< "ball and stick"
Style style_from_name(const std::string& name);  ///< throws Error (usage) that lists the names

/// How atoms are coloured.
enum class Colouring : std::uint8_t { element, chain, residue, structure, charge, b_factor, index, uniform };
const char* name(Colouring colouring);
Colouring colouring_from_name(const std::string& name);

/// Measures of a representation, angstrom.
struct StyleOptions {
  float sphere_scale = 1.0f;  ///< of the van der Waals radius (spheres); ball and stick uses 0.25 of it
  float bond_radius = 0.15f;
  float line_width = 1.5f;     ///< pixels
  float cartoon_width = 1.3f;  ///< half width of helices and strands
  int detail = 8;              ///< segments of a ribbon per residue
  bool operator==(const StyleOptions&) const = default;
};

/// One colour per atom. `uniform` is used by Colouring::uniform and, under Colouring::element, for carbon where its
/// alpha is > 0.
std::vector<glm::u8vec4> colour_atoms(const Topology& topology, Colouring colouring, glm::u8vec4 uniform);

/// What to draw for the atoms of `mask` (one byte per atom). Of alternate locations the first is drawn. `structure`
/// holds a class per residue (cartoon). `object` numbers the items for picking; parts are atom indices.
std::vector<std::shared_ptr<const DrawItem>> represent(const Topology& topology, const Frame& frame,
                                                       std::span<const std::uint8_t> mask, Style style,
                                                       const StyleOptions& options,
                                                       std::span<const glm::u8vec4> colours,
                                                       std::span<const SecondaryStructure> structure,
                                                       std::uint32_t object, float opacity);

}  // namespace isolume
