// Backbone dihedrals of proteins, and where contacts between atoms allow them.
#pragma once

#include <cstdint>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Residues whose allowed dihedrals differ: glycine, proline, those before a proline, and all others.
enum class RamachandranClass : std::uint8_t { general, glycine, proline, pre_proline };
const char* name(RamachandranClass c);  ///< "general", "glycine", "proline", "pre-proline"

struct RamachandranPoint {
  std::uint32_t residue = 0;  ///< index into Topology::residues
  RamachandranClass kind{};
  float phi = 0, psi = 0;  ///< degrees, -180 to 180; IUPAC's signs
};

/// phi (C-N-CA-C) and psi (N-CA-C-N) of every residue of protein that has both: N, CA and C, the residue before it in
/// the chain with C, the one behind it with N, each joined by a bond of at most 2 angstrom. Of alternate locations the
/// first. In the order of the residues.
std::vector<RamachandranPoint> ramachandran(const Topology& topology, const Frame& frame);

/// `normal`: no two atoms are nearer than the normal limits of contact; `outer`: than the outer limits, which occur in
/// few crystals of small molecules; `outside`: some are.
enum class RamachandranRegion : std::uint8_t { outside, outer, normal };
const char* name(RamachandranRegion region);  ///< "outside", "outer", "normal"

/// By the contacts of hard spheres between two peptide units (Ramachandran, Ramakrishnan and Sasisekharan 1963,
/// doi:10.1016/S0022-2836(63)80023-6; limits as in Ramachandran and Sasisekharan 1968,
/// doi:10.1016/S0065-3233(08)60402-7): normal and outer limits, angstrom, H-H 2.0/1.9, H-O, H-N and H-C 2.4/2.2, O-O,
/// O-N and N-N 2.7/2.6, O-C 2.8/2.7, N-C 2.9/2.8, C-C 3.0/2.9, 3.2/3.0 where one is saturated. Bond lengths and angles
/// of Engh and Huber 1991, planar trans peptides, angle N-CA-C 111 degrees; up to the C-beta. Of proline the ring must
/// close: C-beta and C-delta 2.39 angstrom apart within 0.1 (normal) or 0.2 (outer).
///
/// This is what rigid geometry allows, not a statistic of known structures: real residues bend their angles, and those
/// near phi -90, psi 0 are common though outside. A residue outside is no error by itself.
RamachandranRegion ramachandran_region(RamachandranClass kind, double phi, double psi);

/// The regions at the middles of squares of `step` degrees from -180, which divides 360: phi fastest, psi upwards.
std::vector<RamachandranRegion> ramachandran_map(RamachandranClass kind, int step);

}  // namespace isolume
