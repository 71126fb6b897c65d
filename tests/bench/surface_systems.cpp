// Atoms for the surface benchmarks: boxes, slabs and shells filled at random.
#include "tests/bench/surface_systems.h"

#include <fmt/core.h>

#include <cmath>
#include <random>

namespace isolume {

namespace {

constexpr double density = 0.1;  // atoms per cubic angstrom, as in water and protein
constexpr double pi = 3.14159265358979323846;

struct Shape {
  const char* name;
  std::size_t atoms;
  double spacing;
  float radius_scale;
  enum { box, slab, shell } kind;
  double size;  ///< slab: thickness; shell: outer radius (angstrom)
};

constexpr Shape shapes[] = {
    {"mscl", 111016, 1, 1, Shape::box, 0},
    {"capsid", 147976, 1, 1, Shape::shell, 86},
    {"polio", 754200, 1, 1, Shape::shell, 155},
    {"stmv", 955225, 1, 1, Shape::box, 0},
    {"membrane", 2370000, 2, 1.5f, Shape::slab, 50},
    {"chromatophore", 9620000, 2, 1.5f, Shape::shell, 350},
    {"membrane-water", 22770000, 4, 2.5f, Shape::slab, 120},
    {"hundred-million", 100000000, 8, 4, Shape::box, 0},
};

class Uniform {
 public:
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

 private:
  std::mt19937_64 engine_{1};
};

}  // namespace

SurfaceSystem surface_system(const std::string& name) {
  for (const Shape& shape : shapes) {
    if (name != shape.name) continue;
    SurfaceSystem system{name, "", shape.spacing, shape.radius_scale, {}};
    const double volume = static_cast<double>(shape.atoms) / density;
    Uniform random;
    glm::dvec3 edges(std::cbrt(volume));
    double inner3 = 0;
    if (shape.kind == Shape::box) {
      system.shape = fmt::format("box of {:.0f} A", edges.x);
    } else if (shape.kind == Shape::slab) {
      edges = {std::sqrt(volume / shape.size), std::sqrt(volume / shape.size), shape.size};
      system.shape = fmt::format("slab of {:.0f} x {:.0f} x {:.0f} A", edges.x, edges.y, edges.z);
    } else {
      inner3 = std::pow(shape.size, 3) - volume / (4.0 / 3 * pi);
      system.shape = fmt::format("shell between radii of {:.0f} and {:.0f} A", std::cbrt(inner3), shape.size);
    }
    system.atoms.reserve(shape.atoms);
    for (std::size_t i = 0; i < shape.atoms; ++i) {
      glm::dvec3 at(0);
      if (shape.kind == Shape::shell) {
        const double r = std::cbrt(inner3 + random() * (std::pow(shape.size, 3) - inner3));
        const double z = 2 * random() - 1;
        const double turn = 2 * pi * random();
        at = r * glm::dvec3(std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z);
      } else {
        const double x = random();
        const double y = random();
        at = edges * glm::dvec3(x, y, random());
      }
      const bool heavy = i % 2 == 0;
      system.atoms.push_back({glm::vec3(at), heavy ? 1.7f : 1.1f, {heavy ? 0.9f : 0.2f, 0.5f, heavy ? 0.1f : 0.8f}});
    }
    return system;
  }
  return {};
}

std::vector<std::string> surface_system_names() {
  std::vector<std::string> names;
  for (const Shape& shape : shapes) names.emplace_back(shape.name);
  return names;
}

}  // namespace isolume
