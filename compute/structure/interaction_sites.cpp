// What of a topology can interact: charged groups and aromatic rings.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "compute/structure/interaction_pairs.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr double flat = 0.12;           // angstrom from the plane
constexpr double aromatic_bond = 1.45;  // angstrom: 1.34 to 1.42 in aromatic rings, 1.50 in proline, 1.47 in ribose

template <std::size_t size>
bool among(std::string_view name, const std::array<std::string_view, size>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 5> histidines{"HIS", "HID", "HIE", "HSD", "HSE"};
constexpr std::array<std::string_view, 2> charged_histidines{"HIP", "HSP"};
constexpr std::array<std::string_view, 4> aromatic{"PHE", "TYR", "TRP", "TYM"};

class Finder {
 public:
  Finder(const Topology& topology, const Frame& frame) : topology_(topology), frame_(frame) {
    sites_.bonds = bond_table(topology);
  }

  InteractionSites find() {
    for (std::uint32_t r = 0; r < topology_.residues.size(); ++r) {
      const ResidueKind kind = residue_kind(topology_, r);
      if (kind == ResidueKind::water) continue;
      add_charges(r);
      if (topology_.residues[r].atom_count >= 5) add_rings(r);
    }
    return std::move(sites_);
  }

 private:
  std::span<const std::uint32_t> neighbours(std::uint32_t i) const {
    return {sites_.bonds.items.data() + sites_.bonds.offsets[i],
            sites_.bonds.items.data() + sites_.bonds.offsets[i + 1]};
  }
  int element(std::uint32_t i) const { return topology_.atoms[i].element; }

  std::vector<std::uint32_t> named(const Residue& residue, std::initializer_list<std::string_view> names) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
      if (std::find(names.begin(), names.end(), topology_.atoms[i].name) != names.end()) result.push_back(i);
    return result;
  }

  void add_charges(std::uint32_t r) {
    const Residue& residue = topology_.residues[r];
    const std::string& name = residue.name;
    std::vector<std::vector<std::uint32_t>> found;
    if (name == "LYS") found.push_back(named(residue, {"NZ"}));
    if (name == "ARG") found.push_back(named(residue, {"NE", "NH1", "NH2"}));
    const bool both = named(residue, {"HD1", "HE2"}).size() == 2;
    if (among(name, charged_histidines) || (both && among(name, histidines)))
      found.push_back(named(residue, {"ND1", "NE2"}));
    std::vector<std::uint32_t> known;
    for (const auto& atoms : found) known.insert(known.end(), atoms.begin(), atoms.end());
    const auto is_new = [&](std::uint32_t i) { return std::find(known.begin(), known.end(), i) == known.end(); };
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const auto around = neighbours(i);
      if (element(i) == 7 && is_new(i) && (around.size() >= 4 || topology_.atoms[i].formal_charge > 0))
        found.push_back({i});
      if (element(i) == 6) {  // guanidinium: carbon with three nitrogens
        const bool three = around.size() == 3 && std::all_of(around.begin(), around.end(), [&](std::uint32_t j) {
                             return element(j) == 7 && is_new(j) && topology_.atoms[j].residue == r;
                           });
        if (three) found.emplace_back(around.begin(), around.end());
      }
      const std::size_t least = element(i) == 6 || element(i) == 15 ? 2 : element(i) == 16 ? 3 : 0;
      if (least == 0) continue;
      std::vector<std::uint32_t> ends;
      for (const std::uint32_t j : around)
        if (element(j) == 8 && neighbours(j).size() == 1) ends.push_back(j);
      if (ends.size() >= least) sites_.negative.push_back({ends, r});
    }
    for (auto& atoms : found)
      if (!atoms.empty()) sites_.positive.push_back({std::move(atoms), r});
  }

  bool may_be_in_ring(std::uint32_t i, std::uint32_t residue) const {
    const int z = element(i);
    return topology_.atoms[i].residue == residue && (z == 6 || z == 7 || z == 8 || z == 16) &&
           neighbours(i).size() <= 3;
  }

  void add_rings(std::uint32_t r) {
    const Residue& residue = topology_.residues[r];
    const bool known =
        among(residue.name, aromatic) || among(residue.name, histidines) || among(residue.name, charged_histidines);
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      if (!may_be_in_ring(i, r)) continue;
      std::vector<std::uint32_t> way{i};
      extend(way, r, known);
    }
  }

  // Ways from the smallest atom of a ring back to it, in one of the two directions.
  void extend(std::vector<std::uint32_t>& way, std::uint32_t r, bool known) {
    for (const std::uint32_t next : neighbours(way.back())) {
      if (next == way.front() && way.size() >= 5 && way[1] < way.back()) {
        if (known || is_aromatic(way)) sites_.rings.push_back({way, r});
        continue;
      }
      if (way.size() == 6 || next <= way.front() || !may_be_in_ring(next, r) ||
          std::find(way.begin(), way.end(), next) != way.end())
        continue;
      way.push_back(next);
      extend(way, r, known);
      way.pop_back();
    }
  }

  bool is_aromatic(const std::vector<std::uint32_t>& ring) const {
    const SitePlace place = place_of(ring, frame_);
    double length = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const glm::dvec3 at(frame_.positions[ring[k]]), next(frame_.positions[ring[(k + 1) % ring.size()]]);
      if (!(std::abs(glm::dot(at - place.centre, place.normal)) <= flat)) return false;
      length += glm::distance(at, next);
    }
    return length <= aromatic_bond * static_cast<double>(ring.size());
  }

  const Topology& topology_;
  const Frame& frame_;
  InteractionSites sites_;
};

}  // namespace

SitePlace place_of(const std::vector<std::uint32_t>& atoms, const Frame& frame) {
  SitePlace place;
  for (const std::uint32_t i : atoms) place.centre += glm::dvec3(frame.positions[i]);
  place.centre /= static_cast<double>(std::max<std::size_t>(1, atoms.size()));
  // The area of the polygon as a vector: of a ring that is not quite flat the plane by least squares, nearly.
  for (std::size_t k = 0; k < atoms.size(); ++k)
    place.normal += glm::cross(glm::dvec3(frame.positions[atoms[k]]) - place.centre,
                               glm::dvec3(frame.positions[atoms[(k + 1) % atoms.size()]]) - place.centre);
  const double length = glm::length(place.normal);
  if (length > 0) place.normal /= length;
  return place;
}

InteractionSites interaction_sites(const Topology& topology, const Frame& frame) {
  if (frame.positions.size() != topology.atoms.size())
    throw Error("interactions: " + std::to_string(topology.atoms.size()) + " atoms and " +
                std::to_string(frame.positions.size()) + " positions");
  return Finder(topology, frame).find();
}

}  // namespace isolume
