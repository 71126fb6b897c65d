// A molecule whose frames tests of analyses look at.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "molecule/molecule.h"
#include "molecule/rigid_motion.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

/// A chain of residues of five atoms that breathes, tumbles and drifts, with charges, in a cell.
inline std::shared_ptr<Molecule> breathing_chain(std::size_t residues, std::size_t frames, Cell cell,
                                                 bool precise = false) {
  TopologyBuilder builder;
  Random random(5);
  std::vector<glm::dvec3> body;
  for (std::size_t r = 0; r < residues; ++r)
    for (const char* name : {"N", "CA", "C", "O", "CB"}) {
      Atom atom;
      atom.name = name;
      atom.element = name[0] == 'N' ? 7 : name[0] == 'O' ? 8 : 6;
      atom.charge = static_cast<float>(random(-0.5, 0.5));
      builder.add(atom, "ALA", static_cast<int>(r + 1), ' ', r < residues / 2 ? "A" : "B");
      const double t = static_cast<double>(r);
      body.push_back(glm::dvec3(7 * std::cos(0.5 * t), 7 * std::sin(0.5 * t), 0.7 * t) + random.in_box(-1.5, 1.5));
    }
  builder.topology().has_charges = true;
  std::vector<Frame> list(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const RigidMotion motion{glm::normalize(glm::dquat(1, 0.02 * double(f), random(-0.3, 0.3), -0.01 * double(f))),
                             glm::dvec3(30, 20, 10) + 0.1 * double(f)};
    for (const glm::dvec3& p : body) {
      const glm::dvec3 q = motion(p * (1 + 0.03 * std::sin(double(f))) + random.in_box(-0.4, 0.4));
      list[f].positions.emplace_back(q);
      if (precise) list[f].precise_positions.push_back(q);
    }
    list[f].cell = cell;
    list[f].time = 2.0 * double(f);
    list[f].has_time = true;
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<const MemoryTrajectory>(std::move(list));
  return molecule;
}

}  // namespace isolume::test
