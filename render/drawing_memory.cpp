// Memory of drawing: bytes of representations and pictures, before they are made.
#include "render/drawing_memory.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "render/image/picture_layers.h"
#include "render/pass/gl_state.h"
#include "render/represent/sphere_chunks.h"

namespace isolume {
namespace {

constexpr std::size_t most_listed = std::size_t{1} << 23;  // spheres that are culled at once (CulledSpheres)

/// Numbers of primitives, which all styles are made of.
struct Primitives {
  std::size_t spheres = 0, cylinders = 0, line_points = 0, vertices = 0, bare_vertices = 0, triangles = 0;
  std::size_t chunked = 0;  ///< of the spheres

  DrawnBytes bytes() const {
    constexpr std::size_t point = sizeof(glm::vec3), colour = sizeof(glm::u8vec4), part = sizeof(std::uint32_t);
    constexpr std::size_t cylinder = sizeof(Cylinders::Cylinder), ends = 2 * sizeof(glm::vec4);
    DrawnBytes bytes;
    bytes.own = spheres * (sizeof(glm::vec4) + colour + part) + cylinders * (cylinder + 2 * colour + 2 * part) +
                line_points * (point + colour + part) + vertices * (2 * point + colour + part) +
                bare_vertices * (point + colour + part) + triangles * sizeof(glm::uvec3);
    bytes.driver = spheres * (sizeof(glm::vec4) + colour) + cylinders * (ends + 2 * colour) +
                   line_points * (point + colour) + vertices * (2 * point + colour) + bare_vertices * (point + colour) +
                   triangles * sizeof(glm::uvec3);
    // The chunks; bits of what the last picture showed, one set for shadows, and of what is drawn; the list of spheres.
    const std::size_t chunks = (chunked + SphereChunk::size - 1) / SphereChunk::size * sizeof(SphereChunk);
    bytes.own += chunks;
    bytes.driver += chunks + 3 * chunked / 8 + (std::min(chunked, most_listed) * (8 * sizeof(std::uint32_t) + 1)) / 8;
    return bytes;
  }
};

/// Of alternate locations the first is drawn.
std::vector<std::uint8_t> without_alternates(const Topology& topology, std::span<const std::uint8_t> mask) {
  std::vector<std::uint8_t> drawn(mask.begin(), mask.end());
  std::size_t residue = topology.residues.size();
  char first = ' ';
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.residue != residue) {
      residue = atom.residue;
      first = ' ';
    }
    if (atom.altloc == ' ' || atom.altloc == '\0') continue;
    if (first == ' ') first = atom.altloc;
    if (atom.altloc != first) drawn[i] = 0;
  }
  return drawn;
}

/// What a selection has.
struct Counts {
  std::size_t atoms = 0, bonds = 0, lone = 0;

  Counts(const Topology& topology, std::span<const std::uint8_t> mask) {
    std::vector<std::uint8_t> bonded(mask.size());
    for (const Bond& bond : topology.bonds)
      if (mask[bond.a] && mask[bond.b]) {
        bonded[bond.a] = bonded[bond.b] = 1;
        ++bonds;
      }
    for (std::size_t i = 0; i < mask.size(); ++i) {
      atoms += mask[i] != 0;
      lone += mask[i] && !bonded[i];
    }
  }
};

/// The residues of a selection that a cartoon, a tube or a trace follows.
struct Chains {
  std::size_t protein = 0, nucleic = 0, strands = 0, runs = 0;

  Chains(const Topology& topology, std::span<const std::uint8_t> mask) {
    std::size_t before = topology.residues.size();  // the residue that was counted last
    for (std::size_t r = 0; r < topology.residues.size(); ++r) {
      const Residue& residue = topology.residues[r];
      bool of_protein = false, of_nucleic = false;
      for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        if (!mask[i]) continue;
        const Atom& atom = topology.atoms[i];
        of_protein = of_protein || (atom.name == "CA" && atom.element == 6) || atom.name == "BB";
        of_nucleic = of_nucleic || atom.name == "P" || atom.name == "O5'" || atom.name == "C5'" || atom.name == "O5*";
      }
      if (!of_protein && !of_nucleic) continue;
      protein += of_protein;
      nucleic += !of_protein;
      const bool joined = before + 1 == r && topology.residues[before].chain == residue.chain;
      runs += !joined;
      strands += residue.structure == SecondaryStructure::strand &&
                 !(joined && topology.residues[before].structure == SecondaryStructure::strand);
      before = r;
    }
  }
};

/// Rings of `corners` vertices along the residues, with the rounded ends of runs.
Primitives rings(const Chains& chains, std::size_t corners, std::size_t detail) {
  const std::size_t residues = chains.protein + chains.nucleic;
  Primitives made;
  made.vertices = residues * (detail + 1) * corners + chains.runs * 2 * (5 * corners + 1);
  made.triangles = residues * detail * 2 * corners + chains.runs * 2 * (9 * corners);
  return made;
}

Primitives cartoon(const Chains& chains, const StyleOptions& options, std::size_t detail) {
  constexpr std::size_t corners = 20;
  Primitives made = rings(chains, corners, detail);
  // The flat begin of a strand, and the back and the first ring of its arrow head.
  made.vertices += chains.strands * 6 * corners;
  made.triangles += chains.strands * 6 * corners;
  if (options.bases == Bases::slabs) {  // one ring of six atoms, every second base one of five too; three rods
    made.vertices += chains.nucleic * 88;
    made.triangles += chains.nucleic * 68;
    made.cylinders += chains.nucleic * 3;
  } else if (options.bases == Bases::ladder) {
    made.cylinders += chains.nucleic;
  }
  return made;
}

Primitives ellipsoids(const Counts& counts) {
  const int cuts = counts.atoms > 50'000 ? 1 : counts.atoms > 3'000 ? 2 : 3;
  const std::size_t faces = std::size_t{20} << (2 * cuts);
  Primitives made;
  made.vertices = counts.atoms * (faces / 2 + 2);
  made.triangles = counts.atoms * faces;
  if (counts.atoms <= 3'000) made.line_points = counts.atoms * 3 * 32 * 2;
  made.cylinders = counts.bonds;
  return made;
}

Primitives arrows(const Topology& topology, const Counts& counts, VectorKind kind) {
  const std::size_t count = kind == VectorKind::dipole            ? 1
                            : kind == VectorKind::residue_dipoles ? std::min(counts.atoms, topology.residues.size())
                                                                  : counts.atoms;
  const std::size_t segments = count > 5'000 ? 8 : 24;
  Primitives made;
  made.cylinders = count;
  made.vertices = count * (3 * segments + 1);
  made.triangles = count * 2 * segments;
  return made;
}

}  // namespace

DrawnBytes& DrawnBytes::operator+=(const DrawnBytes& other) {
  own += other.own;
  driver += other.driver;
  return *this;
}

DrawnBytes predict_items(const Topology& topology, std::span<const std::uint8_t> selected, Style style,
                         const StyleOptions& options) {
  const std::vector<std::uint8_t> mask = without_alternates(topology, selected);
  const Counts counts(topology, mask);
  const auto detail = static_cast<std::size_t>(std::clamp(options.detail, 2, 64));
  Primitives made;
  switch (style) {
    case Style::lines:
      made.line_points = 2 * counts.bonds + 6 * counts.lone;
      break;
    case Style::sticks:
      made.cylinders = counts.bonds;
      made.spheres = counts.lone;
      break;
    case Style::ball_and_stick:
      made.spheres = counts.atoms;
      made.cylinders = counts.bonds;
      break;
    case Style::spheres:
      made.spheres = counts.atoms;
      if (made.spheres >= chunked_from) made.chunked = made.spheres;
      break;
    case Style::cartoon:
      made = cartoon(Chains(topology, mask), options, detail);
      break;
    case Style::tube:
      made = rings(Chains(topology, mask), 16, detail);
      break;
    case Style::trace: {
      const Chains chains(topology, mask);
      made.cylinders = chains.protein + chains.nucleic - std::min(chains.runs, chains.protein + chains.nucleic);
      break;
    }
    case Style::points:
      made.bare_vertices = counts.atoms;
      break;
    case Style::ellipsoids:
      made = ellipsoids(counts);
      break;
    case Style::hydrogen_bonds:
      made.cylinders = 6 * counts.atoms / 2;  // five or six dashes each; water has two for three atoms
      break;
    case Style::vectors:
      made = arrows(topology, counts, options.vectors);
      break;
  }
  return made.bytes();
}

DrawnBytes bytes_of(const DrawItem& item) {
  Primitives made;
  if (const auto* spheres = std::get_if<Spheres>(&item.shape)) {
    made.spheres = spheres->spheres.size();
    if (!spheres->chunks.empty()) made.chunked = made.spheres;
  } else if (const auto* cylinders = std::get_if<Cylinders>(&item.shape)) {
    made.cylinders = cylinders->cylinders.size();
  } else if (const auto* lines = std::get_if<Lines>(&item.shape)) {
    made.line_points = lines->points.size();
  } else if (const auto* surface = std::get_if<Surface>(&item.shape); surface && surface->mesh) {
    const Mesh& mesh = *surface->mesh;
    (mesh.normals.empty() ? made.bare_vertices : made.vertices) = mesh.positions.size();
    made.triangles = mesh.triangles.size();
  } else if (const auto* cloud = std::get_if<Cloud>(&item.shape); cloud && cloud->volume) {
    const std::size_t bytes = cloud->volume->values.size() * sizeof(float);
    return {bytes, bytes};
  }
  return made.bytes();
}

DrawnBytes predict_picture(const PictureOptions& options, const Look& look) {
  const auto area = [](std::size_t width, std::size_t height) { return width * height; };
  const auto width = static_cast<std::size_t>(std::max(options.width, 1));
  const auto height = static_cast<std::size_t>(std::max(options.height, 1));
  const auto largest = static_cast<std::size_t>(std::max(options.largest_tile, 64));
  const std::size_t pixels = area(width, height), tile = area(std::min(width, largest), std::min(height, largest));
  // Bytes a pixel of the layers that Pipeline::resize() makes: colour 4, normal 4, number 8, depth 4, occlusion 8, its
  // blur 1, two transparent layers 16 with two numbers 16 and three depths 12, mask 2, sum 16.
  std::size_t layers = 91;
  if (look.depth_of_field > 0) layers += 8;
  DrawnBytes bytes;
  bytes.driver = tile * (layers + 4);
  if (look.shadows) bytes.driver += area(shadow_size, shadow_size) * sizeof(float);
  bytes.own = 4 * (pixels + tile);
  if (options.layers) bytes.own += (PictureLayers::bytes + 4) * pixels;  // and a copy of the pixels before labels
  return bytes;
}

}  // namespace isolume
