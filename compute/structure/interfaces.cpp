// Which chains and ligands of a structure touch, and the areas that they bury against each other.
#include "compute/structure/interfaces.h"

#include <algorithm>
#include <limits>

#include "compute/structure/interface_area.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr float reach = 9;             // angstrom: farther than two spheres with the probe between them ever reach
constexpr double smallest_area = 0.5;  // angstrom^2
constexpr std::size_t large = 20000;   // atoms of a pair whose own progress is worth showing

struct Box {
  glm::vec3 lower{std::numeric_limits<float>::max()}, upper{std::numeric_limits<float>::lowest()};
};

Box box_of(const StructurePart& part, const Frame& frame) {
  Box box;
  for (const std::uint32_t atom : part.atoms) {
    box.lower = glm::min(box.lower, frame.positions[atom]);
    box.upper = glm::max(box.upper, frame.positions[atom]);
  }
  return box;
}

bool near(const Box& a, const Box& b) {
  for (int d = 0; d < 3; ++d)
    if (a.lower[d] > b.upper[d] + reach || b.lower[d] > a.upper[d] + reach) return false;
  return true;
}

/// Made for a pair at a time: a membrane has thousands of ligands.
std::vector<std::uint8_t> mask_of(const StructurePart& part, std::size_t count) {
  std::vector<std::uint8_t> mask(count, 0);
  for (const std::uint32_t atom : part.atoms) mask[atom] = 1;
  return mask;
}

}  // namespace

std::vector<StructurePart> structure_parts(const Topology& topology, const Frame& frame) {
  const auto polymer = Selection("protein or nucleic").mask(topology, frame);
  const auto ligand = Selection("ligand").mask(topology, frame);
  std::vector<StructurePart> parts(topology.chains.size()), ligands;
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    const Residue& residue = topology.residue_of(i);
    const std::string& chain = topology.chains[residue.chain].id;
    if (polymer[i]) {
      parts[residue.chain].name = "Chain " + (chain.empty() ? std::to_string(residue.chain + 1) : chain);
      parts[residue.chain].atoms.push_back(i);
    } else if (ligand[i]) {
      if (topology.atoms[i].residue != last)
        ligands.emplace_back().name =
            residue.name + " " + chain + (chain.empty() ? "" : ":") + std::to_string(residue.number);
      last = topology.atoms[i].residue;
      ligands.back().atoms.push_back(i);
    }
  }
  std::erase_if(parts, [](const StructurePart& part) { return part.atoms.empty(); });
  for (StructurePart& part : ligands) parts.push_back(std::move(part));
  return parts;
}

std::vector<Interface> interfaces(const Topology& topology, const Frame& frame, std::span<const StructurePart> parts,
                                  Job& job) {
  std::vector<Box> boxes;
  for (const StructurePart& part : parts) boxes.push_back(box_of(part, frame));
  std::vector<Interface> found;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    const auto first = mask_of(parts[a], topology.atoms.size());
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      job.check();
      if (!near(boxes[a], boxes[b])) continue;
      // Small ones are done before anyone could cancel them; their own progress would only flicker.
      Job quick;
      Job& shown = parts[a].atoms.size() + parts[b].atoms.size() > large ? job : quick;
      const auto second = mask_of(parts[b], topology.atoms.size());
      const double area = interface_area(topology, frame, first, second, {}, shown).area();
      if (area >= smallest_area) found.push_back({a, b, area});
    }
    job.progress(static_cast<double>(a + 1) / static_cast<double>(parts.size()), "Computing the interfaces");
  }
  std::stable_sort(found.begin(), found.end(), [](const Interface& x, const Interface& y) { return x.area > y.area; });
  return found;
}

}  // namespace isolume
