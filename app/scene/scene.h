// The scene: everything that makes a picture, as one plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "molecule/orbitals.h"
#include "render/camera.h"
#include "render/look.h"
#include "render/represent/represent.h"

namespace isolume {

/// A molecule of the scene: the files that make it (a structure, perhaps a trajectory for it, or a sequence of orbital
/// files).
struct SceneMolecule {
  std::vector<std::string> paths;  ///< as the user gave them; in a session file relative to it where they lie below it
  bool visible = true;
  bool operator==(const SceneMolecule&) const = default;
};

/// A style for some atoms.
struct Representation {
  std::uint32_t molecule = 0;     ///< index into Scene::molecules
  std::string selection = "all";  ///< molecule/selection.h
  Style style = Style::cartoon;
  Colouring colouring = Colouring::element;
  glm::u8vec4 colour{0, 0, 0, 0};  ///< for Colouring::uniform; for carbon under Colouring::element where alpha > 0
  StyleOptions options;
  float opacity = 1.0f;
  bool visible = true;
  bool operator==(const Representation&) const = default;
};

/// A computed thing: a surface of a density, an orbital, a potential, or of a volume from a file.
struct Field {
  enum class Kind : std::uint8_t { gaussian, orbital, potential, volume };
  /// What colours a gaussian surface: its atoms, as `colouring` says, or the electrostatic potential.
  enum class Paint : std::uint8_t { atoms, potential };
  Kind kind = Kind::gaussian;
  std::uint32_t molecule = 0;
  std::string selection = "all";  ///< the atoms that count (gaussian, potential)
  std::string orbital = "homo";   ///< "homo", "lumo+1", "5" (kind orbital)
  Spin spin = Spin::alpha;
  /// `orbital` names the one of frame `follow_from`, which is followed to other frames by overlap, with its phase; else
  /// the name is looked up in every frame anew.
  bool follow = false;
  std::uint32_t follow_from = 0;
  /// Part of the electron within the surfaces, above 0 and below 1, which decides the isovalue in every frame (kind
  /// orbital); 0: `isovalue` does.
  double enclosed = 0;
  std::uint32_t volume = 0;   ///< index into Molecule::volumes (kind volume)
  double spacing = 0;         ///< angstrom between grid points; 0 chooses by the size of what is computed
  double isovalue = 0;        ///< 0: the kind's usual (gaussian 0.5, orbital 0.05 bohr^-3/2, potential 0.5 V)
  bool both_signs = true;     ///< also the surface at -isovalue, in negative_colour (not for gaussian)
  float radius_scale = 1.0f;  ///< gaussian
  Surface::Style style = Surface::Style::solid;
  Colouring colouring = Colouring::uniform;  ///< gaussian: by the atoms near it
  Paint paint = Paint::atoms;
  double paint_range = 0;  ///< volts at full red (minus) and full blue; 0 chooses by the potential on the surface
  glm::u8vec4 colour{0, 114, 178, 255};
  glm::u8vec4 negative_colour{213, 94, 0, 255};
  float opacity = 1.0f;
  bool visible = true;
  bool operator==(const Field&) const = default;
};

/// How a trajectory plays.
struct Playback {
  enum class Loop : std::uint8_t { once, loop, rock };
  double frames_per_second = 20;
  std::uint32_t stride = 1;
  Loop loop = Loop::loop;
  bool operator==(const Playback&) const = default;
};

/// The scene. Compares with ==; undo is the previous one; reads and writes as JSON (scene_json.h).
struct Scene {
  std::vector<SceneMolecule> molecules;
  std::vector<Representation> representations;
  std::vector<Field> fields;
  Camera camera;
  Look look;
  Playback playback;
  std::size_t frame = 0;
  bool show_box = false;
  bool operator==(const Scene&) const = default;
};

/// The usual value where Field::isovalue is 0, and the spacing where Field::spacing is 0 for something of this extent.
double usual_isovalue(Field::Kind kind);
double effective_isovalue(const Field& field);

}  // namespace isolume
