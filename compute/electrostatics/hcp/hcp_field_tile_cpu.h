// The innermost loops of hierarchical charge partitioning on atoms on the CPU, in vectors over charges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/base/large_vector.h"
#include "compute/electrostatics/hcp/hcp_law_table.h"
#include "compute/electrostatics/hcp/hcp_tile_cpu.h"

namespace isolume {

/// Charges by coordinates; after the last stand hcp_charge_padding ones of 0, so that whole vectors can be read.
struct HcpChargeColumns {
  LargeVector<float> x, y, z, q;

  std::size_t size() const { return x.size(); }
  void resize(std::size_t count) { x.resize(count), y.resize(count), z.resize(count), q.resize(count); }
  void set(std::size_t i, const HcpCharge& c) { x[i] = c.x, y[i] = c.y, z[i] = c.z, q[i] = c.q; }
};
inline constexpr std::size_t hcp_charge_padding = 16;

/// What the walks of all tiles read.
struct HcpFieldSystem {
  HcpChargeColumns atoms;
  /// The atoms of each group in whole vectors, filled up by charges of 0, in place of `atoms`: those of group g are
  /// vectors first_vector[g] to first_vector[g + 1] - 1, each with 16 x, y, z and q. Every vector is then a group of
  /// its own below, with its group's centre; the first has the group's charges, the others none. Empty where groups
  /// would fill vectors badly.
  LargeVector<float> vectors;
  std::vector<std::uint32_t> first_vector;
  /// From which distance^2 to its centre on all atoms of a vector are in reach of `near`.
  LargeVector<float> clear2;
  HcpChargeColumns centres;                 ///< of groups; q is the reach
  std::array<HcpChargeColumns, 2> charges;  ///< of groups, as many as stand for one
  std::size_t charges_each = 1;
  const std::uint32_t* first_atom = nullptr;  ///< of groups
  bool sigmoidal = false;
  float decay = 0, square = 0, linear = 0, constant = 0, bulk = 1, slope = 0;  ///< as HcpDeviceLaw
  bool by_table = false;  ///< the law by polynomials: near for what is near, far for components
  HcpLawTable near, far;
  bool potential = true;  ///< wanted next to the field
};

/// Charges that stand for what is far from atoms of a tile.
struct HcpFarCharges {
  /// Charges of one mask, a whole number of vectors: they act on the atoms in it.
  struct Segment {
    std::size_t begin, end;
    std::uint32_t mask;
  };
  HcpChargeColumns charges;  ///< room for more than `size`
  std::size_t size = 0;
  std::vector<Segment> segments;
  bool in_reach = false;  ///< of HcpFieldSystem::far, all of them from all atoms

  void clear() { size = 0, segments.clear(), in_reach = false; }
  /// Makes room for `more` charges beyond `size` and a vector.
  void reserve(std::size_t more);
  /// Fills up the charges from `begin` on to whole vectors.
  void close_segment(std::size_t begin, std::uint32_t mask);
};

/// What acts on the 16 atoms of a tile.
struct HcpFieldLists {
  HcpFarCharges far;     ///< of groups
  HcpFarCharges larger;  ///< of what groups are parts of
  HcpFarCharges remote;  ///< of both, farther than remote2 = distance^2 from the tile's centre
  float remote2 = 0;
  float series[4][tile_size] = {};  ///< E, V of what is remote, at each atom
  /// Groups that are not far from all: each atom decides by itself. `masks`: for which atoms.
  std::vector<std::uint32_t> groups;
  std::size_t group_count = 0;
  std::vector<std::int32_t> masks;
  LargeVector<float> clear2;
  HcpChargeColumns centres;
  std::array<HcpChargeColumns, 2> charges;
  HcpChargeColumns own;  ///< what acts on the one that is summed, as it decided; room for more than `own_size`
  std::size_t own_size = 0;
  /// Vectors that are near to the one that is summed: all in reach of the near table, and others.
  std::vector<std::uint32_t> near, close;
  std::size_t near_size = 0, close_size = 0;
  bool everything = false;  ///< all atoms are near

  void clear();
  void reserve_groups(std::size_t more);
  /// Makes room for the atoms and the charges of all waiting groups.
  void reserve_own(const HcpFieldSystem& system);
};

/// Tests the groups [begin, end) against a tile's sphere: the charges of those that are farther than their reach and
/// the radius from the centre go to far, the others to groups with the mask.
void hcp_split_groups(const HcpFieldSystem& system, std::uint32_t begin, std::uint32_t end, const float (&centre)[3],
                      float radius, std::int32_t mask, HcpFieldLists& lists);

/// Adds what is remote to `series`; a few charges go to `larger` instead.
void hcp_add_series(const HcpFieldSystem& system, const float (&centre)[3], const HcpTile& tile, HcpFieldLists& lists);

/// Sets in_reach of the far groups of a tile whose atoms lie in a sphere.
void hcp_look_at_reach(const HcpFieldSystem& system, const float (&centre)[3], float radius, HcpFieldLists& lists);

/// Whether this processor's vectors are those of HcpLawTable.
bool hcp_has_table_lanes();

/// (E, V) of all that acts on atom i of the tile, in the units of HcpDeviceLaw.
void hcp_sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&sums)[4]);

}  // namespace isolume
