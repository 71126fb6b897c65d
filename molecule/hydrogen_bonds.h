// Hydrogen bonds by geometry.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// When two atoms are called hydrogen-bonded.
struct HydrogenBondRule {
  float distance = 3.5f;  ///< angstrom, donor to acceptor, at most
  float angle = 120.0f;   ///< degrees at the hydrogen, at least (where the file has hydrogens)
  bool operator==(const HydrogenBondRule&) const = default;
};

struct HydrogenBond {
  std::uint32_t donor = 0;
  std::uint32_t hydrogen =
      0;  ///< the donor's that points at the acceptor; the donor itself where it has none in the file
  std::uint32_t acceptor = 0;
  float distance = 0;  ///< angstrom, donor to acceptor
  bool operator==(const HydrogenBond&) const = default;
};

/// Hydrogen bonds between atoms of `mask` (one byte per atom): donor and acceptor are nitrogen, oxygen or fluorine, at
/// most `rule.distance` apart and more than three bonds from each other.
///
/// A donor that has hydrogens in the file needs one whose angle donor-hydrogen-acceptor is at least `rule.angle` (Baker
/// and Hubbard 1984, doi:10.1016/0079-6107(84)90007-5); its acceptor is oxygen, fluorine, or nitrogen with at most two
/// neighbours and no hydrogen.
///
/// In files without hydrogens a donor is nitrogen with at most two heavy neighbours, water, and oxygen on carbon by a
/// single bond (longer than 1.32 angstrom); an acceptor is oxygen, fluorine, or nitrogen of a ring with two neighbours.
/// All angles neighbour-donor-acceptor and neighbour-acceptor-donor are then at least 90 degrees, and a pair is given
/// once.
///
/// Ascending by donor, then acceptor; without periodic images. The topology's bonds must be complete.
std::vector<HydrogenBond> hydrogen_bonds(const Topology& topology, const Frame& frame,
                                         std::span<const std::uint8_t> mask, const HydrogenBondRule& rule);

/// What of hydrogen_bonds() follows from the topology and the selections alone: the same for all frames.
class HydrogenBondSites {
 public:
  /// Between atoms of `first` (one byte per atom) or, where `second` is not empty, with one partner in each.
  HydrogenBondSites(const Topology& topology, std::span<const std::uint8_t> first,
                    std::span<const std::uint8_t> second = {});

  /// A donor or an acceptor.
  struct Site {
    std::uint32_t atom = 0;
    std::uint32_t point = 0;                         ///< its place in the positions
    std::uint32_t around_begin = 0, around_end = 0;  ///< in around()
    std::uint32_t barred_begin = 0, barred_end = 0;  ///< of a donor, in barred()
    std::uint32_t carbon = 0;  ///< point of the carbon that must be a single bond away for it to donate; else its own
    std::uint8_t element = 0;
    std::uint8_t sets = 0;  ///< 1: in `first`, 2: in `second`
    char altloc = ' ';
    bool both = false;  ///< a donor and an acceptor
  };
  std::span<const Site> donors() const { return donors_; }        ///< ascending
  std::span<const Site> acceptors() const { return acceptors_; }  ///< ascending
  /// Points: of a donor in a file with hydrogens these, in files without them all bonded atoms of a site.
  std::span<const std::uint32_t> around() const { return around_; }
  std::span<const std::uint32_t> around_atoms() const { return around_atoms_; }  ///< the same as atoms
  /// Atoms that are at most three bonds from a donor, itself among them.
  std::span<const std::uint32_t> barred() const { return barred_; }
  bool hydrogens() const { return hydrogens_; }
  bool between() const { return between_; }  ///< two selections

  /// From now on the positions are those of the returned atoms alone, in this order: donors, acceptors, then the others
  /// that are looked at. (An atom may be there more than once.)
  std::vector<std::uint32_t> gather();

  /// The bonds of one frame, as hydrogen_bonds().
  std::vector<HydrogenBond> find(std::span<const glm::vec3> positions, const HydrogenBondRule& rule) const;
  /// More bonds than that are an error (usage), which this throws.
  std::size_t most() const { return 500'000 + 8 * donors_.size(); }
  [[noreturn]] void throw_too_many(const HydrogenBondRule& rule) const;

 private:
  std::vector<Site> donors_, acceptors_;
  std::vector<std::uint32_t> around_, around_atoms_, barred_;
  bool hydrogens_ = false, between_ = false;
};

/// Longer than this an oxygen's bond to carbon is a single one, angstrom: C=O 1.20 to 1.26, C-O 1.34 to 1.43 (Engh and
/// Huber 1991).
inline constexpr float carbon_oxygen_single = 1.32f;

}  // namespace isolume
