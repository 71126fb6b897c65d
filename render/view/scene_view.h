// Scene view: the picture's contents as plain values without OpenGL.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "molecule/cell.h"
#include "molecule/grid.h"
#include "molecule/mesh.h"
#include "render/view/camera.h"
#include "render/view/clip_plane.h"
#include "render/view/look.h"

namespace isolume {

class SurfaceBuffers;  // render/draw/surface_buffers.h: a mesh whose arrays already are OpenGL buffers

/// Number under a pixel: `object` is DrawItem::object, `part` the atom (or vertex) within it. 0 is the background.
struct PickId {
  std::uint32_t object = 0;
  std::uint32_t part = 0;
  /// The point that is seen there, angstrom; on the background that of the plane through the camera's centre that faces
  /// the viewer. Only where `placed`: a picture is there.
  glm::dvec3 place{0.0};
  bool placed = false;
  /// Of the same thing, wherever on it.
  bool operator==(const PickId& other) const { return object == other.object && part == other.part; }
};

/// Spheres near each other, of which those that cannot be seen are left out together. As the shaders have it.
struct SphereChunk {
  static constexpr std::size_t size = 256;  ///< spheres; the last chunk may have fewer
  glm::vec4 bounds;                         ///< a ball that holds all of them: centre and radius, angstrom
  float radius = 0;                         ///< of the sphere at that centre that covers as much as they do
  glm::u8vec4 colour;                       ///< their mean
  std::uint32_t sphere = 0;                 ///< number of the one next to that centre
  float largest = 0;                        ///< radius of them, angstrom
};

/// Spheres, ray-cast.
struct Spheres {
  std::vector<glm::vec4> spheres;     ///< centre and radius, angstrom
  std::vector<glm::u8vec4> colours;   ///< straight RGBA
  std::vector<std::uint32_t> parts;   ///< atom index for picking
  std::vector<SphereChunk> chunks{};  ///< of `spheres` in their order (render/represent/sphere_chunks.h); empty: none
};

/// Cylinders with flat or round ends and a colour for each half, ray-cast.
struct Cylinders {
  struct Cylinder {
    glm::vec3 a, b;
    float radius;
  };
  std::vector<Cylinder> cylinders;
  std::vector<glm::u8vec4> colours_a, colours_b;
  std::vector<std::uint32_t> parts_a, parts_b;
  bool round_ends = false;
};

/// Line segments (two points each), `width` pixels wide at 1x.
struct Lines {
  std::vector<glm::vec3> points;
  std::vector<glm::u8vec4> colours;  ///< one per point
  std::vector<std::uint32_t> parts;  ///< one per point, or empty
  float width = 1.5f;
};

/// Triangles: a mesh in host memory, or buffers that a computation has filled on the device.
struct Surface {
  enum class Style : std::uint8_t { solid, wireframe, points };
  std::shared_ptr<const Mesh> mesh;  ///< one of these two
  std::shared_ptr<const SurfaceBuffers> buffers;
  std::vector<std::uint32_t> parts;        ///< one per vertex for picking, or empty
  glm::u8vec4 colour{200, 200, 200, 255};  ///< where the mesh has no colours
  Style style = Style::solid;
  bool closed = false;  ///< it has an inside: where a clipping plane cuts it, it may be filled with `colour`
};

/// A scalar field as a coloured cloud (volume rendering): light goes out of every place and is absorbed on its way.
/// Drawn behind what is transparent otherwise, in front of nothing opaque that is nearer. It cannot be picked.
struct Cloud {
  std::shared_ptr<const Volume> volume;
  /// Colours (sRGB, 0..1) and the opacity of one angstrom, evenly from `lower` to `upper`; values beyond take the
  /// ends'.
  std::vector<glm::vec4> transfer;
  float lower = 0, upper = 1;
};

/// One thing to draw. Shared and immutable: the renderer keeps GPU copies of items by identity, so an unchanged item
/// costs nothing in the next frame, and a changed one is a new item.
struct DrawItem {
  std::variant<Spheres, Cylinders, Lines, Surface, Cloud> shape;
  std::uint32_t object = 0;  ///< for picking, > 0 where it can be picked
  float opacity = 1.0f;      ///< < 1: transparent, independent of draw order
  bool lit = true;
  Material material = Material::standard;
  std::vector<glm::vec3> copies;  ///< it is drawn shifted by each of these (periodic images); empty: once, where it is
};

/// How one item of a view is treated. Apart from the item, so that a change costs no new copy on the device.
struct ItemTraits {
  enum class Kind : std::uint8_t { other, atoms, surface };  ///< for ClipPlane::cuts; no plane cuts `other`
  Kind kind = Kind::other;
  Outline outline{};
  bool operator==(const ItemTraits&) const = default;
};

/// A text in space. The renderer draws no text: who shows the picture writes it over it.
struct Label {
  glm::vec3 position{0.0f};  ///< angstrom
  std::string text;          ///< UTF-8
  float points = 0;          ///< size of its letters, 1/72 inch; 0: as Look::text_points
  bool operator==(const Label&) const = default;
};

/// What colours mean: a scale from `lower` to `upper`, or names. Drawn as labels are.
struct ColourKey {
  std::string title, unit;
  double lower = 0, upper = 0;   ///< values of the first and the last colour of the scale
  std::vector<glm::vec3> scale;  ///< evenly from lower to upper, sRGB 0..1; empty where there are entries
  std::vector<std::pair<std::string, glm::vec3>> entries;
  bool operator==(const ColourKey&) const = default;
};

/// A whole picture as a value.
struct SceneView {
  std::vector<std::shared_ptr<const DrawItem>> items;
  std::vector<ItemTraits> traits;  ///< of `items`, in their order; those beyond its end have the usual ones
  std::vector<ClipPlane> clip_planes;
  Camera camera;
  Look look;
  Cell box;  ///< drawn where it exists and show_box
  bool show_box = false;
  std::vector<glm::vec3> box_copies;  ///< shifts at which the box is drawn; empty: once
  std::vector<Label> labels;
  std::vector<ColourKey> keys;
  std::vector<glm::vec4> highlights;  ///< selected atoms: centre and radius, drawn as halos
  glm::dvec3 centre{0.0};             ///< bounding sphere of what is drawn, angstrom
  double radius = 10.0;

  /// The picture in tiles next to each other (render/tiles.h), each with the camera and the look of the whole; empty:
  /// one picture of the above.
  std::vector<SceneView> tiles;
  int tile_columns = 0;          ///< 0: by the shape of the picture
  std::string title;             ///< of a tile
  std::uint32_t object = 0;      ///< of a tile: DrawItem::object of what it shows
  glm::dvec3 camera_shift{0.0};  ///< of a tile: its camera looks at Camera::centre moved by this

  /// Adds an item with its traits; null is left out.
  void add(std::shared_ptr<const DrawItem> item, const ItemTraits& how) {
    if (!item) return;
    traits.resize(items.size());
    items.push_back(std::move(item));
    traits.push_back(how);
  }
};

}  // namespace isolume
