// A structure without what is to be found: hydrogens and charges.
#pragma once

#include <string>

#include "formats/read.h"

namespace isolume::test {

/// A structure as a PDB file has it: no hydrogens, no charges, plain names.
inline Molecule bare(const std::string& path) {
  const Molecule molecule = read_file(path);
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(0);
  TopologyBuilder builder;
  Frame one;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    Atom atom = topology.atoms[i];
    if (atom.element == 1) continue;
    atom.charge = 0;
    const Residue& residue = topology.residue_of(i);
    std::string name = residue.name == "CYX" ? "CYS" : residue.name.text();
    if (name.size() == 3 && name[0] == 'D') name.pop_back();
    builder.add(atom, name, residue.number, residue.insertion, topology.chain_of(i).id);
    one.positions.push_back(frame.positions[i]);
  }
  Molecule result;
  result.topology = std::make_shared<const Topology>(builder.finish());
  result.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{one});
  return result;
}

}  // namespace isolume::test
