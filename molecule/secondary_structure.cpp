// Secondary structure by hydrogen bonds: Kabsch and Sander 1983, with the later preference for pi helices.
#include "molecule/secondary_structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/neighbour_grid.h"

namespace isolume {

namespace {

constexpr double coupling = 27.888;    // kcal angstrom / mol: 332 q1 q2 with q1 = 0.42 e and q2 = 0.20 e
constexpr double bond_energy = -0.5;   // kcal/mol: below it is a hydrogen bond
constexpr double strongest = -9.9;     // kcal/mol: what atoms on top of each other are given
constexpr double nearest = 0.5;        // angstrom: below it they are on top of each other
constexpr double peptide_reach = 2.5;  // angstrom from C to the next N: beyond it the chain is broken
constexpr double alpha_reach = 9.0;    // angstrom between CA: beyond it there is no hydrogen bond
constexpr std::uint32_t none = 0xffffffff;

// A residue with its whole backbone. The two best acceptors of its N-H are kept.
struct Backbone {
  std::uint32_t residue;
  glm::dvec3 n, ca, c, o, h;
  bool donor = false;
  std::uint32_t stretch = 0;  // unbroken run of peptide bonds that it belongs to
  std::array<std::uint32_t, 2> acceptor{none, none};
  std::array<double, 2> energy{0, 0};
};

std::vector<Backbone> backbones(const Topology& topology, const Frame& frame) {
  std::vector<Backbone> found;
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    std::array<std::optional<glm::dvec3>, 4> at;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const Name name = topology.atoms[i].name;
      int which = -1;
      if (name == "N") which = 0;
      if (name == "CA") which = 1;
      if (name == "C") which = 2;
      if (name == "O" || name == "OT1" || name == "O1" || name == "OC1") which = 3;
      if (which < 0 || at[static_cast<std::size_t>(which)]) continue;  // the first alternate location counts
      const glm::dvec3 position(frame.positions[i]);
      if (std::isfinite(position.x + position.y + position.z)) at[static_cast<std::size_t>(which)] = position;
    }
    if (!at[0] || !at[1] || !at[2] || !at[3]) continue;
    Backbone b{r, *at[0], *at[1], *at[2], *at[3], *at[0]};
    if (!found.empty()) {
      const Backbone& before = found.back();
      const bool joined =
          topology.residues[before.residue].chain == residue.chain && glm::distance(before.c, b.n) <= peptide_reach;
      b.stretch = before.stretch + (joined ? 0 : 1);
      const double length = glm::distance(before.c, before.o);
      if (joined && residue.name != "PRO" && length > 0) {
        b.donor = true;
        b.h = b.n + (before.c - before.o) / length;
      }
    }
    found.push_back(b);
  }
  return found;
}

// Energy of the bond from N-H of `donor` to O=C of `acceptor`, in kcal/mol to three decimals, as DSSP prints it.
double energy(const Backbone& donor, const Backbone& acceptor) {
  const double ho = glm::distance(donor.h, acceptor.o), hc = glm::distance(donor.h, acceptor.c);
  const double nc = glm::distance(donor.n, acceptor.c), no = glm::distance(donor.n, acceptor.o);
  if (ho < nearest || hc < nearest || nc < nearest || no < nearest) return strongest;
  const double value = coupling * (1 / no + 1 / hc - 1 / ho - 1 / nc);
  return std::max(strongest, std::round(value * 1000) / 1000);
}

class Assignment {
 public:
  Assignment(const Topology& topology, const Frame& frame) : chain_(backbones(topology, frame)) {
    structure_.assign(chain_.size(), SecondaryStructure::coil);
    find_bonds();
    assign_strands();
    assign_helices();
    assign_turns();
  }

  void write(std::vector<SecondaryStructure>& result) const {
    for (std::size_t i = 0; i < chain_.size(); ++i) result[chain_[i].residue] = structure_[i];
  }

 private:
  using Index = std::uint32_t;

  // A stretch of bridges between two strands: [i0, i1] and [j0, j1], with j descending where antiparallel.
  struct Ladder {
    bool parallel;
    Index i0, i1, j0, j1;
    Index length;
    bool merged = false;
  };

  void find_bonds() {
    std::vector<glm::vec3> alphas;
    for (const Backbone& b : chain_) alphas.emplace_back(b.ca);
    const NeighbourGrid grid(alphas, alpha_reach);
    // Some 150 of a protein stand in the bins around a residue; of thousands on one another nothing is a helix.
    if (grid.pairs() > 1'000'000 + 3000 * static_cast<std::uint64_t>(chain_.size())) {
      chain_.clear();
      structure_.clear();
      return;
    }
    near_.resize(chain_.size());
    for (Index i = 0; i < chain_.size(); ++i) {
      Backbone& donor = chain_[i];
      grid.visit(alphas[i], [&](Index j, double) {
        if (j > i + 2) near_[i].push_back(j);
        // The amide of i is bonded to the carbonyl of i - 1 already.
        if (!donor.donor || j == i || j + 1 == i) return false;
        const double e = energy(donor, chain_[j]);
        if (e < donor.energy[0] || (e == donor.energy[0] && j < donor.acceptor[0])) {
          donor.energy[1] = donor.energy[0];
          donor.acceptor[1] = donor.acceptor[0];
          donor.energy[0] = e;
          donor.acceptor[0] = j;
        } else if (e < donor.energy[1] || (e == donor.energy[1] && j < donor.acceptor[1])) {
          donor.energy[1] = e;
          donor.acceptor[1] = j;
        }
        return false;
      });
      std::sort(near_[i].begin(), near_[i].end());
    }
  }

  bool bonded(Index donor, Index acceptor) const {
    const Backbone& d = chain_[donor];
    return (d.acceptor[0] == acceptor && d.energy[0] < bond_energy) ||
           (d.acceptor[1] == acceptor && d.energy[1] < bond_energy);
  }

  bool unbroken(Index from, Index to) const { return to < chain_.size() && chain_[from].stretch == chain_[to].stretch; }

  enum class Bridge { none, parallel, antiparallel };

  Bridge bridge(Index i, Index j) const {
    if (i == 0 || !unbroken(i - 1, i + 1) || !unbroken(j - 1, j + 1)) return Bridge::none;
    if ((bonded(i + 1, j) && bonded(j, i - 1)) || (bonded(j + 1, i) && bonded(i, j - 1))) return Bridge::parallel;
    if ((bonded(i + 1, j - 1) && bonded(j + 1, i - 1)) || (bonded(j, i) && bonded(i, j))) return Bridge::antiparallel;
    return Bridge::none;
  }

  std::vector<Ladder> ladders() const {
    std::vector<Ladder> found;
    std::map<std::tuple<bool, Index, Index>, std::size_t> open;  // where a ladder would go on
    for (Index i = 1; i + 1 < chain_.size(); ++i) {
      for (Index j : near_[i]) {
        const Bridge type = bridge(i, j);
        if (type == Bridge::none) continue;
        const bool parallel = type == Bridge::parallel;
        const auto before = open.find({parallel, i, j});
        std::size_t which = found.size();
        if (before != open.end()) {
          which = before->second;
          Ladder& ladder = found[which];
          ladder.i1 = i;
          (parallel ? ladder.j1 : ladder.j0) = j;
          ++ladder.length;
        } else {
          found.push_back({parallel, i, i, j, j, 1});
        }
        open[{parallel, i + 1, parallel ? j + 1 : j - 1}] = which;
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const Ladder& a, const Ladder& b) { return a.i0 < b.i0; });
    return found;
  }

  // Joins ladders over a bulge: at most one extra residue on one strand and four on the other.
  void join_bulges(std::vector<Ladder>& found) const {
    for (std::size_t a = 0; a < found.size(); ++a) {
      Ladder& first = found[a];
      if (first.merged) continue;
      for (std::size_t b = a + 1; b < found.size() && found[b].i0 < first.i1 + 6; ++b) {
        Ladder& second = found[b];
        if (second.merged || second.parallel != first.parallel || second.i0 <= first.i1) continue;
        if (!unbroken(first.i0, second.i1)) continue;
        if (!unbroken(std::min(first.j0, second.j0), std::max(first.j1, second.j1))) continue;
        const Index low = first.parallel ? first.j1 : second.j1;
        const Index high = first.parallel ? second.j0 : first.j0;
        if (high < low) continue;
        const Index gap_i = second.i0 - first.i1;
        const Index gap_j = high - low;
        if (!((gap_j < 6 && gap_i < 3) || gap_j < 3)) continue;
        first.i1 = second.i1;
        first.j0 = std::min(first.j0, second.j0);
        first.j1 = std::max(first.j1, second.j1);
        first.length += second.length;
        second.merged = true;
      }
    }
  }

  void assign_strands() {
    std::vector<Ladder> found = ladders();
    join_bulges(found);
    bridged_.assign(chain_.size(), false);
    for (const Ladder& ladder : found) {
      if (ladder.merged) continue;
      for (const auto& [first, last] : {std::pair(ladder.i0, ladder.i1), std::pair(ladder.j0, ladder.j1)}) {
        std::fill(bridged_.begin() + first, bridged_.begin() + last + 1, true);
        if (ladder.length < 2) continue;  // a bridge by itself is not drawn as a strand
        std::fill(structure_.begin() + first, structure_.begin() + last + 1, SecondaryStructure::strand);
      }
    }
  }

  bool turn(Index i, Index size) const { return unbroken(i, i + size) && bonded(i + size, i); }

  // Two turns in a row make a helix. The alpha helix takes what strands had; pi takes alpha; 3-10 only what is free.
  void assign_helices() {
    const auto run = [&](Index size, SecondaryStructure kind, auto&& may_take) {
      for (Index i = 1; i + size < chain_.size(); ++i) {
        if (!turn(i, size) || !turn(i - 1, size)) continue;
        bool all = true;
        for (Index k = i; k < i + size; ++k) all = all && (structure_[k] == kind || may_take(k));
        if (all) std::fill(structure_.begin() + i, structure_.begin() + i + size, kind);
      }
    };
    const auto free = [&](Index k) { return structure_[k] == SecondaryStructure::coil && !bridged_[k]; };
    run(4, SecondaryStructure::helix, [](Index) { return true; });
    run(3, SecondaryStructure::helix_3_10, free);
    run(5, SecondaryStructure::helix_pi,
        [&](Index k) { return free(k) || structure_[k] == SecondaryStructure::helix; });
  }

  void assign_turns() {
    for (Index i = 0; i < chain_.size(); ++i) {
      for (Index size = 3; size <= 5; ++size) {
        if (!turn(i, size)) continue;
        for (Index k = i + 1; k < i + size; ++k) {
          if (structure_[k] == SecondaryStructure::coil && !bridged_[k]) structure_[k] = SecondaryStructure::turn;
        }
      }
    }
  }

  std::vector<Backbone> chain_;
  std::vector<std::vector<Index>> near_;  // later residues within reach, ascending
  std::vector<bool> bridged_;             // in any bridge, single ones too
  std::vector<SecondaryStructure> structure_;
};

}  // namespace

std::vector<SecondaryStructure> secondary_structure(const Topology& topology, const Frame& frame) {
  if (frame.positions.size() != topology.atoms.size()) {
    throw Error("secondary structure: the frame has " + std::to_string(frame.positions.size()) +
                " atoms, the topology " + std::to_string(topology.atoms.size()));
  }
  std::vector<SecondaryStructure> result(topology.residues.size(), SecondaryStructure::coil);
  Assignment(topology, frame).write(result);
  return result;
}

}  // namespace isolume
