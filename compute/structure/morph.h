// Morphing: the way from one conformation of a molecule to another, as positions in between.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/rigid_motion.h"
#include "molecule/topology.h"

namespace isolume {

enum class MorphMethod : std::uint8_t {
  linear,  ///< straight lines between the ends, after superposition
  rigid    ///< screw motions of rigid domains, bonds and angles kept
};

struct MorphOptions {
  MorphMethod method = MorphMethod::rigid;
  double core = 1.5;         ///< angstrom: trace atoms of a domain are at most so far apart after superposition
  std::size_t smallest = 8;  ///< trace atoms of a domain
};

/// What one position in between came out as.
struct MorphFrame {
  std::vector<glm::dvec3> places;  ///< one per atom, angstrom
  double bond_error = 0;           ///< angstrom, largest deviation of a bond's length from that between the ends
};

/// The way between two conformations of the same atoms. The end is first superposed on the start by the largest rigid
/// domain, which then stays where it is.
///
/// Domains: the trace atoms (CA, P; else all atoms) that superpose_pruned() keeps within `core`, again among those that
/// are left, until fewer than `smallest` are found; all others go with the domain of the nearest trace atom of the
/// start. Every domain moves along the screw that takes it from start to end, at an even rate; what changes within it
/// goes in straight lines in the domain's own frame. Distances of bonded atoms and of atoms bonded to a common one are
/// then brought to those in between of the ends, by at most 200 rounds of moving pairs (as SHAKE does; J. P. Ryckaert
/// et al., J. Comput. Phys. 23 (1977) 327), to 0.005 angstrom. At both ends places are exactly those given.
class Morph {
 public:
  /// `trace` are places in `start`; `bonds` pairs of them; `residues` (one per atom, or empty) are kept whole in a
  /// domain. Throws Error (usage) for ends of different sizes, fewer than three atoms, and numbers beyond them.
  Morph(std::vector<glm::dvec3> start, std::vector<glm::dvec3> end, std::vector<std::uint32_t> trace,
        std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds, std::span<const std::uint32_t> residues,
        const MorphOptions& options, Job& job);

  /// At `t` from 0 (start) to 1 (end, superposed).
  MorphFrame at(double t, Job& job) const;

  const RigidMotion& superposed() const { return superposed_; }  ///< what was done to the end
  std::size_t domains() const { return screws_.size(); }
  /// Trace atoms that a domain was found by, and its turn in degrees.
  std::size_t core_size(std::size_t domain) const { return screws_[domain].core; }
  double turn(std::size_t domain) const;

 private:
  /// A turn by `angle` about an axis through `centre`, and a shift along it.
  struct Screw {
    RigidMotion motion;
    glm::dvec3 axis{0, 0, 1}, centre{0}, shift{0};
    double angle = 0;
    std::size_t core = 0;
    glm::dvec3 operator()(glm::dvec3 place, double t) const;
  };
  struct Pair {
    std::uint32_t a, b;
    double start, end;
    bool bond;
  };
  void find_domains(const std::vector<std::uint32_t>& trace, std::span<const std::uint32_t> residues,
                    const MorphOptions& options, Job& job);
  void add_screw(const std::vector<std::uint32_t>& atoms);
  void keep_distances(std::vector<glm::dvec3>& places, double t, Job& job) const;

  std::vector<glm::dvec3> start_, end_;
  MorphMethod method_;
  RigidMotion superposed_;
  std::vector<Screw> screws_;
  std::vector<std::uint32_t> domain_;  ///< of each atom
  std::vector<Pair> pairs_;
};

}  // namespace isolume
