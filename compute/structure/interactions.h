// Interactions between atoms by geometry: hydrogen bonds, salt bridges, stacking, cation-pi, clashes, contacts.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/frame.h"
#include "molecule/hydrogen_bonds.h"
#include "molecule/topology.h"

namespace isolume {

enum class InteractionKind : std::uint8_t {
  hydrogen_bond,
  salt_bridge,
  stacking,       ///< aromatic rings face to face
  edge_stacking,  ///< edge to face (T)
  cation_pi,
  clash,
  contact
};
inline constexpr int interaction_kinds = 7;
/// "hydrogen bond", "salt bridge", "stacking", "edge stacking", "cation-pi", "clash", "contact".
const char* name(InteractionKind kind);
/// The kind of that name, with blanks, '-' or '_'. Throws Error (usage) that lists the names.
InteractionKind interaction_from_name(const std::string& name);

/// Thresholds, angstrom and degrees.
struct InteractionRules {
  HydrogenBondRule hydrogen_bonds;
  float salt_bridge = 4.0f;      ///< N to O, at most
  float ring_distance = 5.5f;    ///< between the centres of two rings, at most
  float ring_angle = 30.0f;      ///< that the planes may differ from parallel, or from perpendicular
  float ring_offset = 2.0f;      ///< of a centre from the other ring's axis, at most
  float cation_distance = 6.0f;  ///< from the charge to the centre of the ring, at most
  float clash = 0.6f;            ///< overlap of van der Waals spheres, at least
  float contact = -0.4f;         ///< the same: spheres no more than 0.4 apart
  float allowance = 0.4f;        ///< taken from the overlap of two atoms that may be hydrogen-bonded
  bool operator==(const InteractionRules&) const = default;
};

using InteractionKinds = std::array<bool, interaction_kinds>;

struct Interaction {
  InteractionKind kind{};
  /// The atoms of both partners. Of a hydrogen bond the donor and the acceptor, of a salt bridge N and O that are
  /// nearest, of stacking the rings, of cation-pi the charged atoms and the ring.
  std::vector<std::uint32_t> first, second;
  /// Angstrom: where it is drawn, atoms (of a hydrogen bond from the hydrogen) or centres of rings.
  glm::vec3 from{0}, to{0};
  float distance = 0;  ///< angstrom, between the two; of a hydrogen bond donor to acceptor
  /// Degrees: of a hydrogen bond at the hydrogen, of rings between the planes; else, and without hydrogens, NaN.
  float angle = 0;
  float overlap = 0;  ///< angstrom, of a clash or contact
};

/// What of a topology can interact, found once for all frames.
struct InteractionSites {
  struct Group {
    std::vector<std::uint32_t> atoms;  ///< nitrogens of a positive group, oxygens of a negative one
    std::uint32_t residue = 0;
  };
  struct Ring {
    std::vector<std::uint32_t> atoms;  ///< 5 or 6, in order around the ring
    std::uint32_t residue = 0;
  };
  std::vector<Group> positive, negative;
  std::vector<Ring> rings;
  BondTable bonds;
};

/// Positive: NZ of LYS, NE, NH1 and NH2 of ARG, ND1 and NE2 of HIS that has both hydrogens or is named HIP or HSP,
/// every nitrogen with four neighbours or a positive formal charge, and guanidinium. Negative: the oxygens of
/// carboxylates, of phosphates and of sulfates and sulfonates, that is those with no other neighbour, where there are
/// two or more (three at sulfur). Rings: of five or six C, N, O or S in one residue; of PHE, TYR, TRP and HIS, and
/// others that are flat in `frame` (no atom farther than 0.12 angstrom from the plane) with bonds of 1.45 angstrom or
/// less on average. The topology's bonds must be complete.
InteractionSites interaction_sites(const Topology& topology, const Frame& frame);

/// Interactions in a frame with one partner among the atoms of `first` and the other among those of `second` (one byte
/// per atom; `second` empty: both among `first`). A group belongs to a set where one of its atoms does.
///
/// * Hydrogen bonds: hydrogen_bonds() (molecule/hydrogen_bonds.h).
/// * Salt bridges: N of a positive and O of a negative group of different residues at most 4 angstrom apart (Barlow and
///   Thornton 1983, doi:10.1016/S0022-2836(83)80079-5).
/// * Stacking: centres of rings at most 5.5 angstrom apart, planes within 30 degrees of parallel (face to face) or of
///   perpendicular (edge to face), and one centre at most 2 angstrom from the axis of the other ring. Cation-pi: charge
///   at most 6 angstrom from the centre and 2 angstrom from the axis. Both as PLIP has them (Salentin et al. 2015,
///   doi:10.1093/nar/gkv315), after McGaughey et al. 1998 and Gallivan and Dougherty 1999.
/// * Clashes: spheres of Bondi's radii that overlap by 0.6 angstrom or more. Contacts: of two residues the pair of
/// atoms
///   that overlap most, by -0.4 or more and less than a clash. 0.4 angstrom are taken off where the two may be
///   hydrogen-bonded. Atoms at most four bonds apart do not count, nor those of one residue in a contact. These are
///   the usual values of UCSF ChimeraX.
///
/// Ascending by kind, then by the first atoms. Alternate locations other than the first of each atom are left out of
/// clashes and contacts. Without periodic images. In time proportional to the number of atoms. Throws Error (usage)
/// where sizes differ, or more than 500 000 are found.
std::vector<Interaction> interactions(const Topology& topology, const InteractionSites& sites, const Frame& frame,
                                      std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                      const InteractionKinds& kinds, const InteractionRules& rules, Job& job);

/// The same but hydrogen bonds by plain loops over all pairs; for tests.
std::vector<Interaction> interactions_reference(const Topology& topology, const InteractionSites& sites,
                                                const Frame& frame, std::span<const std::uint8_t> first,
                                                std::span<const std::uint8_t> second, const InteractionKinds& kinds,
                                                const InteractionRules& rules);

/// "A/ASP 25/OD1", "A/PHE 53/ring", "A/ARG 8/NE NH1 NH2": a partner in words.
std::string partner_text(const Topology& topology, InteractionKind kind, const std::vector<std::uint32_t>& atoms);

}  // namespace isolume
