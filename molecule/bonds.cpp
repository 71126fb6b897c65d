// Bonds by distance, and the molecules that bonds make.
#include "molecule/bonds.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/threads.h"
#include "molecule/base/work_part.h"
#include "molecule/elements.h"
#include "molecule/neighbour_grid.h"
#include "molecule/periodic_images.h"
#include "molecule/residue_kinds.h"

namespace isolume {

namespace {

constexpr float tolerance = 0.45f;  // angstrom beyond the sum of the covalent radii
constexpr float shortest = 0.4f;    // angstrom: nearer ones are the same atom twice

// Covalent radius of every atom that can have bonds, 0 for the others: ions, light noble gases, beads, virtual sites.
std::vector<float> bonding_radii(const Topology& topology) {
  std::vector<float> radii(topology.atoms.size(), 0.0f);
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    if (residue.atom_count == 1 && residue_kind(topology, r) == ResidueKind::ion) continue;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const int z = topology.atoms[i].element;
      const bool inert = z == 2 || z == 10 || z == 18 || z == 36;  // helium, neon, argon, krypton
      if (z > 0 && !inert) radii[i] = element(z).covalent_radius;
    }
  }
  return radii;
}

// What the inner loop reads, side by side.
struct Site {
  float radius;
  bool hydrogen;
  char altloc;
};

bool bonded(const Site& a, const Site& b, double squared) {
  const double reach = static_cast<double>(a.radius + b.radius + tolerance);
  if (squared > reach * reach || squared < static_cast<double>(shortest * shortest)) return false;
  if (a.hydrogen && b.hydrogen) return false;
  return a.altloc == b.altloc || a.altloc == ' ' || b.altloc == ' ';
}

// Bonds within residues of up to 400 atoms, and to the next one of the same chain. `bonding`: atoms, ascending.
std::vector<Bond> bonds_along_chains(const Topology& topology, const std::vector<std::uint32_t>& bonding,
                                     const std::vector<Site>& sites, const std::vector<glm::vec3>& positions) {
  constexpr std::uint32_t most = 400;
  std::vector<Bond> bonds;
  for (std::size_t i = 0; i < bonding.size(); ++i) {
    const std::uint32_t residue = topology.atoms[bonding[i]].residue;
    const Residue& own = topology.residues[residue];
    if (own.atom_count > most) continue;
    std::uint32_t end = own.first_atom + own.atom_count;
    if (residue + 1 < topology.residues.size()) {
      const Residue& next = topology.residues[residue + 1];
      if (next.chain == own.chain && next.atom_count <= most) end += next.atom_count;
    }
    for (std::size_t j = i + 1; j < bonding.size() && bonding[j] < end; ++j) {
      const glm::dvec3 d = glm::dvec3(positions[bonding[j]]) - glm::dvec3(positions[bonding[i]]);
      if (bonded(sites[i], sites[j], glm::dot(d, d))) bonds.push_back({bonding[i], bonding[j], 1});
    }
  }
  return bonds;
}

}  // namespace

std::vector<Bond> guess_bonds(const Topology& topology, const Frame& frame, bool periodic, bool* crowded) {
  const AtomTable& atoms = topology.atoms;
  if (frame.positions.size() != atoms.size()) {
    throw Error("bonds by distance: the frame has " + std::to_string(frame.positions.size()) + " atoms, the topology " +
                std::to_string(atoms.size()));
  }
  if (crowded) *crowded = false;
  std::vector<float> radii = bonding_radii(topology);
  const float largest = radii.empty() ? 0.0f : *std::max_element(radii.begin(), radii.end());
  if (largest == 0) return {};
  std::vector<std::uint32_t> bonding;
  std::vector<Site> sites;
  std::vector<glm::vec3> points;
  // Without room to grow: of 10^8 atoms each copy counts.
  const auto count =
      static_cast<std::size_t>(std::count_if(radii.begin(), radii.end(), [](float r) { return r != 0; }));
  bonding.reserve(count);
  sites.reserve(count);
  points.reserve(count);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (radii[i] == 0) continue;
    bonding.push_back(static_cast<std::uint32_t>(i));
    sites.push_back({radii[i], atoms[i].element == 1, atoms[i].altloc});
    points.push_back(frame.positions[i]);
  }
  radii = std::vector<float>();  // frees it, as {} does not
  const double cutoff = static_cast<double>(2 * largest + tolerance);
  const bool images = periodic && frame.cell.exists();
  PeriodicImages all;
  if (images) {
    all = periodic_images(points, frame.cell, cutoff);
    points = std::vector<glm::vec3>();
  }
  const std::vector<glm::vec3>& places = images ? all.points : points;
  const NeighbourGrid grid(places, cutoff);
  // Of real structures each atom has up to some 500 within the bins (caesium in water), and 20 models of one 20 times
  // as many as the 50 of a protein.
  std::atomic<bool> dense = grid.pairs() > 40'000'000 + 1500 * static_cast<std::uint64_t>(places.size());

  constexpr std::size_t range = 50'000;  // atoms that a thread takes at a time
  std::vector<std::vector<Bond>> parts((bonding.size() + range - 1) / range);
  on_threads(parts.size(), [&](std::size_t part) {
    std::vector<Bond>& found = parts[part];
    const auto end = static_cast<std::uint32_t>(std::min(bonding.size(), (part + 1) * range));
    for (auto i = static_cast<std::uint32_t>(part * range); i < end && !dense; ++i) {
      if ((i & 1023) == 0) {
        check_stop();
        WorkPart::report(static_cast<double>(i) / static_cast<double>(bonding.size()));
      }
      const Site a = sites[i];
      const std::size_t first = found.size();
      grid.visit(places[i], [&](std::uint32_t place, double squared) {
        const std::uint32_t j = images ? all.origin[place] : place;
        if (j > i && bonded(a, sites[j], squared)) found.push_back({bonding[i], bonding[j], 1});
        return false;
      });
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                [](const Bond& x, const Bond& y) { return x.b < y.b; });
      if (found.size() > 64 * range) dense = true;  // an atom has up to 7 with later ones, in metals
    }
  });
  if (dense) {
    if (crowded) *crowded = true;
    return bonds_along_chains(topology, bonding, sites, frame.positions);
  }
  std::vector<Bond> bonds;
  std::size_t total = 0;
  for (const std::vector<Bond>& part : parts) total += part.size();
  bonds.reserve(total);
  for (std::vector<Bond>& part : parts) {
    bonds.insert(bonds.end(), part.begin(), part.end());
    part = std::vector<Bond>();
  }
  // In a cell smaller than two bonds an atom may meet two images of the same neighbour.
  bonds.erase(std::unique(bonds.begin(), bonds.end()), bonds.end());
  return bonds;
}

std::vector<std::uint32_t> fragments(const Topology& topology) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const BondTable table = bond_table(topology);
  std::vector<std::uint32_t> number(topology.atoms.size(), none);
  std::vector<std::uint32_t> open;
  std::uint32_t count = 0;
  for (std::uint32_t start = 0; start < number.size(); ++start) {
    if (number[start] != none) continue;
    number[start] = count;
    open.push_back(start);
    while (!open.empty()) {
      const std::uint32_t atom = open.back();
      open.pop_back();
      for (std::uint32_t k = table.offsets[atom]; k < table.offsets[atom + 1]; ++k) {
        const std::uint32_t next = table.items[k];
        if (number[next] != none) continue;
        number[next] = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return number;
}

}  // namespace isolume
