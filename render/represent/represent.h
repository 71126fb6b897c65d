// Representations: atoms and bonds in, things to draw out.
#pragma once

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/hydrogen_bonds.h"
#include "molecule/topology.h"
#include "render/represent/colour.h"
#include "render/view/scene_view.h"

namespace isolume {

/// The styles that need no field: those are surfaces, made by compute/ and handed over as Surface items.
enum class Style : std::uint8_t {
  lines,
  sticks,
  ball_and_stick,
  spheres,
  cartoon,
  tube,
  trace,
  points,
  ellipsoids,      ///< anisotropic displacements (thermal ellipsoids) with bonds
  hydrogen_bonds,  ///< dashes between donors and acceptors
  vectors          ///< arrows: dipoles, velocities, forces
};
constexpr int style_count = 11;
const char* name(Style style);                   ///< "ball and stick"
Style style_from_name(const std::string& name);  ///< throws Error (usage) that lists the names

/// The cross sections of a cartoon's helices and strands.
enum class RibbonProfile : std::uint8_t {
  ribbon,    ///< flat helices with round edges, strands with edges
  flat,      ///< both thin with sharp edges
  round,     ///< both thick ellipses
  cylinders  ///< helices as straight cylinders
};
/// How a cartoon shows the bases of nucleic acids.
enum class Bases : std::uint8_t { slabs, ladder, none };
/// What Style::vectors draws.
enum class VectorKind : std::uint8_t {
  dipole,           ///< one arrow: the dipole moment of all that is drawn, about its centre of mass
  residue_dipoles,  ///< one for each residue
  velocities,
  forces
};
const char* unit(VectorKind kind);  ///< "D", "angstrom/ps", "kcal/mol/angstrom"

/// Measures of a representation, angstrom.
struct StyleOptions {
  float sphere_scale =
      1.0f;  ///< of the van der Waals radius (spheres); ball and stick uses 0.25 of it, 0.18 of hydrogens
  float bond_radius = 0.15f;
  float line_width = 1.5f;     ///< pixels
  float cartoon_width = 1.3f;  ///< half width of helices and strands
  int detail = 8;              ///< segments of a ribbon per residue
  RibbonProfile profile = RibbonProfile::ribbon;
  Bases bases = Bases::slabs;
  float probability = 0.5f;  ///< that an atom is found within its ellipsoid
  VectorKind vectors = VectorKind::dipole;
  float vector_scale = 0;  ///< angstrom per unit; 0: the longest arrow of the frame is as long as suits what is drawn
  HydrogenBondRule hydrogen_bonds;
  bool operator==(const StyleOptions&) const = default;
};

/// What to draw for the atoms of `mask` (one byte per atom). Of alternate locations the first is drawn. `structure`
/// holds a class per residue (cartoon). `object` numbers the items for picking; parts are atom indices. Throws Error
/// (usage) where the molecule lacks what the style shows: charges for dipoles, velocities, forces. `progress` is called
/// now and then with the fraction done of a cartoon; what it throws ends the work. `found`: the frame in which hydrogen
/// bonds are found, where that is another one than they are drawn in.
std::vector<std::shared_ptr<const DrawItem>> represent(
    const Topology& topology, const Frame& frame, std::span<const std::uint8_t> mask, Style style,
    const StyleOptions& options, std::span<const glm::u8vec4> colours, std::span<const SecondaryStructure> structure,
    std::uint32_t object, float opacity, Material material = Material::standard, std::vector<glm::vec3> copies = {},
    std::function<void(double)> progress = {}, const Frame* found = nullptr);

}  // namespace isolume
