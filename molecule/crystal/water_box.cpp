// A box of water made by rule.
#include "molecule/crystal/water_box.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double density = 0.1023;  // atoms per cubic angstrom
constexpr double contact = 2.2;     // angstrom, between oxygens
constexpr double move = 1.4;        // angstrom, largest along each axis
constexpr int sweeps = 12;
constexpr double bond = 0.9572;  // angstrom
constexpr double angle = 104.52 * units::pi / 180;

// The distributions of the standard library differ from one implementation to the next; the engine does not.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// A rotation drawn evenly (Shoemake 1992, Graphics Gems III, p. 124).
glm::dmat3 random_turn(std::mt19937_64& random) {
  const double u = uniform(random);
  const double a = 2 * units::pi * uniform(random);
  const double b = 2 * units::pi * uniform(random);
  const double x = std::sqrt(1 - u) * std::sin(a);
  const double y = std::sqrt(1 - u) * std::cos(a);
  const double z = std::sqrt(u) * std::sin(b);
  const double w = std::sqrt(u) * std::cos(b);
  return glm::dmat3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z),
                    1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 2 * (x * z + w * y), 2 * (y * z - w * x),
                    1 - 2 * (x * x + y * y));
}

/// Moves hard spheres in a periodic cube at random, `sweeps` times, wherever they do not meet another.
void melt(std::vector<glm::dvec3>& spheres, double side, std::mt19937_64& random) {
  // Boxes wider than the contact distance, with room for all that fit into one.
  const int n = static_cast<int>(side / 2.4);
  if (n < 3) return;  // a sphere would meet its own images
  constexpr std::size_t room = 15;
  struct Box {
    std::uint32_t count = 0;
    std::uint32_t items[room];
  };
  const auto size = static_cast<std::size_t>(n);
  std::vector<Box> boxes(size * size * size);
  const double per_box = n / side;
  const auto box_of = [&](const glm::dvec3& r) {
    std::size_t index = 0;
    for (int axis = 2; axis >= 0; --axis) {
      index = index * size + static_cast<std::size_t>(std::clamp(static_cast<int>(r[axis] * per_box), 0, n - 1));
    }
    return index;
  };
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    Box& box = boxes[box_of(spheres[i])];
    box.items[box.count++] = static_cast<std::uint32_t>(i);
  }
  const auto meets = [&](const glm::dvec3& r, std::size_t self) {
    int at[3];
    for (int axis = 0; axis < 3; ++axis) at[axis] = std::clamp(static_cast<int>(r[axis] * per_box), 0, n - 1);
    const auto wrap = [n](int i) { return static_cast<std::size_t>(i < 0 ? i + n : i >= n ? i - n : i); };
    for (int z = -1; z <= 1; ++z) {
      for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
          const Box& box = boxes[(wrap(at[2] + z) * size + wrap(at[1] + y)) * size + wrap(at[0] + x)];
          for (std::uint32_t k = 0; k < box.count; ++k) {
            if (box.items[k] == self) continue;
            glm::dvec3 d = spheres[box.items[k]] - r;
            for (int axis = 0; axis < 3; ++axis) {
              if (d[axis] > 0.5 * side) d[axis] -= side;
              if (d[axis] < -0.5 * side) d[axis] += side;
            }
            if (d.x * d.x + d.y * d.y + d.z * d.z < contact * contact) return true;
          }
        }
      }
    }
    return false;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if ((i & 4095) == 0) check_stop();
      glm::dvec3 r = spheres[i];
      for (int axis = 0; axis < 3; ++axis) {
        r[axis] += move * (2 * uniform(random) - 1);
        if (r[axis] < 0) r[axis] += side;
        if (r[axis] >= side) r[axis] -= side;
      }
      if (meets(r, i)) continue;
      const std::size_t from = box_of(spheres[i]);
      const std::size_t to = box_of(r);
      if (from != to) {
        Box& old = boxes[from];
        Box& next = boxes[to];
        if (next.count == room) continue;
        for (std::uint32_t k = 0; k < old.count; ++k) {
          if (old.items[k] != i) continue;
          old.items[k] = old.items[--old.count];
          break;
        }
        next.items[next.count++] = static_cast<std::uint32_t>(i);
      }
      spheres[i] = r;
    }
  }
}

}  // namespace

Molecule make_water_box(double side, std::uint32_t seed) {
  if (!(side >= 4 && side <= 2000)) {
    throw Error("a water box of " + std::to_string(side) + " angstrom: expected 4 to 2000", Error::Kind::usage);
  }
  // The lattice with the fewest sites that holds all molecules; the sites left over are spread evenly among the rest.
  const auto molecules = static_cast<std::size_t>(std::llround(density / 3 * side * side * side));
  auto per_side = static_cast<std::size_t>(std::cbrt(static_cast<double>(molecules)));
  while (per_side * per_side * per_side < molecules) ++per_side;
  const std::size_t sites = per_side * per_side * per_side;
  const double spacing = side / static_cast<double>(per_side);

  const glm::dvec3 hydrogens[2] = {
      {bond * std::sin(angle / 2), 0, bond * std::cos(angle / 2)},
      {-bond * std::sin(angle / 2), 0, bond * std::cos(angle / 2)},
  };
  std::mt19937_64 random(seed);
  std::vector<glm::dvec3> oxygens;
  oxygens.reserve(molecules);
  for (std::size_t site = 0; site < sites; ++site) {
    if ((site + 1) * molecules / sites == site * molecules / sites) continue;
    const glm::dvec3 at(static_cast<double>(site % per_side), static_cast<double>(site / per_side % per_side),
                        static_cast<double>(site / per_side / per_side));
    oxygens.push_back((at + 0.5) * spacing);
  }
  melt(oxygens, side, random);
  Frame frame;
  frame.positions.reserve(3 * molecules);
  for (const glm::dvec3& oxygen : oxygens) {
    const glm::dmat3 turn = random_turn(random);
    frame.positions.emplace_back(oxygen);
    for (const glm::dvec3& hydrogen : hydrogens) frame.positions.emplace_back(oxygen + turn * hydrogen);
  }
  frame.cell = Cell::from_lengths_angles(glm::dvec3(side), glm::dvec3(90));

  TopologyBuilder builder;
  for (std::size_t i = 0; i < molecules; ++i) {
    for (int n = 0; n < 3; ++n) {
      Atom atom;
      atom.name = n == 0 ? "OH2" : n == 1 ? "H1" : "H2";
      atom.type = n == 0 ? "OT" : "HT";
      atom.serial = static_cast<std::int32_t>(3 * i) + n + 1;
      atom.charge = n == 0 ? -0.834f : 0.417f;
      atom.element = n == 0 ? 8 : 1;
      atom.hetero = true;
      builder.add(atom, "TIP3", static_cast<std::int32_t>(i) + 1, ' ', "W", "WAT");
    }
    const auto first = static_cast<std::uint32_t>(3 * i);
    builder.topology().bonds.push_back({first, first + 1, 1});
    builder.topology().bonds.push_back({first, first + 2, 1});
  }
  builder.topology().has_charges = true;
  builder.topology().has_bonds = true;
  Molecule molecule;
  molecule.title = "water box of " + std::to_string(molecules) + " molecules";
  molecule.format = "made";
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  return molecule;
}

}  // namespace isolume
