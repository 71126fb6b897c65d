// What is drawn, as path tracing takes it: shapes and materials.
#include "app/view/path/traced_scene.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "molecule/base/error.h"
#include "render/draw/scene_furniture.h"
#include "render/draw/surface_read.h"
#include "render/image/picture_layers.h"
#include "render/pass/frame.h"

namespace isolume {
namespace {

/// The planes of the view that cut things of a kind, and the front and back plane of the camera.
std::uint8_t planes_of(const SceneView& view, ItemTraits::Kind kind, int all) {
  const std::vector<ClipPlane> planes = cutting_planes(view);
  unsigned mask = 0;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const ClipPlane::Cuts cuts = planes[i].cuts;
    if ((kind == ItemTraits::Kind::atoms && cuts != ClipPlane::Cuts::surfaces) ||
        (kind == ItemTraits::Kind::surface && cuts != ClipPlane::Cuts::atoms))
      mask |= 1u << i;
  }
  for (int i = static_cast<int>(planes.size()); i < all; ++i) mask |= 1u << i;
  return static_cast<std::uint8_t>(mask);
}

/// GGX's roughness with the width of Blinn and Phong's highlight, and the reflectance that gives its brightness.
void set_coat(TraceMaterial& material, float specular, float shininess) {
  const float alpha2 = 2 / (std::max(shininess, 1.0f) + 2);
  material.roughness = std::clamp(std::sqrt(alpha2), 0.05f, 1.0f);
  material.reflectance = std::clamp(4 * alpha2 * specular, 0.0f, 0.2f);
}

TraceMaterial material_of(const DrawItem& item, const Look& look, std::uint8_t planes, bool lit) {
  TraceMaterial material;
  material.opacity = std::clamp(item.opacity, 0.0f, 1.0f);
  material.object = item.object;
  material.planes = planes;
  material.lit = lit && item.lit;
  set_coat(material, look.specular, look.shininess);
  switch (item.material) {
    case Material::standard:
      break;
    case Material::matt:
    case Material::toon:
      material.reflectance = 0;
      break;
    case Material::glossy:
      set_coat(material, 0.35f + 1.6f * look.specular, 2.5f * look.shininess);
      break;
    case Material::metal:
      material.metal = 1;
      material.roughness = 0.25f;
      break;
    case Material::glass:
      material.glass = 1;
      set_coat(material, 0.35f + 1.6f * look.specular, 2.5f * look.shininess);
      break;
  }
  return material;
}

template <class T>
T at(const std::vector<T>& values, std::size_t i, const T& otherwise) {
  return i < values.size() ? values[i] : otherwise;
}

constexpr glm::u8vec4 grey{200, 200, 200, 255};

/// Adds the shapes of items.
class Collector {
 public:
  Collector(TraceScene& scene, const SceneView& view, const PathSettings& settings)
      : scene_(scene),
        view_(view),
        ratio_(settings.pixel_ratio),
        pixel_(static_cast<float>(view.camera.height / settings.height)) {}

  void add(const DrawItem& item, std::uint8_t planes) {
    item_ = &item;
    planes_ = planes;
    std::vector<glm::dvec3> shifts;
    for (const glm::vec3& copy : item.copies) shifts.push_back(glm::dvec3(copy) - view_.centre);
    if (shifts.empty()) shifts.push_back(-view_.centre);
    if (const auto* surface = std::get_if<Surface>(&item.shape); surface && surface->buffers)
      read_ = read_mesh(*surface->buffers);
    begun_cloud_ = false;
    for (const glm::dvec3& shift : shifts) {
      shift_ = shift;
      std::visit([this](const auto& shape) { add_shape(shape); }, item.shape);
    }
    read_ = {};
  }

 private:
  std::uint32_t material(bool lit) {
    const TraceMaterial made = material_of(*item_, view_.look, planes_, lit);
    scene_.materials.push_back(made);
    return static_cast<std::uint32_t>(scene_.materials.size() - 1);
  }
  glm::vec3 moved(glm::vec3 p) const { return glm::vec3(glm::dvec3(p) + shift_); }

  void add_shape(const Spheres& shape) {
    const std::uint32_t m = material(true);
    for (std::size_t i = 0; i < shape.spheres.size(); ++i)
      sphere(shape.spheres[i], shape.spheres[i].w, at(shape.colours, i, grey), m);
  }
  void sphere(glm::vec3 centre, float radius, glm::u8vec4 colour, std::uint32_t m) {
    scene_.spheres.emplace_back(moved(centre), radius);
    scene_.sphere_colours.push_back(colour);
    scene_.sphere_materials.push_back(m);
  }
  void add_shape(const Cylinders& shape) {
    const std::uint32_t m = material(true);
    for (std::size_t i = 0; i < shape.cylinders.size(); ++i) {
      const auto& c = shape.cylinders[i];
      const glm::u8vec4 a = at(shape.colours_a, i, grey);
      scene_.cylinders.push_back(
          {moved(c.a), moved(c.b), c.radius, a, at(shape.colours_b, i, a), m, shape.round_ends ? 1u : 0u});
    }
  }
  void line(glm::vec3 a, glm::vec3 b, float radius, glm::u8vec4 ca, glm::u8vec4 cb, std::uint32_t m) {
    scene_.cylinders.push_back({moved(a), moved(b), radius, ca, cb, m, 1});
  }
  float radius_of(double pixels) const { return 0.5f * pixel_ * static_cast<float>(std::max(pixels * ratio_, 1.0)); }
  void add_shape(const Lines& shape) {
    const std::uint32_t m = material(false);
    const float radius = radius_of(static_cast<double>(shape.width));
    for (std::size_t i = 0; i + 1 < shape.points.size(); i += 2)
      line(shape.points[i], shape.points[i + 1], radius, at(shape.colours, i, grey), at(shape.colours, i + 1, grey), m);
  }
  void add_shape(const Surface& shape) {
    const Mesh& mesh = shape.mesh ? *shape.mesh : read_;
    if (shape.style == Surface::Style::points) {
      const std::uint32_t m = material(false);
      for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        sphere(mesh.positions[i], radius_of(3), at(mesh.colours, i, shape.colour), m);
    } else if (shape.style == Surface::Style::wireframe) {
      add_edges(mesh, shape.colour);
    } else {
      add_triangles(mesh, shape.colour);
    }
  }
  void add_edges(const Mesh& mesh, glm::u8vec4 colour) {
    const std::uint32_t m = material(true);
    std::set<std::pair<unsigned, unsigned>> edges;
    for (const glm::uvec3& t : mesh.triangles)
      for (int side = 0; side < 3; ++side) edges.insert(std::minmax({t[side], t[(side + 1) % 3]}));
    for (const auto& [a, b] : edges)
      line(mesh.positions[a], mesh.positions[b], radius_of(1.2), at(mesh.colours, a, colour),
           at(mesh.colours, b, colour), m);
  }
  void add_triangles(const Mesh& mesh, glm::u8vec4 colour) {
    const std::uint32_t m = material(true);
    const auto first = static_cast<std::uint32_t>(scene_.vertices.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      scene_.vertices.push_back(moved(mesh.positions[i]));
      scene_.normals.push_back(at(mesh.normals, i, glm::vec3(0)));
      scene_.vertex_colours.push_back(at(mesh.colours, i, colour));
    }
    for (const glm::uvec3& t : mesh.triangles) scene_.triangles.push_back({first + t.x, first + t.y, first + t.z, m});
  }
  /// One for all copies.
  void add_shape(const Cloud& shape) {
    if (begun_cloud_) {
      scene_.clouds.back().shifts.push_back(shift_);
      return;
    }
    begun_cloud_ = true;
    TraceCloud cloud{shape.volume, {},      shape.lower, shape.upper, std::clamp(item_->opacity, 0.0f, 1.0f),
                     planes_,      {shift_}};
    for (const glm::vec4& c : shape.transfer) {
      // What the rasteriser takes from the light of one angstrom, as extinction.
      const float extinction = -std::log1p(-std::clamp(c.w, 0.0f, 0.999f));
      cloud.transfer.emplace_back(to_linear(c.x), to_linear(c.y), to_linear(c.z), extinction);
    }
    scene_.clouds.push_back(std::move(cloud));
  }

  TraceScene& scene_;
  const SceneView& view_;
  double ratio_;
  float pixel_;  // angstrom at the camera's centre
  const DrawItem* item_ = nullptr;
  std::uint8_t planes_ = 0;
  glm::dvec3 shift_{0.0};
  bool begun_cloud_ = false;  // of the item
  Mesh read_;                 // of a surface in OpenGL buffers
};

}  // namespace

TraceScene traced_scene(const SceneView& view, const PathSettings& settings) {
  TraceScene scene;
  Collector collector(scene, view, settings);
  const int planes = traced_view(view, settings).plane_count;
  for (std::size_t i = 0; i < view.items.size(); ++i)
    if (view.items[i])
      collector.add(*view.items[i],
                    planes_of(view, i < view.traits.size() ? view.traits[i].kind : ItemTraits::Kind::other, planes));
  if (view.show_box && view.box.exists())
    collector.add(*box_item(view.box, view.box_copies), planes_of(view, ItemTraits::Kind::other, planes));
  return scene;
}

std::size_t predict_traced_scene(const SceneView& view) {
  std::size_t bytes = 0;
  for (const auto& item : view.items) {
    if (!item) continue;
    const std::size_t copies = std::max<std::size_t>(item->copies.size(), 1);
    const auto of = [](const auto& shape) -> std::size_t {
      using Shape = std::decay_t<decltype(shape)>;
      if constexpr (std::is_same_v<Shape, Spheres>) return shape.spheres.size() * 24;
      if constexpr (std::is_same_v<Shape, Cylinders>) return shape.cylinders.size() * sizeof(TraceCylinder);
      if constexpr (std::is_same_v<Shape, Lines>) return shape.points.size() / 2 * sizeof(TraceCylinder);
      if constexpr (std::is_same_v<Shape, Surface>) {
        const std::size_t vertices = shape.mesh ? shape.mesh->positions.size() : shape.buffers->vertex_count();
        const std::size_t triangles = shape.mesh ? shape.mesh->triangles.size() : shape.buffers->triangle_count();
        // Of a surface that is read from the device a second time for a while.
        return (shape.mesh ? 1u : 2u) * (28 * vertices + 16 * triangles);
      }
      return 0;
    };
    // Vectors grow by doubling.
    bytes += 2 * copies * std::visit(of, item->shape);
  }
  return bytes;
}

std::vector<std::string> left_out_of_path(const SceneView& view) {
  std::vector<std::string> notes;
  bool outlines = view.look.outlines, glass = false, toon = false, open_cuts = false;
  for (const ItemTraits& traits : view.traits) outlines |= traits.outline.mode == Outline::Mode::on;
  for (const auto& item : view.items) {
    if (!item) continue;
    glass |= item->material == Material::glass;
    toon |= item->material == Material::toon;
    const auto* surface = std::get_if<Surface>(&item->shape);
    open_cuts |= surface && surface->closed && view.look.caps && !cutting_planes(view).empty();
  }
  if (outlines) notes.emplace_back("outlines are not drawn by path tracing");
  if (glass) notes.emplace_back("glass does not refract: rays go straight through it");
  if (toon) notes.emplace_back("toon material is drawn as matt");
  if (open_cuts) notes.emplace_back("surfaces that clipping planes cut are left open");
  if (!view.highlights.empty()) notes.emplace_back("halos of selected atoms are not drawn by path tracing");
  if (view.look.axes) notes.emplace_back("the axes in the corner are not drawn by path tracing");
  return notes;
}

}  // namespace isolume
