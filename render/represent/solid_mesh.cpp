// Representations as triangles, for files.
#include "render/represent/solid_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "render/represent/unit_sphere.h"

namespace isolume {
namespace {

using Items = std::span<const std::shared_ptr<const DrawItem>>;

constexpr glm::u8vec4 grey{200, 200, 200, 255};

unsigned sides_of(int cuts) {
  return 4u << cuts;
}

template <class T>
T at(const std::vector<T>& values, std::size_t i, const T& otherwise) {
  return i < values.size() ? values[i] : otherwise;
}

std::size_t copies_of(const DrawItem& item) {
  return std::max<std::size_t>(item.copies.size(), 1);
}

/// Round things of an item, once for each copy.
std::size_t round_things(const DrawItem& item) {
  if (const auto* spheres = std::get_if<Spheres>(&item.shape)) return spheres->spheres.size() * copies_of(item);
  if (const auto* cylinders = std::get_if<Cylinders>(&item.shape)) return cylinders->cylinders.size() * copies_of(item);
  return 0;
}

bool is_solid(const Surface& surface) {
  return surface.mesh && surface.style == Surface::Style::solid;
}

/// Rings from one end of a cylinder to the other: the angle of a hemisphere, or 0 for those of the mantle.
unsigned rings_of_end(bool round, unsigned sides) {
  return round ? sides / 4 : 1;
}

class Facets {
 public:
  Facets(Mesh& mesh, int cuts, const std::function<void(double)>& progress, std::size_t all)
      : mesh_(mesh), sphere_(cuts), sides_(sides_of(cuts)), progress_(progress), all_(std::max<std::size_t>(all, 1)) {}

  void add(const DrawItem& item) {
    const float opacity = std::clamp(item.opacity, 0.0f, 1.0f);
    alpha_ = [opacity](glm::u8vec4 colour) {
      colour.a = static_cast<std::uint8_t>(std::lround(static_cast<float>(colour.a) * opacity));
      return colour;
    };
    const std::vector<glm::vec3> once{glm::vec3(0)};
    for (const glm::vec3& shift : item.copies.empty() ? once : item.copies) {
      shift_ = shift;
      std::visit([this](const auto& shape) { add_shape(shape); }, item.shape);
    }
  }

 private:
  void step() {
    if ((done_++ & 1023) != 0) return;
    check_stop();
    if (progress_) progress_(static_cast<double>(done_) / static_cast<double>(all_));
  }
  unsigned vertex(glm::vec3 position, glm::vec3 normal, glm::u8vec4 colour) {
    mesh_.positions.push_back(position + shift_);
    mesh_.normals.push_back(normal);
    mesh_.colours.push_back(alpha_(colour));
    return static_cast<unsigned>(mesh_.positions.size() - 1);
  }

  void add_shape(const Spheres& shape) {
    for (std::size_t i = 0; i < shape.spheres.size(); ++i) {
      step();
      const auto first = static_cast<unsigned>(mesh_.positions.size());
      const glm::vec4 ball = shape.spheres[i];
      const glm::u8vec4 colour = at(shape.colours, i, grey);
      for (const glm::vec3& point : sphere_.points) vertex(glm::vec3(ball) + ball.w * point, point, colour);
      for (const glm::uvec3& triangle : sphere_.triangles) mesh_.triangles.push_back(triangle + first);
    }
  }

  void add_shape(const Cylinders& shape) {
    for (std::size_t i = 0; i < shape.cylinders.size(); ++i) {
      step();
      const auto& c = shape.cylinders[i];
      const glm::vec3 whole = c.b - c.a;
      if (!(glm::length(whole) > 1e-6f)) continue;
      axis_ = glm::normalize(whole);
      side_ = glm::normalize(glm::cross(axis_, std::abs(axis_.z) < 0.7f ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0)));
      other_ = glm::cross(axis_, side_);
      const glm::u8vec4 first = at(shape.colours_a, i, grey), second = at(shape.colours_b, i, first);
      const glm::vec3 middle = 0.5f * (c.a + c.b);
      add_half(middle, c.a, c.radius, first, shape.round_ends, false);
      add_half(middle, c.b, c.radius, second, shape.round_ends, true);
    }
  }

  glm::vec3 out(unsigned k) const {
    const float angle = 6.28318531f * static_cast<float>(k) / static_cast<float>(sides_);
    return std::cos(angle) * side_ + std::sin(angle) * other_;
  }
  /// A ring of vertices about the axis; its first one.
  unsigned ring(glm::vec3 centre, float radius, float along, glm::vec3 tilt, glm::u8vec4 colour) {
    const auto first = static_cast<unsigned>(mesh_.positions.size());
    for (unsigned k = 0; k < sides_; ++k)
      vertex(centre + radius * out(k), glm::normalize(along * out(k) + tilt), colour);
    return first;
  }
  /// Triangles between two rings, where `b` is towards the end of the axis (`forward`) or its beginning.
  void join(unsigned a, unsigned b, bool forward) {
    for (unsigned k = 0; k < sides_; ++k) {
      const unsigned next = (k + 1) % sides_;
      triangle(a + k, a + next, b + k, forward);
      triangle(a + next, b + next, b + k, forward);
    }
  }
  void fan(unsigned rim, unsigned tip, bool forward) {
    for (unsigned k = 0; k < sides_; ++k) triangle(rim + k, rim + (k + 1) % sides_, tip, forward);
  }
  void triangle(unsigned a, unsigned b, unsigned c, bool forward) {
    mesh_.triangles.push_back(forward ? glm::uvec3(a, b, c) : glm::uvec3(a, c, b));
  }
  /// From the middle of a cylinder to one of its ends, with that end.
  void add_half(glm::vec3 middle, glm::vec3 end, float radius, glm::u8vec4 colour, bool round, bool forward) {
    const glm::vec3 ahead = forward ? axis_ : -axis_;
    const unsigned inner = ring(middle, radius, 1, glm::vec3(0), colour);
    unsigned last = ring(end, radius, 1, glm::vec3(0), colour);
    join(inner, last, forward);
    const unsigned rings = rings_of_end(round, sides_);
    if (!round) {
      const unsigned rim = ring(end, radius, 0, ahead, colour);
      fan(rim, vertex(end, ahead, colour), forward);
      return;
    }
    for (unsigned r = 1; r < rings; ++r) {
      const float angle = 1.57079633f * static_cast<float>(r) / static_cast<float>(rings);
      const float c = std::cos(angle), s = std::sin(angle);
      const unsigned next = ring(end + radius * s * ahead, radius * c, c, s * ahead, colour);
      join(last, next, forward);
      last = next;
    }
    fan(last, vertex(end + radius * ahead, ahead, colour), forward);
  }

  void add_shape(const Surface& shape) {
    if (!is_solid(shape)) return;
    const Mesh& from = *shape.mesh;
    const auto first = static_cast<unsigned>(mesh_.positions.size());
    for (std::size_t i = 0; i < from.positions.size(); ++i)
      vertex(from.positions[i], at(from.normals, i, glm::vec3(0, 0, 1)), at(from.colours, i, shape.colour));
    for (const glm::uvec3& t : from.triangles) mesh_.triangles.push_back(t + first);
    step();
  }
  void add_shape(const Lines&) {}
  void add_shape(const Cloud&) {}

  Mesh& mesh_;
  const UnitSphere sphere_;
  const unsigned sides_;
  const std::function<void(double)>& progress_;
  const std::size_t all_;
  std::size_t done_ = 0;
  std::function<glm::u8vec4(glm::u8vec4)> alpha_;
  glm::vec3 shift_{0}, axis_{0}, side_{0}, other_{0};
};

}  // namespace

bool has_solids(Style style) {
  return style != Style::lines && style != Style::points;
}

int cuts_of(Items items) {
  std::size_t count = 0;
  for (const auto& item : items)
    if (item) count += round_things(*item);
  return count > 50'000 ? 1 : count > 2'000 ? 2 : 3;
}

SolidCount count_solids(Items items, int cuts) {
  SolidCount all;
  const std::size_t sides = sides_of(cuts), ball = std::size_t{20} << (2 * cuts);
  for (const auto& item : items) {
    if (!item) continue;
    const std::size_t things = round_things(*item);
    if (std::holds_alternative<Spheres>(item->shape)) {
      all.vertices += things * (ball / 2 + 2);
      all.triangles += things * ball;
    } else if (const auto* cylinders = std::get_if<Cylinders>(&item->shape)) {
      // Of each half: the mantle's two rings, and the end's rings and tip.
      const std::size_t rings = rings_of_end(cylinders->round_ends, sides_of(cuts));
      const std::size_t more = cylinders->round_ends ? rings - 1 : rings;
      all.vertices += things * 2 * ((2 + more) * sides + 1);
      all.triangles += things * 2 * (2 * (cylinders->round_ends ? rings : 1) * sides + sides);
    } else if (const auto* surface = std::get_if<Surface>(&item->shape); surface && is_solid(*surface)) {
      all.vertices += copies_of(*item) * surface->mesh->vertex_count();
      all.triangles += copies_of(*item) * surface->mesh->triangles.size();
    }
  }
  return all;
}

Mesh solid_mesh(Items items, int cuts, const std::function<void(double)>& progress) {
  const SolidCount count = count_solids(items, cuts);
  if (count.vertices > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format("{} vertices are more than a mesh can have: export fewer atoms", count.vertices),
                Error::Kind::usage);
  Mesh mesh;
  mesh.positions.reserve(count.vertices);
  mesh.normals.reserve(count.vertices);
  mesh.colours.reserve(count.vertices);
  mesh.triangles.reserve(count.triangles);
  std::size_t things = 0;
  for (const auto& item : items)
    if (item) things += std::max(round_things(*item), copies_of(*item));
  Facets facets(mesh, cuts, progress, things);
  for (const auto& item : items)
    if (item) facets.add(*item);
  return mesh;
}

}  // namespace isolume
