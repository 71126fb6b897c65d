// One colour per atom.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "molecule/elements.h"
#include "molecule/error.h"
#include "render/represent/palette.h"
#include "render/represent/represent.h"

namespace isolume {
namespace {

constexpr std::array<std::pair<Colouring, const char*>, 8> colourings = {{{Colouring::element, "element"},
                                                                          {Colouring::chain, "chain"},
                                                                          {Colouring::residue, "residue"},
                                                                          {Colouring::structure, "structure"},
                                                                          {Colouring::charge, "charge"},
                                                                          {Colouring::b_factor, "b factor"},
                                                                          {Colouring::index, "index"},
                                                                          {Colouring::uniform, "uniform"}}};

glm::u8vec4 structure_colour(SecondaryStructure structure) {
  switch (structure) {
    case SecondaryStructure::helix:
      return {204, 76, 104, 255};
    case SecondaryStructure::helix_3_10:
      return {158, 58, 120, 255};
    case SecondaryStructure::helix_pi:
      return {112, 48, 110, 255};
    case SecondaryStructure::strand:
      return {237, 174, 73, 255};
    case SecondaryStructure::turn:
      return {140, 184, 216, 255};
    case SecondaryStructure::coil:
      break;
  }
  return {196, 203, 210, 255};
}

/// Values at which a share of the atoms lies below.
std::pair<float, float> range_of_b_factors(const Topology& topology, double low, double high) {
  std::vector<float> values;
  for (const Atom& atom : topology.atoms)
    if (std::isfinite(atom.b_factor)) values.push_back(atom.b_factor);
  if (values.empty()) return {0, 1};
  std::sort(values.begin(), values.end());
  const auto at = [&values](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(low), at(high)};
}

}  // namespace

const char* name(Colouring colouring) {
  for (const auto& [value, text] : colourings)
    if (value == colouring) return text;
  return "unknown";
}

Colouring colouring_from_name(const std::string& name) {
  std::string plain, known;
  for (const char c : name) plain += c == '_' || c == '-' ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (const auto& [value, text] : colourings) {
    if (plain == text) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  throw Error(fmt::format("there is no colouring \"{}\"; there are {}", name, known), Error::Kind::usage);
}

std::vector<glm::u8vec4> colour_atoms(const Topology& topology, Colouring colouring, glm::u8vec4 uniform) {
  const std::size_t n = topology.atoms.size();
  std::vector<glm::u8vec4> colours(n, uniform);
  const auto set = [&](auto&& colour) {
    for (std::size_t i = 0; i < n; ++i) colours[i] = colour(i);
  };
  switch (colouring) {
    case Colouring::uniform:
      set([uniform](std::size_t) { return glm::u8vec4(glm::u8vec3(uniform), 255); });
      break;
    case Colouring::element:
      set([&](std::size_t i) {
        const int number = topology.atoms[i].element;
        if (number == 6 && uniform.a > 0) return glm::u8vec4(glm::u8vec3(uniform), 255);
        return glm::u8vec4(element(number).colour, 255);
      });
      break;
    case Colouring::chain: {
      // Chains of one name are one, also where waters and ligands of theirs stand apart.
      std::map<std::pair<std::string, std::string>, std::size_t> numbers;
      std::vector<glm::u8vec4> of_chain;
      for (const Chain& chain : topology.chains)
        of_chain.push_back(
            category_colour(numbers.emplace(std::pair(chain.id, chain.segment), numbers.size()).first->second));
      set([&](std::size_t i) { return of_chain[topology.residue_of(i).chain]; });
      break;
    }
    case Colouring::residue:
      set([&](std::size_t i) { return residue_colour(topology.residue_of(i).name); });
      break;
    case Colouring::structure:
      set([&](std::size_t i) { return structure_colour(topology.residue_of(i).structure); });
      break;
    case Colouring::charge: {
      const auto charge = [&](std::size_t i) {
        return topology.has_charges ? topology.atoms[i].charge : static_cast<float>(topology.atoms[i].formal_charge);
      };
      // A charge of one (or the largest, where all are less) is full colour.
      float largest = 0.1f;
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(charge(i)));
      largest = std::min(largest, 1.0f);
      set([&](std::size_t i) { return diverging_colour(charge(i) / largest); });
      break;
    }
    case Colouring::b_factor: {
      // Between the 5th and the 95th percentile, so that one loose end does not make all else dark.
      const auto [low, high] = range_of_b_factors(topology, 0.05, 0.95);
      set([&, low = low, high = high](std::size_t i) {
        return sequential_colour(high > low ? (topology.atoms[i].b_factor - low) / (high - low) : 0.5);
      });
      break;
    }
    case Colouring::index:
      set([&](std::size_t i) {
        return sequential_colour(n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.5);
      });
      break;
  }
  return colours;
}

}  // namespace isolume
