// Which backbone dihedrals the contacts of hard spheres allow.
#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

#include "compute/structure/ramachandran.h"

namespace isolume {
namespace {

constexpr double radians = 0.017453292519943295;

/// `m`: saturated carbon.
enum class Type : std::uint8_t { h, n, o, c, m };
struct Limits {
  double normal, outer;
};

Limits limits(Type a, Type b) {
  constexpr Limits table[5][5] = {
      //       H           N           O           C           M
      {{2.0, 1.9}, {2.4, 2.2}, {2.4, 2.2}, {2.4, 2.2}, {2.4, 2.2}},  // H
      {{2.4, 2.2}, {2.7, 2.6}, {2.7, 2.6}, {2.9, 2.8}, {2.9, 2.8}},  // N
      {{2.4, 2.2}, {2.7, 2.6}, {2.7, 2.6}, {2.8, 2.7}, {2.8, 2.7}},  // O
      {{2.4, 2.2}, {2.9, 2.8}, {2.8, 2.7}, {3.0, 2.9}, {3.2, 3.0}},  // C
      {{2.4, 2.2}, {2.9, 2.8}, {2.8, 2.7}, {3.2, 3.0}, {3.2, 3.0}},  // M
  };
  return table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

/// The place at `length` from c, with the angle b-c-d and the dihedral a-b-c-d in degrees.
glm::dvec3 place(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, double length, double angle, double dihedral) {
  const glm::dvec3 along = glm::normalize(c - b);
  const glm::dvec3 normal = glm::normalize(glm::cross(b - a, along));
  const glm::dvec3 side = glm::cross(normal, along);
  const double t = angle * radians, d = dihedral * radians;
  return c + length * (-std::cos(t) * along + std::sin(t) * (std::cos(d) * side + std::sin(d) * normal));
}

struct Sphere {
  Type type;
  glm::dvec3 at;
  int bonds;  ///< to the C-alpha
};

RamachandranRegion region_of(double distance, Limits limit) {
  return distance < limit.outer    ? RamachandranRegion::outside
         : distance < limit.normal ? RamachandranRegion::outer
                                   : RamachandranRegion::normal;
}

}  // namespace

RamachandranRegion ramachandran_region(RamachandranClass kind, double phi, double psi) {
  // Lengths and angles of Engh and Huber 1991.
  const glm::dvec3 c0(0), n(1.329, 0, 0);
  const glm::dvec3 ca = n + 1.458 * glm::dvec3(-std::cos(121.7 * radians), std::sin(121.7 * radians), 0);
  const glm::dvec3 c = place(c0, n, ca, 1.525, 111, phi);
  const glm::dvec3 n2 = place(n, ca, c, 1.329, 116.2, psi);
  const glm::dvec3 ca0 = place(ca, n, c0, 1.525, 116.2, 180);
  const bool glycine = kind == RamachandranClass::glycine, proline = kind == RamachandranClass::proline;
  const glm::dvec3 beta = glycine   ? place(c0, n, ca, 1.0, 109.5, phi - 120)
                          : proline ? place(c0, n, ca, 1.53, 103, phi - 120)
                                    : place(c0, n, ca, 1.53, 110.4, phi - 122.6);
  const glm::dvec3 delta = place(ca0, c0, n, 1.473, 125, 0);
  // The peptide before the C-alpha, the one behind it, and what is on it: atoms of one group do not move apart.
  std::vector<Sphere> left{{Type::m, ca0, 3}, {Type::c, c0, 2}, {Type::o, place(ca, n, c0, 1.231, 123, 0), 3}};
  if (!proline) left.push_back({Type::h, place(ca0, c0, n, 1.0, 119.2, 0), 2});
  left.push_back({Type::n, n, 1});
  std::vector<Sphere> right{{Type::c, c, 1},
                            {Type::o, place(n, ca, c, 1.231, 120.8, psi + 180), 2},
                            {Type::n, n2, 2},
                            {Type::m, place(ca, c, n2, 1.458, 121.7, 180), 3}};
  right.push_back(kind == RamachandranClass::pre_proline ? Sphere{Type::m, place(ca, c, n2, 1.473, 125, 0), 3}
                                                         : Sphere{Type::h, place(ca, c, n2, 1.0, 119.2, 0), 3});
  const std::vector<Sphere> on{{glycine ? Type::h : Type::m, beta, 1},
                               {Type::h, place(c0, n, ca, 1.0, 109, phi + 119), 1}};
  RamachandranRegion region = RamachandranRegion::normal;
  const auto meet = [&](const std::vector<Sphere>& a, const std::vector<Sphere>& b) {
    for (const Sphere& p : a)
      for (const Sphere& q : b)
        if (p.bonds + q.bonds >= 3)
          region = std::min(region, region_of(glm::distance(p.at, q.at), limits(p.type, q.type)));
  };
  meet(left, right);
  meet(right, on);
  if (proline) {
    const double strain = std::abs(glm::distance(beta, delta) - 2.39);
    region = std::min(region, strain > 0.2   ? RamachandranRegion::outside
                              : strain > 0.1 ? RamachandranRegion::outer
                                             : RamachandranRegion::normal);
  } else {
    meet(left, on);
  }
  return region;
}

std::vector<RamachandranRegion> ramachandran_map(RamachandranClass kind, int step) {
  std::vector<RamachandranRegion> result;
  const int count = 360 / step;
  result.reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(count));
  for (int y = 0; y < count; ++y)
    for (int x = 0; x < count; ++x)
      result.push_back(ramachandran_region(kind, -180 + (x + 0.5) * step, -180 + (y + 0.5) * step));
  return result;
}

}  // namespace isolume
