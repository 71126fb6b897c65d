// Which atoms of two molecules belong together.
#include "compute/analysis/residue_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "compute/analysis/sequence_alignment.h"
#include "molecule/alternates.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

bool is_polymer(ResidueKind kind) {
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic;
}

/// The atoms of a selection residue by residue, of alternate locations the first of each name.
struct Side {
  Side(const Topology& topology_, std::span<const std::uint32_t> atoms) : topology(topology_) {
    std::set<std::string_view> names;
    for (const std::uint32_t i : atoms) {
      const Atom& atom = topology.atoms[i];
      if (residues.empty() || residues.back() != atom.residue) {
        residues.push_back(atom.residue);
        members.emplace_back();
        names.clear();
      }
      if (is_other_residue(topology, atom.residue, atom.altloc)) continue;
      if (atom.altloc == ' ' || names.insert(atom.name).second) members.back().push_back(i);
    }
  }
  std::size_t atom_count() const {
    std::size_t count = 0;
    for (const auto& list : members) count += list.size();
    return count;
  }

  const Topology& topology;
  std::vector<std::uint32_t> residues;
  std::vector<std::vector<std::uint32_t>> members;  ///< one list for each residue
};

/// Atoms of the same name of two residues, appended; where a name comes again, the first with the first, and so on.
void pair_names(const Side& a, std::size_t ra, const Side& b, std::size_t rb, std::vector<Pair>& pairs) {
  std::map<std::string_view, std::vector<std::uint32_t>> named;
  for (const std::uint32_t j : b.members[rb]) named[b.topology.atoms[j].name].push_back(j);
  std::map<std::string_view, std::size_t> taken;
  for (const std::uint32_t i : a.members[ra]) {
    const std::string_view name = a.topology.atoms[i].name;
    const auto found = named.find(name);
    if (found == named.end()) continue;
    const std::size_t next = taken[name]++;
    if (next < found->second.size()) pairs.emplace_back(i, found->second[next]);
  }
}

std::size_t polymer_chains(const Side& side) {
  std::set<std::uint32_t> chains;
  for (const std::uint32_t r : side.residues)
    if (is_polymer(residue_kind(side.topology, r))) chains.insert(side.topology.residues[r].chain);
  return chains.size();
}

MatchedAtoms by_residues(const Side& a, const Side& b) {
  using Key = std::tuple<std::string_view, std::int32_t, char, std::string_view>;
  const auto chain_of = [](const Side& side, std::uint32_t r) -> const std::string& {
    return side.topology.chains[side.topology.residues[r].chain].id;
  };
  std::set<std::string_view> chains_a, chains_b;
  for (const std::uint32_t r : a.residues) chains_a.insert(chain_of(a, r));
  for (const std::uint32_t r : b.residues) chains_b.insert(chain_of(b, r));
  const bool shared =
      std::any_of(chains_a.begin(), chains_a.end(), [&](std::string_view id) { return chains_b.contains(id); });
  const bool with_chain = shared || polymer_chains(a) > 1 || polymer_chains(b) > 1;
  const auto key = [&](const Side& side, std::uint32_t r) {
    const Residue& residue = side.topology.residues[r];
    return Key{with_chain ? std::string_view(chain_of(side, r)) : std::string_view(), residue.number, residue.insertion,
               residue.name};
  };
  std::map<Key, std::size_t> known;
  for (std::size_t r = 0; r < b.residues.size(); ++r) known.emplace(key(b, b.residues[r]), r);
  MatchedAtoms result;
  result.how = AtomMatching::residues;
  result.smaller = std::min(a.residues.size(), b.residues.size());
  for (std::size_t r = 0; r < a.residues.size(); ++r) {
    const auto found = known.find(key(a, a.residues[r]));
    if (found == known.end()) continue;
    const std::size_t before = result.pairs.size();
    pair_names(a, r, b, found->second, result.pairs);
    if (result.pairs.size() == before) continue;
    known.erase(found);  // each residue once, also where numbers come again
    ++result.residues;
    ++result.identical;
  }
  return result;
}

/// A chain's polymer residues of one kind, among those of a side.
struct Sequence {
  std::uint32_t chain = 0;
  SequenceKind kind = SequenceKind::protein;
  std::string letters;
  std::vector<std::size_t> places;  ///< in Side::residues
};

std::vector<Sequence> sequences_of(const Side& side) {
  std::vector<Sequence> result;
  for (std::size_t r = 0; r < side.residues.size(); ++r) {
    const Residue& residue = side.topology.residues[side.residues[r]];
    const ResidueKind kind = residue_kind(side.topology, side.residues[r]);
    if (!is_polymer(kind)) continue;
    const SequenceKind wanted = kind == ResidueKind::protein ? SequenceKind::protein : SequenceKind::nucleic;
    if (result.empty() || result.back().chain != residue.chain || result.back().kind != wanted)
      result.push_back({residue.chain, wanted, {}, {}});
    result.back().letters += residue_letter(residue.name);
    result.back().places.push_back(r);
  }
  return result;
}

std::string chain_name(const Side& side, const Sequence& sequence) {
  const std::string& id = side.topology.chains[sequence.chain].id;
  return id.empty() ? fmt::format("chain {}", sequence.chain + 1) : id;
}

MatchedAtoms by_sequence(const Side& a, const Side& b, Job& job) {
  const std::vector<Sequence> in_a = sequences_of(a), in_b = sequences_of(b);
  if (in_a.empty() || in_b.empty())
    throw Error(fmt::format("superpose by sequence: the {} molecule has no protein or nucleic acid among its selected "
                            "atoms; match by residues or order instead",
                            in_a.empty() ? "moving" : "fixed"),
                Error::Kind::usage);
  struct Candidate {
    std::size_t a, b;
    SequenceAlignment alignment;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < in_a.size(); ++i)
    for (std::size_t j = 0; j < in_b.size(); ++j) {
      if (in_a[i].kind != in_b[j].kind) continue;
      job.check();
      candidates.push_back({i, j, align_sequences(in_a[i].letters, in_b[j].letters, in_a[i].kind, job)});
    }
  // Equal scores (copies of one chain): in the order of the file.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& x, const Candidate& y) { return x.alignment.score > y.alignment.score; });
  MatchedAtoms result;
  result.how = AtomMatching::sequence;
  const auto residues = [](const std::vector<Sequence>& sequences) {
    std::size_t count = 0;
    for (const Sequence& sequence : sequences) count += sequence.places.size();
    return count;
  };
  result.smaller = std::min(residues(in_a), residues(in_b));
  std::set<std::size_t> used_a, used_b;
  for (const Candidate& candidate : candidates) {
    if (used_a.contains(candidate.a) || used_b.contains(candidate.b)) continue;
    const Sequence& sa = in_a[candidate.a];
    const Sequence& sb = in_b[candidate.b];
    const std::size_t shorter = std::min(sa.letters.size(), sb.letters.size());
    if (!used_a.empty() && (shorter < 4 || 10 * candidate.alignment.identical < 3 * shorter)) continue;
    if (candidate.alignment.pairs.empty()) continue;
    used_a.insert(candidate.a);
    used_b.insert(candidate.b);
    result.chains +=
        fmt::format("{}{} with {}", result.chains.empty() ? "" : ", ", chain_name(a, sa), chain_name(b, sb));
    for (const auto& [i, j] : candidate.alignment.pairs) {
      const std::size_t before = result.pairs.size();
      pair_names(a, sa.places[i], b, sb.places[j], result.pairs);
      if (result.pairs.size() == before) continue;
      ++result.residues;
      result.identical += sa.letters[i] == sb.letters[j];
    }
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

MatchedAtoms by_order(const Side& a, const Side& b) {
  MatchedAtoms result;
  result.how = AtomMatching::order;
  std::vector<std::uint32_t> in_b;
  for (const auto& list : b.members) in_b.insert(in_b.end(), list.begin(), list.end());
  if (a.atom_count() != in_b.size())
    throw Error(
        fmt::format(
            "superpose in order: {} atoms are selected to move and {} to superpose them on; expected equal numbers",
            a.atom_count(), in_b.size()),
        Error::Kind::usage);
  std::size_t next = 0;
  for (std::size_t r = 0; r < a.residues.size(); ++r)
    for (const std::uint32_t i : a.members[r]) result.pairs.emplace_back(i, in_b[next++]);
  std::set<Pair> residues;
  for (const auto& [i, j] : result.pairs) residues.emplace(a.topology.atoms[i].residue, b.topology.atoms[j].residue);
  result.residues = residues.size();
  result.smaller = std::min(a.residues.size(), b.residues.size());
  for (const auto& [i, j] : residues) result.identical += a.topology.residues[i].name == b.topology.residues[j].name;
  return result;
}

/// Throws where aligned sequences are not those of related molecules.
void require_related(const MatchedAtoms& matched) {
  constexpr double least_identity = 0.3, least_coverage = 0.5;
  if (matched.identity() >= least_identity && matched.coverage() >= least_coverage) return;
  throw Error(fmt::format("the molecules do not look related: aligned by sequence ({}), {} residues match, {:.0f} % of "
                          "them identical, {:.0f} % of the smaller molecule's {}; expected at least 30 % identical and "
                          "50 % matched. To superpose them all the same, choose how they are matched: sequence, "
                          "residues or order (--match)",
                          matched.chains, matched.residues, 100 * matched.identity(), 100 * matched.coverage(),
                          matched.smaller),
              Error::Kind::usage);
}

}  // namespace

double MatchedAtoms::identity() const {
  return static_cast<double>(identical) / static_cast<double>(std::max<std::size_t>(1, residues));
}

double MatchedAtoms::coverage() const {
  return std::min(1.0, static_cast<double>(residues) / static_cast<double>(std::max<std::size_t>(1, smaller)));
}

const char* name(AtomMatching matching) {
  switch (matching) {
    case AtomMatching::automatic:
      return "automatic";
    case AtomMatching::residues:
      return "residues";
    case AtomMatching::sequence:
      return "sequence";
    case AtomMatching::order:
      return "order";
  }
  return "";
}

AtomMatching matching_named(const std::string& wanted) {
  for (const AtomMatching matching :
       {AtomMatching::automatic, AtomMatching::residues, AtomMatching::sequence, AtomMatching::order})
    if (wanted == name(matching)) return matching;
  throw Error(fmt::format("'{}' is none of automatic, residues, sequence, order", wanted), Error::Kind::usage);
}

std::vector<std::uint32_t> trace_atoms(const Topology& topology) {
  std::vector<std::uint32_t> atoms;
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const ResidueKind kind = residue_kind(topology, r);
    if (!is_polymer(kind)) continue;
    const std::string_view wanted = kind == ResidueKind::protein ? "CA" : "P";
    const Residue& residue = topology.residues[r];
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
      if (topology.atoms[i].name == wanted) {
        atoms.push_back(i);
        break;
      }
  }
  return atoms;
}

MatchedAtoms match_atoms(const Topology& a, std::span<const std::uint32_t> atoms_a, const Topology& b,
                         std::span<const std::uint32_t> atoms_b, AtomMatching how, Job& job) {
  const Side moving(a, atoms_a), fixed(b, atoms_b);
  MatchedAtoms result;
  if (how == AtomMatching::order) return by_order(moving, fixed);
  if (how == AtomMatching::automatic || how == AtomMatching::residues) {
    result = by_residues(moving, fixed);
    const std::size_t fewer = std::min(moving.residues.size(), fixed.residues.size());
    if (how == AtomMatching::automatic && 2 * result.residues < fewer) {
      const bool sequences = polymer_chains(moving) > 0 && polymer_chains(fixed) > 0;
      if (!sequences) return by_order(moving, fixed);
      result = by_sequence(moving, fixed, job);
      require_related(result);
      return result;
    }
  } else {
    result = by_sequence(moving, fixed, job);
  }
  if (result.pairs.empty())
    throw Error(
        fmt::format("superpose by {}: none of the {} atoms selected to move matches one of the {} to superpose them on",
                    name(how), moving.atom_count(), fixed.atom_count()),
        Error::Kind::usage);
  return result;
}

}  // namespace isolume
