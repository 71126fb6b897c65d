// The parameters of GB-neck2 for the atoms of a molecule: radii (mbondi3), scales, and how integrals become radii.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/electrostatics/generalised_born/neck.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Of an element in a nucleic acid or elsewhere, with the radius of mbondi2 (hydrogen: that of one not on nitrogen).
/// H, C, N, O, S, and P in nucleic acids, have parameters: elsewhere those of Nguyen, Roe, Simmerling (J. Chem. Theory
/// Comput. 9, 2020 (2013)), in nucleic acids those of Nguyen, Perez, Bermeo, Simmerling (J. Chem. Theory Comput. 11,
/// 3714 (2015)). False where there are none.
bool find_neck_parameters(int element, bool nucleic, NeckParameters& found);

/// Of all atoms of the topology where `wanted` is not 0 (empty: of all), with radii mbondi3: hydrogens by what they are
/// bonded to (the file's bonds, else those by distance in `frame`), HE and HH of ARG 1.17, oxygens of carboxylates 1.4
/// angstrom. Nucleic acids are known by their residues. Throws Error (usage) naming the first wanted atom whose element
/// has no parameters.
std::vector<NeckParameters> neck_parameters(const Topology& topology, const Frame& frame,
                                            std::span<const std::uint8_t> wanted = {});

}  // namespace isolume
