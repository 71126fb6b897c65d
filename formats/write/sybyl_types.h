// The types of atoms and bonds that MOL2 has.
#pragma once

#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// The SYBYL types of atoms (Tripos Mol2 File Format, 2005) and of the topology's bonds.
struct SybylTypes {
  std::vector<std::string> atoms;  ///< "C.ar", by atom
  std::vector<const char*> bonds;  ///< "1", "2", "3", "ar", "am", by bond
};

/// The file's types where they are SYBYL's. Else they follow from the element, the orders of bonds where some of the
/// residue are above one, and else the shape: the number of neighbours, the angles between them and the lengths of
/// terminal bonds in the frame. Aromatic rings are known by their bonds alone.
SybylTypes sybyl_types(const Topology& topology, const Frame& frame);

}  // namespace isolume
