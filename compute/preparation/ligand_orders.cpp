// Which bonds of a ligand are double or triple, by its geometry.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/preparation/ligand_graph.h"

namespace isolume {

namespace {

/// Usual lengths of a single bond next to a double one, and of a double bond, angstrom.
struct Lengths {
  double single, twofold;
};

Lengths lengths(std::uint8_t a, std::uint8_t b) {
  if (a > b) std::swap(a, b);
  if (a == 6 && b == 6) return {1.50, 1.34};
  if (a == 6 && b == 7) return {1.44, 1.28};
  if (a == 6 && b == 8) return {1.40, 1.22};
  if (b == 16) return {1.78, 1.67};
  return {1.41, 1.25};
}

/// The set of double bonds of one connected part that fits best: every carbon that ought to has one, lengths decide.
class Matching {
 public:
  struct Partner {
    std::uint32_t atom;
    double weight;
  };

  Matching(const LigandGraph& graph, bool aromatic, const std::vector<char>& cation) : graph_(graph) {
    const std::size_t n = graph.atoms.size();
    cost_.assign(n, 0);
    partners_.resize(n);
    matched_.assign(n, none);
    std::vector<char> candidate(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) candidate[i] = is_candidate(i, aromatic, cation) ? 1 : 0;
    for (const LigandBond& bond : graph.bonds) {
      if (!candidate[bond.a] || !candidate[bond.b] || (aromatic && bond.order != 4)) continue;
      const std::uint8_t a = graph.atoms[bond.a].element, b = graph.atoms[bond.b].element;
      if (a != 6 && b != 6 && !(a == 7 && b == 7)) continue;
      const double weight = weight_of(bond, cation);
      partners_[bond.a].push_back({bond.b, weight});
      partners_[bond.b].push_back({bond.a, weight});
    }
    for (std::vector<Partner>& all : partners_) {
      std::sort(all.begin(), all.end(), [](const Partner& a, const Partner& b) { return a.weight > b.weight; });
    }
  }

  /// Partner of each atom, UINT32_MAX for none; all parts are solved one after the other.
  const std::vector<std::uint32_t>& solve(std::vector<std::uint32_t>& doubtful) {
    std::vector<char> seen(partners_.size(), 0);
    for (std::uint32_t i = 0; i < partners_.size(); ++i) {
      if (seen[i] || partners_[i].empty()) continue;
      part_.clear();
      std::vector<std::uint32_t> open{i};
      seen[i] = 1;
      while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        part_.push_back(at);
        for (const Partner& p : partners_[at]) {
          if (!seen[p.atom]) {
            seen[p.atom] = 1;
            open.push_back(p.atom);
          }
        }
      }
      std::sort(part_.begin(), part_.end());
      decided_.assign(partners_.size(), 0);
      best_ = -std::numeric_limits<double>::infinity();
      left_ = 200'000;
      branch(0);
      for (const std::uint32_t atom : part_) matched_[atom] = best_matched_[atom];
    }
    for (std::uint32_t i = 0; i < partners_.size(); ++i) {
      if (matched_[i] == none && cost_[i] >= 3) doubtful.push_back(i);
    }
    return matched_;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  bool shorter(std::uint32_t atom, double carbon, double nitrogen, double oxygen) const {
    for (const LigandGraph::Edge& edge : graph_.edges[atom]) {
      const double length = graph_.length(graph_.bonds[edge.bond]);
      const std::uint8_t z = graph_.atoms[edge.to].element;
      const bool end = graph_.degree(edge.to) == 1;
      if ((z == 6 && length < carbon) || (z == 7 && length < nitrogen) || (z == 8 && end && length < oxygen) ||
          (z == 16 && end && length < oxygen + 0.38)) {
        return true;
      }
    }
    return false;
  }

  /// Sets the price of leaving a carbon without a double bond.
  bool is_candidate(std::uint32_t i, bool aromatic, const std::vector<char>& cation) {
    const LigandAtom& atom = graph_.atoms[i];
    if (atom.outside) return false;
    if (aromatic) {
      int rings = 0, others = 0;
      for (const LigandGraph::Edge& edge : graph_.edges[i]) {
        const std::uint8_t order = graph_.bonds[edge.bond].order;
        rings += order == 4;
        others += order == 2 || order == 3;
      }
      if (rings == 0 || others > 0 || (atom.element != 6 && atom.element != 7)) return false;
      cost_[i] = atom.element == 6 ? 5 : 0;
      return true;
    }
    if (graph_.unsaturated(i)) return false;
    const std::size_t degree = graph_.degree(i);
    const double angles = degree > 1 ? graph_.sum_of_angles(i) : 0;
    if (atom.element == 6) {
      bool strong = false, weak = false;
      const bool close = shorter(i, 1.46, 1.41, 1.34) || graph_.in_hexagon(i);
      if (degree == 3) {
        strong = angles > 352 && close;
        weak = angles > 345 && close;
      } else if (degree == 2) {
        strong = graph_.in_planar_ring(i) && close;
        weak = angles > 114 && shorter(i, 1.42, 1.37, 1.33);
      } else if (degree == 1) {
        weak = shorter(i, 1.39, 1.33, 0);
      }
      cost_[i] = strong ? 5 : 0.5;
      return strong || weak;
    }
    if (atom.element == 7) {
      if (degree == 1) return shorter(i, 1.38, 0, 0);
      if (degree == 2) return graph_.in_planar_ring(i) || (angles > 108 && shorter(i, 1.40, 1.32, 0));
      return degree == 3 && (cation[i] || (angles > 350 && shorter(i, 1.40, 0, 0)));
    }
    return degree == 1 && (atom.element == 8 ? shorter(i, 1.40, 0, 0) : atom.element == 16 && shorter(i, 1.75, 0, 0));
  }

  double weight_of(const LigandBond& bond, const std::vector<char>& cation) const {
    const LigandAtom &a = graph_.atoms[bond.a], &b = graph_.atoms[bond.b];
    const Lengths usual = lengths(a.element, b.element);
    double weight = std::clamp((usual.single - graph_.length(bond)) / (usual.single - usual.twofold), -1.5, 1.3);
    if (graph_.same_planar_ring(bond.a, bond.b)) weight += 0.3;
    for (const std::uint32_t i : {bond.a, bond.b}) {
      const std::uint8_t z = graph_.atoms[i].element;
      if (z == 8) weight += 0.3;
      if (z == 7 && graph_.degree(i) == 1) weight -= 0.5;
      if (z == 7 && graph_.degree(i) == 3 && !cation[i]) weight -= 3;
    }
    return weight;
  }

  /// What the atoms that are not decided yet can bring at most.
  double hope() const {
    double sum = 0;
    for (const std::uint32_t i : part_) {
      if (decided_[i]) continue;
      double most = 0;
      for (const Partner& p : partners_[i]) {
        if (!decided_[p.atom]) most = std::max(most, p.weight / 2);
      }
      sum += most;
    }
    return sum;
  }

  void branch(double value) {
    if (left_-- < 0 && best_ > -std::numeric_limits<double>::infinity()) return;
    if (value + hope() <= best_) return;
    std::uint32_t next = none;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const std::uint32_t i : part_) {
      if (decided_[i]) continue;
      std::size_t open = 0;
      for (const Partner& p : partners_[i]) open += decided_[p.atom] ? 0 : 1;
      if (graph_.atoms[i].element != 6) open += 100;  // carbons first, then nitrogens among themselves
      if (open < fewest) {
        fewest = open;
        next = i;
      }
    }
    if (next == none) {
      best_ = value;
      best_matched_ = matched_;
      return;
    }
    decided_[next] = 1;
    for (const Partner& p : partners_[next]) {
      if (decided_[p.atom]) continue;
      decided_[p.atom] = 1;
      matched_[next] = p.atom;
      matched_[p.atom] = next;
      branch(value + p.weight);
      matched_[next] = matched_[p.atom] = none;
      decided_[p.atom] = 0;
    }
    branch(value - cost_[next]);
    decided_[next] = 0;
  }

  const LigandGraph& graph_;
  std::vector<double> cost_;
  std::vector<std::vector<Partner>> partners_;
  std::vector<std::uint32_t> matched_, best_matched_, part_;
  std::vector<char> decided_;
  double best_ = 0;
  int left_ = 0;
};

/// Triple bonds, and two double ones next to each other.
void set_linear(LigandGraph& graph) {
  for (std::uint32_t i = 0; i < graph.atoms.size(); ++i) {
    if (graph.atoms[i].element != 6 || graph.atoms[i].outside || graph.degree(i) != 2 || graph.unsaturated(i)) continue;
    if (graph.sum_of_angles(i) < 155) continue;
    LigandBond &a = graph.bonds[graph.edges[i][0].bond], &b = graph.bonds[graph.edges[i][1].bond];
    const double left = graph.length(a), right = graph.length(b);
    if (std::max(left, right) < 1.37 && std::min(left, right) > 1.14 && std::abs(left - right) < 0.12) {
      a.order = b.order = 2;
    } else if (std::min(left, right) < 1.30) {
      (left < right ? a : b).order = 3;
    }
  }
}

}  // namespace

void set_double_bonds(LigandGraph& graph, bool aromatic, const std::vector<char>& cation,
                      std::vector<std::uint32_t>& doubtful) {
  if (!aromatic) set_linear(graph);
  const std::vector<std::uint32_t> matched = Matching(graph, aromatic, cation).solve(doubtful);
  for (LigandBond& bond : graph.bonds) {
    if (matched[bond.a] == bond.b) bond.order = 2;
    if (bond.order == 4) bond.order = 1;
  }
}

}  // namespace isolume
