// Hydrogens and formal charges of a molecule whose bond orders are known.
#include "compute/preparation/ligand.h"

#include <algorithm>
#include <cmath>

#include "compute/preparation/ligand_graph.h"

namespace isolume {

namespace {

/// Hydrogens and charges as they are decided.
class Ionisation {
 public:
  Ionisation(LigandGraph& graph, std::vector<PerceivedAtom>& atoms, double ph)
      : graph_(graph), atoms_(atoms), ph_(ph) {}

  /// What the bonds leave of the valences.
  void fill(const std::vector<char>& oxide, const std::vector<char>& cation, std::vector<std::uint32_t>& doubtful) {
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
      if (graph_.atoms[i].outside) continue;
      const int bonds = graph_.valence(i);
      int free = 0;
      switch (graph_.atoms[i].element) {
        case 6:
          free = 4 - bonds;
          break;
        case 7:
          if (cation[i] || bonds == 4) {
            atoms_[i].charge += 1;
            free = 4 - bonds;
          } else {
            free = 3 - bonds;
          }
          break;
        case 8:
          free = 2 - bonds;
          break;
        case 15:
          if (bonds == 4) atoms_[i].charge += 1;
          free = std::max(0, 3 - bonds);
          break;
        case 16:
        case 34:
          if (bonds == 3) atoms_[i].charge += 1;  // sulfonium
          free = std::max(0, 2 - bonds);
          break;
        default:
          free = 1 - bonds;
      }
      if (oxide[i]) {
        atoms_[i].charge -= 1;
        free -= graph_.atoms[i].element == 7 ? 2 : 1;
        if (graph_.atoms[i].element == 7) free = 0;
      }
      if (free < 0) doubtful.push_back(i);
      atoms_[i].hydrogens = static_cast<std::uint8_t>(std::clamp(free, 0, 4));
    }
  }

  void ionise() {
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
      if (graph_.atoms[i].outside) continue;
      const std::uint8_t element = graph_.atoms[i].element;
      if (element == 6) carbon_acid(i);
      if (element == 15) acid(i, {2.1, esterified(i) ? 6.5 : 7.2, 12.3});
      if (element == 16 && graph_.degree(i) >= 3) acid(i, {graph_.degree(i) == 4 ? -2.0 : 2.0, 2.0, 2.0});
      if (element == 16 && graph_.degree(i) == 1 && atoms_[i].hydrogens == 1 && ph_ > thiol_pka(i)) release(i);
      if (element == 8 && graph_.degree(i) == 1 && atoms_[i].hydrogens == 1 && ph_ > 10 && on_ring(i)) release(i);
    }
    for (const LigandGraph::Ring& ring : graph_.rings) tetrazole(ring);
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
      if (graph_.atoms[i].element == 6 && !graph_.atoms[i].outside) amidine(i);
    }
    for (std::uint32_t i = 0; i < atoms_.size(); ++i) amine(i);
  }

  /// Whether an atom's neighbours make its single bonds lie in a plane.
  bool conjugated(std::uint32_t i) const {
    return std::any_of(graph_.edges[i].begin(), graph_.edges[i].end(), [&](const LigandGraph::Edge& e) {
      return graph_.atoms[e.to].element == 6 && (graph_.atoms[e.to].outside || graph_.unsaturated(e.to));
    });
  }

 private:
  using Atoms = std::vector<std::uint32_t>;

  void share(const Atoms& atoms, double charge) {
    for (const std::uint32_t i : atoms) atoms_[i].charge += charge / static_cast<double>(atoms.size());
  }

  void release(std::uint32_t i) {
    atoms_[i].hydrogens -= 1;
    atoms_[i].charge -= 1;
  }

  /// Of a thiol, or of thiocyanic acid.
  double thiol_pka(std::uint32_t sulfur) const {
    const std::uint32_t carbon = graph_.edges[sulfur][0].to;
    return graph_.valence(carbon) == 4 && graph_.degree(carbon) == 2 ? -1.8 : 9.0;
  }

  bool on_ring(std::uint32_t oxygen) const {
    const std::uint32_t carbon = graph_.edges[oxygen][0].to;
    return graph_.in_planar_ring(carbon) && graph_.unsaturated(carbon);
  }

  bool esterified(std::uint32_t phosphorus) const {
    return std::any_of(graph_.edges[phosphorus].begin(), graph_.edges[phosphorus].end(),
                       [&](const LigandGraph::Edge& e) { return graph_.degree(e.to) > 1; });
  }

  void carbon_acid(std::uint32_t carbon) {
    Atoms ends = graph_.ends(carbon, 8);
    if (ends.size() != 2 || !graph_.unsaturated(carbon) || ph_ < 4.5) return;
    for (const std::uint32_t o : ends) atoms_[o].hydrogens = 0;
    share(ends, -1);
  }

  /// Oxygens and sulfurs with one bond on phosphorus or sulfur lose their hydrogens one after the other; what stays
  /// protonated is the farthest.
  void acid(std::uint32_t centre, const std::vector<double>& pka) {
    Atoms ends = graph_.ends(centre, 8);
    const Atoms sulfurs = graph_.ends(centre, 16);
    ends.insert(ends.end(), sulfurs.begin(), sulfurs.end());
    std::size_t acids = 0, released = 0;
    for (const std::uint32_t o : ends) acids += atoms_[o].hydrogens;
    while (released < acids && ph_ > pka[std::min(released, pka.size() - 1)]) ++released;
    if (released == 0) return;
    std::size_t kept = acids - released;
    Atoms bare;
    for (std::size_t k = ends.size(); k-- > 0;) {
      std::uint8_t& hydrogens = atoms_[ends[k]].hydrogens;
      if (hydrogens == 1 && kept > 0) {
        --kept;
      } else {
        hydrogens = 0;
        bare.push_back(ends[k]);
      }
    }
    share(bare, -static_cast<double>(released));
  }

  void tetrazole(const LigandGraph::Ring& ring) {
    Atoms nitrogens;
    std::uint32_t donor = UINT32_MAX;
    for (const std::uint32_t i : ring.atoms) {
      if (graph_.atoms[i].element != 7) continue;
      if (graph_.degree(i) != 2 || graph_.atoms[i].outside) return;
      nitrogens.push_back(i);
      if (atoms_[i].hydrogens == 1) donor = i;
    }
    if (ring.atoms.size() != 5 || nitrogens.size() != 4 || donor == UINT32_MAX || ph_ < 4.9) return;
    atoms_[donor].hydrogens = 0;
    share(nitrogens, -1);
  }

  /// A carbon with a double bond to one nitrogen and single ones to others, outside of aromatic rings.
  void amidine(std::uint32_t carbon) {
    Atoms nitrogens;
    std::uint32_t acceptor = UINT32_MAX;
    for (const LigandGraph::Edge& edge : graph_.edges[carbon]) {
      if (graph_.atoms[edge.to].element != 7) continue;
      if (graph_.atoms[edge.to].outside || atoms_[edge.to].charge != 0) return;
      nitrogens.push_back(edge.to);
      const int order = graph_.bonds[edge.bond].order;
      if (order == 2 && !graph_.same_planar_ring(carbon, edge.to)) acceptor = edge.to;
      for (const LigandGraph::Edge& far : graph_.edges[edge.to]) {  // acyl, sulfonyl, hydroxyl, cyano, ... weaken it
        const std::uint8_t z = graph_.atoms[far.to].element;
        if (far.to != carbon && (z != 6 || graph_.unsaturated(far.to) || graph_.atoms[far.to].outside)) return;
      }
    }
    if (acceptor == UINT32_MAX || nitrogens.size() < 2 || ph_ > (nitrogens.size() == 3 ? 13.0 : 11.5)) return;
    atoms_[acceptor].hydrogens += 1;
    share(nitrogens, 1);
  }

  void amine(std::uint32_t i) {
    if (graph_.atoms[i].element != 7 || graph_.atoms[i].outside || atoms_[i].charge != 0 || graph_.unsaturated(i))
      return;
    if (ph_ > 10 || graph_.degree(i) == 0) return;
    for (const LigandGraph::Edge& edge : graph_.edges[i]) {
      const LigandAtom& other = graph_.atoms[edge.to];
      if (other.element != 6 || other.outside || graph_.unsaturated(edge.to)) return;
    }
    // Not next to another cation: a second proton on a diamine comes at a lower pH.
    Atoms reached{i};
    for (std::size_t from = 0, step = 0; step < 3; ++step) {
      const std::size_t end = reached.size();
      for (; from < end; ++from) {
        for (const LigandGraph::Edge& edge : graph_.edges[reached[from]]) {
          if (graph_.atoms[edge.to].element == 7 && edge.to != i && atoms_[edge.to].charge > 0.5) return;
          if (std::find(reached.begin(), reached.end(), edge.to) == reached.end()) reached.push_back(edge.to);
        }
      }
    }
    atoms_[i].hydrogens += 1;
    atoms_[i].charge = 1;
  }

  LigandGraph& graph_;
  std::vector<PerceivedAtom>& atoms_;
  double ph_;
};

}  // namespace

std::optional<PerceivedLigand> perceive_ligand(std::span<const LigandAtom> atoms, std::span<const LigandBond> bonds,
                                               double ph) {
  constexpr std::uint8_t known[] = {6, 7, 8, 9, 15, 16, 17, 35, 53};
  LigandGraph graph(atoms, bonds);
  for (std::uint32_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i].outside) continue;
    if (std::find(std::begin(known), std::end(known), atoms[i].element) == std::end(known)) return std::nullopt;
    const std::uint8_t z = atoms[i].element;
    const bool halogen = z == 9 || z == 17 || z == 35 || z == 53;
    if (graph.degree(i) == 0 || (halogen && graph.degree(i) > 1)) return std::nullopt;
  }
  PerceivedLigand result;
  std::vector<char> oxide(atoms.size(), 0), cation(atoms.size(), 0);
  bool given = false, aromatic = false;
  for (const LigandBond& bond : graph.bonds) {
    given = given || bond.order == 2 || bond.order == 3;
    aromatic = aromatic || bond.order == 4;
  }
  for (LigandBond& bond : graph.bonds) {
    if (bond.order == 0 || (!given && !aromatic)) bond.order = 1;
  }
  if (!given) set_group_orders(graph, oxide, cation);
  if (!given || aromatic) set_double_bonds(graph, aromatic, cation, result.doubtful);
  if (given) {  // a nitro group or an N-oxide that the file writes with charges
    for (std::uint32_t i = 0; i < atoms.size(); ++i) {
      if (atoms[i].element != 7 || graph.valence(i) != 4) continue;
      for (const std::uint32_t o : graph.ends(i, 8)) oxide[o] = graph.valence(o) == 1 ? 1 : 0;
    }
  }
  result.atoms.resize(atoms.size());
  Ionisation ionisation(graph, result.atoms, ph);
  ionisation.fill(oxide, cation, result.doubtful);
  ionisation.ionise();
  double charge = 0;
  for (std::uint32_t i = 0; i < atoms.size(); ++i) {
    PerceivedAtom& atom = result.atoms[i];
    const std::uint8_t z = atoms[i].element;
    const int extra = graph.valence(i) - static_cast<int>(graph.degree(i));
    atom.linear = z == 6 && extra == 2;
    atom.planar = (z == 6 && extra == 1) || ((z == 7 || z == 8) && atom.charge < 0.9 && ionisation.conjugated(i)) ||
                  (z == 7 && extra == 1);
    charge += atom.charge;
  }
  result.charge = static_cast<int>(std::lround(charge));
  result.bonds = std::move(graph.bonds);
  return result;
}

}  // namespace isolume
