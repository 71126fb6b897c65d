// Molecules made whole, wrapped or centred in their periodic cell.
#include "molecule/whole_molecules.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace isolume {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A difference shorter than this (squared) has no shorter image, so that most bonds need no search.
double safe_square(const Cell& cell) {
  const glm::dmat3& m = cell.vectors;
  const double widest = std::max(
      {glm::length(glm::cross(m[0], m[1])), glm::length(glm::cross(m[1], m[2])), glm::length(glm::cross(m[2], m[0]))});
  const double half_width = 0.5 * cell.volume() / widest;
  return half_width * half_width;
}

glm::dvec3 difference(const Frame& frame, std::uint32_t from, std::uint32_t to) {
  return glm::dvec3(frame.positions[to]) - glm::dvec3(frame.positions[from]);
}

/// By what `d` moves to its shortest image.
glm::dvec3 shift_of(const Cell& cell, glm::dvec3 d, double safe) {
  return glm::dot(d, d) < safe ? glm::dvec3(0) : cell.minimum_image(d) - d;
}

bool treatable(const Frame& frame, std::size_t atoms, std::size_t of) {
  return frame.positions.size() == atoms && cell_holds(frame.cell, of);
}

enum class Part : std::uint8_t { atom, anchor, site };

/// Virtual sites (no element, no bonds) go with the first bonded atom of their residue, their anchor.
std::vector<Part> parts_of(const Topology& topology, const BondTable& table) {
  std::vector<Part> parts(topology.atoms.size(), Part::atom);
  const auto bonded = [&](std::uint32_t i) { return table.offsets[i] != table.offsets[i + 1]; };
  for (const Residue& residue : topology.residues) {
    const std::uint32_t end = residue.first_atom + residue.atom_count;
    std::uint32_t anchor = residue.first_atom;
    while (anchor < end && !bonded(anchor)) ++anchor;
    for (std::uint32_t i = residue.first_atom; anchor < end && i < end; ++i) {
      if (topology.atoms[i].element != 0 || bonded(i)) continue;
      parts[i] = Part::site;
      parts[anchor] = Part::anchor;
    }
  }
  return parts;
}

/// Molecule of every atom, 0, 1, ... in the order of their first atoms.
std::vector<std::uint32_t> numbers_of(std::size_t atoms, const std::vector<std::uint32_t>& order,
                                      const std::vector<std::uint32_t>& starts) {
  std::vector<std::uint32_t> numbers(atoms, 0);
  for (std::uint32_t m = 0; m + 1 < starts.size(); ++m)
    for (std::uint32_t i = starts[m]; i < starts[m + 1]; ++i) numbers[order[i]] = m;
  return numbers;
}

}  // namespace

bool cell_holds(const Cell& cell, std::size_t atoms) {
  return cell.exists() && cell.volume() >= 5.0 * static_cast<double>(std::min<std::size_t>(atoms, 1u << 31));
}

MoleculeTree::MoleculeTree(const Topology& topology, const Frame& first) {
  const std::size_t atoms = topology.atoms.size();
  atoms_ = all_atoms_ = atoms;
  const BondTable table = bond_table(topology);
  const std::vector<Part> parts = parts_of(topology, table);
  std::vector<std::uint8_t> seen(atoms, 0);
  order_.reserve(atoms);
  for (std::uint32_t root = 0; root < atoms; ++root) {
    if (seen[root] || parts[root] == Part::site) continue;
    seen[root] = 1;
    starts_.push_back(static_cast<std::uint32_t>(order_.size()));
    order_.push_back(root);
    for (std::size_t at = starts_.back(); at < order_.size(); ++at) {
      const std::uint32_t atom = order_[at];
      for (std::uint32_t i = table.offsets[atom]; i < table.offsets[atom + 1]; ++i) {
        const std::uint32_t next = table.items[i];
        if (seen[next]) continue;
        seen[next] = 1;
        steps_.push_back({atom, next});
        order_.push_back(next);
      }
      if (parts[atom] != Part::anchor) continue;
      const Residue& residue = topology.residue_of(atom);
      for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        if (parts[i] != Part::site) continue;
        steps_.push_back({atom, i});
        order_.push_back(i);
      }
    }
  }
  starts_.push_back(static_cast<std::uint32_t>(order_.size()));
  if (!treatable(first, atoms, atoms) || steps_.empty()) return;
  // In a molecule with an end every bond is as short along the tree as it is by its nearest image.
  Frame whole;
  whole.positions = first.positions;
  whole.cell = first.cell;
  make_whole(whole);
  const std::vector<std::uint32_t> numbers = numbers_of(atoms, order_, starts_);
  std::vector<std::uint8_t> endless(starts_.size() - 1, 0);
  const double safe = safe_square(whole.cell);
  bool any = false;
  for (const Bond& bond : topology.bonds) {
    const glm::dvec3 shift = shift_of(whole.cell, difference(whole, bond.a, bond.b), safe);
    if (glm::dot(shift, shift) < 0.01) continue;
    endless[numbers[bond.a]] = 1;
    any = true;
  }
  if (any) remove_endless(endless);
}

void MoleculeTree::remove_endless(const std::vector<std::uint8_t>& endless) {
  const std::vector<std::uint32_t> numbers = numbers_of(order_.size(), order_, starts_);
  std::erase_if(steps_, [&](const Step& step) { return endless[numbers[step.from]] != 0; });
  std::vector<std::uint32_t> starts;
  for (std::size_t m = 0; m < endless.size(); ++m) {
    starts.push_back(starts_[m]);
    for (std::uint32_t i = starts_[m] + 1; endless[m] && i < starts_[m + 1]; ++i) starts.push_back(i);
  }
  starts.push_back(starts_.back());
  starts_ = std::move(starts);
}

MoleculeTree MoleculeTree::leading(std::size_t atoms) const {
  MoleculeTree tree;
  tree.all_atoms_ = all_atoms_;
  tree.atoms_ = std::min(atoms, all_atoms_);
  for (std::size_t m = 0; m + 1 < starts_.size(); ++m) {
    const auto [low, high] = std::minmax_element(order_.begin() + starts_[m], order_.begin() + starts_[m + 1]);
    if (*low < atoms) tree.atoms_ = std::max<std::size_t>(tree.atoms_, *high + std::size_t{1});
  }
  for (const Step& step : steps_) {
    if (std::max(step.from, step.to) < tree.atoms_) tree.steps_.push_back(step);
  }
  return tree;
}

void MoleculeTree::make_whole(Frame& frame) const {
  if (!treatable(frame, atoms_, all_atoms_)) return;
  const double safe = safe_square(frame.cell);
  const bool precise = frame.precise_positions.size() == frame.positions.size();
  for (const auto& [from, to] : steps_) {
    const glm::dvec3 d = difference(frame, from, to);
    if (glm::dot(d, d) < safe) continue;
    const glm::dvec3 shift = frame.cell.minimum_image(d) - d;
    frame.positions[to] += glm::vec3(shift);
    if (precise) frame.precise_positions[to] += shift;
  }
}

glm::dvec3 MoleculeTree::middle(const Frame& frame, std::size_t molecule) const {
  glm::dvec3 sum(0);
  for (std::uint32_t i = starts_[molecule]; i < starts_[molecule + 1]; ++i)
    sum += glm::dvec3(frame.positions[order_[i]]);
  return sum / static_cast<double>(starts_[molecule + 1] - starts_[molecule]);
}

void MoleculeTree::move(Frame& frame, std::size_t molecule, glm::dvec3 shift) const {
  if (shift == glm::dvec3(0)) return;
  const bool precise = frame.precise_positions.size() == frame.positions.size();
  for (std::uint32_t i = starts_[molecule]; i < starts_[molecule + 1]; ++i) {
    frame.positions[order_[i]] += glm::vec3(shift);
    if (precise) frame.precise_positions[order_[i]] += shift;
  }
}

void MoleculeTree::wrap(Frame& frame) const {
  if (!treatable(frame, atoms_, all_atoms_)) return;
  const glm::dmat3 inverse = glm::inverse(frame.cell.vectors);
  for (std::size_t m = 0; m + 1 < starts_.size(); ++m)
    move(frame, m, frame.cell.vectors * -glm::floor(inverse * middle(frame, m)));
}

MoleculeTree::Centred MoleculeTree::centred(std::vector<std::uint32_t> atoms) const {
  const std::size_t count = starts_.size() - 1;
  const auto size = [&](std::size_t m) { return starts_[m + 1] - starts_[m]; };
  Centred result{std::move(atoms), {}, std::vector<std::uint8_t>(count, 0)};
  if (result.atoms.empty() && count > 0) {
    std::uint32_t largest = 0;
    for (std::uint32_t m = 1; m < count; ++m)
      if (size(m) > size(largest)) largest = m;
    result.atoms.assign(order_.begin() + starts_[largest], order_.begin() + starts_[largest + 1]);
  }
  const std::vector<std::uint32_t> numbers = numbers_of(order_.size(), order_, starts_);
  for (const std::uint32_t atom : result.atoms) {
    if (result.mask[numbers[atom]]) continue;
    result.mask[numbers[atom]] = 1;
    result.molecules.push_back(numbers[atom]);
  }
  std::stable_sort(result.molecules.begin(), result.molecules.end(), [&](auto a, auto b) { return size(a) > size(b); });
  return result;
}

void MoleculeTree::centre(Frame& frame, const Centred& chosen) const {
  if (!treatable(frame, atoms_, all_atoms_) || chosen.atoms.empty()) return;
  const std::vector<std::uint32_t>& together = chosen.molecules;
  // Each next one in the image nearest to one that has its place; of many, nearest to the largest.
  constexpr std::size_t few = 64;
  std::vector<glm::dvec3> middles;
  for (const std::uint32_t m : together) middles.push_back(middle(frame, m));
  std::vector<std::uint32_t> nearest(together.size(), 0);
  std::vector<glm::dvec3> away(together.size());  // from the nearest, by the shortest image
  std::vector<std::uint8_t> placed(together.size(), 0);
  placed[0] = 1;
  for (std::size_t i = 1; i < together.size(); ++i) away[i] = frame.cell.minimum_image(middles[i] - middles[0]);
  for (std::size_t round = 1; round < together.size(); ++round) {
    std::size_t next = round;
    if (together.size() <= few) {
      next = none;
      for (std::size_t i = 1; i < together.size(); ++i)
        if (!placed[i] && (next == none || glm::dot(away[i], away[i]) < glm::dot(away[next], away[next]))) next = i;
    }
    placed[next] = 1;
    const glm::dvec3 there = middles[nearest[next]] + away[next];
    move(frame, together[next], there - middles[next]);
    middles[next] = there;
    for (std::size_t i = 1; i < together.size() && together.size() <= few; ++i) {
      if (placed[i]) continue;
      const glm::dvec3 d = frame.cell.minimum_image(middles[i] - middles[next]);
      if (glm::dot(d, d) >= glm::dot(away[i], away[i])) continue;
      away[i] = d;
      nearest[i] = static_cast<std::uint32_t>(next);
    }
  }
  glm::dvec3 mean(0);
  for (const std::uint32_t atom : chosen.atoms) mean += glm::dvec3(frame.positions[atom]);
  mean /= static_cast<double>(chosen.atoms.size());
  const glm::dvec3 shift = frame.cell.vectors * glm::dvec3(0.5) - mean;
  const glm::dmat3 inverse = glm::inverse(frame.cell.vectors);
  for (std::size_t m = 0; m + 1 < starts_.size(); ++m) {
    glm::dvec3 by = shift;
    if (!chosen.mask[m]) by -= frame.cell.vectors * glm::floor(inverse * (middle(frame, m) + shift));
    move(frame, m, by);
  }
}

std::vector<std::uint8_t> endless_bonds(const Topology& topology, const Frame& frame) {
  std::vector<std::uint8_t> result(topology.bonds.size(), 0);
  if (!treatable(frame, topology.atoms.size(), topology.atoms.size())) return result;
  const MoleculeTree tree(topology, frame);
  // What the tree makes whole has no bond across a face any more; what is left are bonds of molecules without an end.
  Frame whole;
  whole.positions = frame.positions;
  whole.cell = frame.cell;
  tree.make_whole(whole);
  const double safe = safe_square(whole.cell);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Bond& bond = topology.bonds[i];
    const glm::dvec3 shift = shift_of(whole.cell, difference(whole, bond.a, bond.b), safe);
    result[i] = glm::dot(shift, shift) >= 0.01;
  }
  return result;
}

}  // namespace isolume
