// The bonds of a ligand as a graph: rings, planes, and groups whose orders are always the same.
#include "compute/preparation/ligand_graph.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double degree_of_arc = units::pi / 180.0;

double angle(glm::dvec3 a, glm::dvec3 b) {
  const double size = glm::length(a) * glm::length(b);
  return size > 1e-9 ? std::acos(std::clamp(glm::dot(a, b) / size, -1.0, 1.0)) / degree_of_arc : 0;
}

/// Absolute torsion a-b-c-d, degrees.
double torsion(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, glm::dvec3 d) {
  return angle(glm::cross(b - a, c - b), glm::cross(c - b, d - c));
}

/// The shortest way from one end of a bond to the other without the bond, at most seven atoms; empty without one.
std::vector<std::uint32_t> ring_through(const LigandGraph& graph, std::uint32_t bond) {
  const std::uint32_t from = graph.bonds[bond].a, to = graph.bonds[bond].b;
  std::vector<std::uint32_t> before(graph.atoms.size(), UINT32_MAX), steps(graph.atoms.size(), 0);
  std::deque<std::uint32_t> open{from};
  before[from] = from;
  while (!open.empty() && before[to] == UINT32_MAX) {
    const std::uint32_t at = open.front();
    open.pop_front();
    if (steps[at] >= 6) continue;
    for (const LigandGraph::Edge& edge : graph.edges[at]) {
      if (edge.bond == bond || before[edge.to] != UINT32_MAX) continue;
      before[edge.to] = at;
      steps[edge.to] = steps[at] + 1;
      open.push_back(edge.to);
    }
  }
  if (before[to] == UINT32_MAX) return {};
  std::vector<std::uint32_t> ring{to};
  while (ring.back() != from) ring.push_back(before[ring.back()]);
  return ring;
}

/// Five or six atoms in a plane, with bonds that are shorter than single ones on average; models of low resolution
/// have long ones, and angles of a hexagon.
bool is_planar_ring(LigandGraph& graph, const std::vector<std::uint32_t>& ring) {
  const std::size_t n = ring.size();
  if (n < 5 || n > 6) return false;
  double turn = 0, lengths = 0, angles = 0;
  int counted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&](std::size_t k) { return graph.atoms[ring[(i + k) % n]].place; };
    turn += torsion(at(0), at(1), at(2), at(3));
    angles += angle(at(0) - at(1), at(2) - at(1));
    const std::uint8_t a = graph.atoms[ring[i]].element, b = graph.atoms[ring[(i + 1) % n]].element;
    if (a > 9 || b > 9) continue;
    lengths += graph.length(graph.bond_between(ring[i], ring[(i + 1) % n]));
    ++counted;
    if (a == 6 && graph.degree(ring[i]) > 3) return false;
  }
  if (turn / static_cast<double>(n) >= (n == 5 ? 9 : 14) || counted == 0) return false;
  return lengths / counted < (n == 6 && angles > 6 * 118 ? 1.50 : 1.46);
}

}  // namespace

LigandGraph::LigandGraph(std::span<const LigandAtom> given, std::span<const LigandBond> bonds_given)
    : atoms(given), bonds(bonds_given.begin(), bonds_given.end()), edges(given.size()) {
  for (std::uint32_t i = 0; i < bonds.size(); ++i) {
    edges[bonds[i].a].push_back({bonds[i].b, i});
    edges[bonds[i].b].push_back({bonds[i].a, i});
  }
  std::set<std::vector<std::uint32_t>> known;
  for (std::uint32_t i = 0; i < bonds.size(); ++i) {
    std::vector<std::uint32_t> ring = ring_through(*this, i);
    std::vector<std::uint32_t> sorted = ring;
    std::sort(sorted.begin(), sorted.end());
    if (ring.empty() || !known.insert(std::move(sorted)).second) continue;
    const bool planar = is_planar_ring(*this, ring);
    rings.push_back({std::move(ring), planar});
  }
}

double LigandGraph::length(const LigandBond& bond) const {
  return glm::distance(atoms[bond.a].place, atoms[bond.b].place);
}

double LigandGraph::sum_of_angles(std::uint32_t atom) const {
  double sum = 0;
  const std::vector<Edge>& around = edges[atom];
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (std::size_t k = i + 1; k < around.size(); ++k) {
      sum += angle(atoms[around[i].to].place - atoms[atom].place, atoms[around[k].to].place - atoms[atom].place);
    }
  }
  return sum;
}

int LigandGraph::valence(std::uint32_t atom) const {
  int sum = 0;
  for (const Edge& edge : edges[atom]) sum += bonds[edge.bond].order;
  return sum;
}

bool LigandGraph::in_planar_ring(std::uint32_t atom, std::size_t size) const {
  return std::any_of(rings.begin(), rings.end(), [&](const Ring& ring) {
    return ring.planar && (size == 0 || ring.atoms.size() == size) &&
           std::find(ring.atoms.begin(), ring.atoms.end(), atom) != ring.atoms.end();
  });
}

bool LigandGraph::in_hexagon(std::uint32_t atom) const {
  return std::any_of(rings.begin(), rings.end(), [&](const Ring& ring) {
    const auto found = std::find(ring.atoms.begin(), ring.atoms.end(), atom);
    if (!ring.planar || ring.atoms.size() != 6 || found == ring.atoms.end()) return false;
    const auto at = static_cast<std::size_t>(found - ring.atoms.begin());
    const glm::dvec3 a = atoms[ring.atoms[(at + 1) % 6]].place - atoms[atom].place;
    const glm::dvec3 b = atoms[ring.atoms[(at + 5) % 6]].place - atoms[atom].place;
    return angle(a, b) > 115 && glm::length(a) + glm::length(b) < 2 * 1.495;
  });
}

bool LigandGraph::same_planar_ring(std::uint32_t a, std::uint32_t b) const {
  return std::any_of(rings.begin(), rings.end(), [&](const Ring& ring) {
    return ring.planar && std::find(ring.atoms.begin(), ring.atoms.end(), a) != ring.atoms.end() &&
           std::find(ring.atoms.begin(), ring.atoms.end(), b) != ring.atoms.end();
  });
}

bool LigandGraph::unsaturated(std::uint32_t atom) const {
  return std::any_of(edges[atom].begin(), edges[atom].end(), [&](const Edge& e) { return bonds[e.bond].order > 1; });
}

std::vector<std::uint32_t> LigandGraph::ends(std::uint32_t atom, std::uint8_t element) const {
  std::vector<std::uint32_t> found;
  for (const Edge& edge : edges[atom]) {
    if (atoms[edge.to].element == element && degree(edge.to) == 1 && !atoms[edge.to].outside) found.push_back(edge.to);
  }
  std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {  // the nearest first
    return glm::distance(atoms[a].place, atoms[atom].place) < glm::distance(atoms[b].place, atoms[atom].place);
  });
  return found;
}

LigandBond& LigandGraph::bond_between(std::uint32_t a, std::uint32_t b) {
  const auto found = std::find_if(edges[a].begin(), edges[a].end(), [&](const Edge& edge) { return edge.to == b; });
  return bonds[found->bond];
}

void set_group_orders(LigandGraph& graph, std::vector<char>& oxide, std::vector<char>& cation) {
  for (std::uint32_t i = 0; i < graph.atoms.size(); ++i) {
    if (graph.atoms[i].outside) continue;
    const std::uint8_t element = graph.atoms[i].element;
    const std::size_t degree = graph.degree(i);
    std::vector<std::uint32_t> oxygens = graph.ends(i, 8);
    const std::vector<std::uint32_t> sulfurs = graph.ends(i, 16);
    if (element == 15 && degree == 4) {
      oxygens.insert(oxygens.end(), sulfurs.begin(), sulfurs.end());
      if (!oxygens.empty()) graph.bond_between(i, oxygens[0]).order = 2;
    } else if ((element == 16 || element == 34) && degree >= 3) {
      const std::size_t most = degree == 4 ? 2 : 1;
      for (std::size_t k = 0; k < std::min(most, oxygens.size()); ++k) graph.bond_between(i, oxygens[k]).order = 2;
    } else if (element == 7 && degree == 3 && oxygens.size() >= 2) {
      graph.bond_between(i, oxygens[0]).order = 2;
      for (std::size_t k = 1; k < oxygens.size(); ++k) oxide[oxygens[k]] = 1;
      cation[i] = 1;
    } else if (element == 7 && degree == 3 && oxygens.size() == 1 && graph.in_planar_ring(i, 6)) {
      oxide[oxygens[0]] = 1;
      cation[i] = 1;
    } else if (element == 7 && degree == 2 && graph.sum_of_angles(i) > 155) {  // azide
      const std::uint32_t a = graph.edges[i][0].to, b = graph.edges[i][1].to;
      if (graph.atoms[a].element != 7 || graph.atoms[b].element != 7) continue;
      graph.bonds[graph.edges[i][0].bond].order = graph.bonds[graph.edges[i][1].bond].order = 2;
      cation[i] = 1;
      for (const std::uint32_t end : {a, b}) oxide[end] = graph.degree(end) == 1 ? 1 : 0;
    }
  }
}

}  // namespace isolume
