// Crystals: the copies of the asymmetric unit by the operators of the space group and the vectors of the cell.
#include "molecule/crystal/crystal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/missing.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr std::size_t most_operators = 512;  // 192 in the largest groups
constexpr double most_candidates = 1e6;
constexpr double longest_distance = 1000;  // angstrom
const std::string mates_word = "symmetry-mates";

/// One of the three parts of a triplet: "-x+1/2" or "1/2-x".
bool take_row(std::string_view text, int row, glm::dmat4& to) {
  double sign = 1;
  bool any = false;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '+' || c == '-') {
      sign = c == '-' ? -1 : 1;
      text.remove_prefix(1);
      continue;
    }
    const int axis = c == 'x' || c == 'X' ? 0 : c == 'y' || c == 'Y' ? 1 : c == 'z' || c == 'Z' ? 2 : -1;
    if (axis >= 0) {
      to[axis][row] += sign;
      text.remove_prefix(1);
    } else {
      double above = 0, below = 1;
      auto end = std::from_chars(text.data(), text.data() + text.size(), above);
      if (end.ec != std::errc() || !(above <= 24)) return false;
      text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
      if (!text.empty() && text.front() == '/') {
        end = std::from_chars(text.data() + 1, text.data() + text.size(), below);
        if (end.ec != std::errc() || !(below >= 1 && below <= 24)) return false;
        text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
      }
      to[3][row] += sign * above / below;
    }
    if (!text.empty() && text.front() != '+' && text.front() != '-') return false;
    sign = 1;
    any = true;
  }
  return any;
}

/// "2_645": digits of the shift plus five, or the numbers themselves where they are no digits.
std::string copy_name(const std::string& number, glm::ivec3 shift) {
  const glm::ivec3 digits = shift + 5;
  if (glm::all(glm::greaterThanEqual(digits, glm::ivec3(0))) && glm::all(glm::lessThan(digits, glm::ivec3(10))))
    return number + "_" + std::to_string(digits.x) + std::to_string(digits.y) + std::to_string(digits.z);
  return number + "_(" + std::to_string(shift.x) + "," + std::to_string(shift.y) + "," + std::to_string(shift.z) + ")";
}

/// A molecule's cell, its operators in angstrom, and its atoms.
struct Crystal {
  Cell cell;
  std::vector<glm::dmat4> operators;
  std::vector<std::string> numbers;  ///< of the operators
  std::vector<glm::vec3> places;     ///< finite ones
  glm::dvec3 centre{0};
};

Crystal crystal_of(const Molecule& molecule) {
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  const Frame frame = molecule.trajectory->frame(0);
  const std::string file = molecule.paths.empty() ? "the file" : molecule.paths.front();
  if (!frame.cell.exists()) throw Error("symmetry mates: " + file + " has no cell (CRYST1, _cell)", Error::Kind::usage);
  Crystal crystal;
  crystal.cell = frame.cell;
  for (const auto& assembly : molecule.assemblies) {
    if (assembly->id != unit_cell_id) continue;
    crystal.operators = assembly->parts.front().operators;
    for (const std::string& name : assembly->parts.front().names)
      crystal.numbers.push_back(name.substr(0, name.find('_')));
  }
  if (crystal.operators.empty()) {
    crystal.operators = {glm::dmat4(1.0)};
    crystal.numbers = {"1"};
  }
  for (const glm::vec3& place : frame.positions) {
    if (!std::isfinite(place.x) || !std::isfinite(place.y) || !std::isfinite(place.z)) continue;
    crystal.places.push_back(place);
    crystal.centre += glm::dvec3(place);
  }
  if (crystal.places.empty()) throw Error(missing_positions(molecule), Error::Kind::usage);
  crystal.centre /= static_cast<double>(crystal.places.size());
  return crystal;
}

std::vector<std::uint32_t> all_chains(const Topology& topology) {
  std::vector<std::uint32_t> chains(topology.chains.size());
  for (std::uint32_t i = 0; i < chains.size(); ++i) chains[i] = i;
  return chains;
}

glm::dvec3 moved(const glm::dmat4& by, glm::dvec3 place) {
  return glm::dvec3(by * glm::dvec4(place, 1));
}

glm::dmat4 shifted(glm::dmat4 by, const Cell& cell, glm::ivec3 shift) {
  by[3] += glm::dvec4(cell.vectors * glm::dvec3(shift), 0);
  return by;
}

/// Finds whether copies touch the asymmetric unit.
class Touch {
 public:
  Touch(const Crystal& crystal, double distance)
      : crystal_(crystal), grid_(crystal.places, distance), low_(crystal.places[0]), high_(crystal.places[0]) {
    for (const glm::vec3& place : crystal.places) {
      low_ = glm::min(low_, glm::dvec3(place));
      high_ = glm::max(high_, glm::dvec3(place));
      reach_ = std::max(reach_, glm::distance(crystal.centre, glm::dvec3(place)));
    }
    low_ -= distance;
    high_ += distance;
    reach_ = 2 * reach_ + distance;
  }

  /// How far apart the centres of two copies that touch may be.
  double reach() const { return reach_; }

  bool operator()(const glm::dmat4& by) const {
    if (glm::distance(moved(by, crystal_.centre), crystal_.centre) > reach_) return false;
    check_stop();
    return std::any_of(crystal_.places.begin(), crystal_.places.end(), [&](const glm::vec3& place) {
      const glm::dvec3 at = moved(by, glm::dvec3(place));
      if (glm::any(glm::lessThan(at, low_)) || glm::any(glm::greaterThan(at, high_))) return false;
      return grid_.visit(glm::vec3(at), [](std::uint32_t, double) { return true; });
    });
  }

 private:
  const Crystal& crystal_;
  NeighbourGrid grid_;
  glm::dvec3 low_, high_;
  double reach_ = 0;
};

/// The operators with every copy's centre in the cell.
Assembly packed_cell(const Molecule& molecule, const Assembly& given) {
  const Crystal crystal = crystal_of(molecule);
  const glm::dmat3 fractions = glm::inverse(crystal.cell.vectors);
  Assembly cell = given;
  cell.fills_cell = true;
  AssemblyPart& part = cell.parts.front();
  for (std::size_t i = 0; i < part.operators.size(); ++i) {
    const glm::dvec3 at = fractions * moved(crystal.operators[i], crystal.centre);
    const glm::ivec3 shift(-glm::floor(at + 1e-9));
    part.operators[i] = shifted(crystal.operators[i], crystal.cell, shift);
    part.names[i] = copy_name(crystal.numbers[i], shift);
  }
  return cell;
}

}  // namespace

std::optional<glm::dmat4> symmetry_operator(std::string_view triplet) {
  std::string text;
  for (const char c : triplet)
    if (c != ' ' && c != '\t') text += c;
  glm::dmat4 found(0.0);
  found[3][3] = 1;
  std::string_view rest = text;
  for (int row = 0; row < 3; ++row) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (row == 2)) return std::nullopt;
    if (!take_row(rest.substr(0, comma), row, found)) return std::nullopt;
    if (row < 2) rest.remove_prefix(comma + 1);
  }
  if (std::abs(std::abs(glm::determinant(glm::dmat3(found))) - 1) > 1e-9) return std::nullopt;
  return found;
}

std::shared_ptr<const Assembly> unit_cell(const Topology& topology, const Cell& cell,
                                          const std::vector<std::string>& triplets, const std::string& group, int z) {
  if (triplets.empty() || triplets.size() > most_operators || !cell.exists() || topology.chains.empty()) return nullptr;
  const glm::dmat4 to(cell.vectors), from(glm::inverse(cell.vectors));
  AssemblyPart part;
  part.chains = all_chains(topology);
  for (const std::string& triplet : triplets) {
    const auto fractional = symmetry_operator(triplet);
    if (!fractional) return nullptr;
    part.operators.push_back(to * *fractional * from);
    part.names.push_back(copy_name(std::to_string(part.operators.size()), glm::ivec3(0)));
  }
  // The first of a list is the identity wherever lists are in order; names count on it.
  part.operators.front() = glm::dmat4(1.0);
  if (*symmetry_operator(triplets.front()) != glm::dmat4(1.0)) return nullptr;
  return std::make_shared<const Assembly>(Assembly{
      unit_cell_id, "unit cell of the crystal" + (group.empty() ? "" : ", " + group), {std::move(part)}, group, z});
}

SpaceGroup space_group_of(const Molecule& molecule, const Cell& cell) {
  const auto found = std::find_if(molecule.assemblies.begin(), molecule.assemblies.end(),
                                  [](const auto& assembly) { return assembly->id == unit_cell_id; });
  if (found == molecule.assemblies.end() || (*found)->space_group.empty() || !cell.exists()) return {};
  const Cell usual = Cell::from_lengths_angles(cell.lengths(), cell.angles());
  for (int i = 0; i < 3; ++i)
    if (glm::length(usual.vectors[i] - cell.vectors[i]) > 1e-4 * cell.lengths()[i]) return {};
  // In fractions of its own cell an operator is of whole numbers, and shifts by twelfths and eighths at most.
  const auto whole = [](double x) { return std::abs(x - std::round(x)) < 1e-3; };
  const glm::dmat4 to(cell.vectors), from(glm::inverse(cell.vectors));
  for (const glm::dmat4& place : (*found)->parts.front().operators) {
    const glm::dmat4 fractional = from * place * to;
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 3; ++row)
        if (!whole(fractional[column][row] * (column == 3 ? 24 : 1))) return {};
  }
  return {(*found)->space_group, (*found)->z};
}

bool is_of_crystal(const std::string& id) {
  return id == unit_cell_id || id.starts_with(mates_word);
}

std::optional<double> mates_distance(const std::string& id) {
  if (!id.starts_with(mates_word)) return std::nullopt;
  std::string_view text = std::string_view(id).substr(mates_word.size());
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double distance = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), distance);
  if (fault != std::errc() || end != text.data() + text.size() || !(distance >= 0 && distance <= longest_distance))
    throw Error("assembly " + id + ": expected a distance from 0 to 1000 angstrom, as in \"symmetry-mates 5\"",
                Error::Kind::usage);
  return distance;
}

std::string mates_id(double distance) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), distance);
  return mates_word + " " + std::string(text.data(), end.ptr);
}

Assembly symmetry_mates(const Molecule& molecule, double distance) {
  const Crystal crystal = crystal_of(molecule);
  const Touch touches(crystal, distance);
  const glm::dmat3 fractions = glm::inverse(crystal.cell.vectors);
  // A place within reach of another differs from it by no more than this in fractions of the cell.
  glm::dvec3 width;
  for (int row = 0; row < 3; ++row)
    width[row] = touches.reach() * glm::length(glm::dvec3(fractions[0][row], fractions[1][row], fractions[2][row]));
  const glm::dvec3 each = 2.0 * width + 1.0;
  if (!(each.x * each.y * each.z * static_cast<double>(crystal.operators.size()) <= most_candidates))
    throw Error("symmetry mates: the cell is too small for its atoms and this distance (more than a million copies)",
                Error::Kind::usage);
  Assembly mates;
  mates.id = mates_id(distance);
  AssemblyPart part;
  part.chains = all_chains(*molecule.topology);
  part.operators = {glm::dmat4(1.0)};
  part.names = {asymmetric_unit_name};
  for (std::size_t i = 0; i < crystal.operators.size(); ++i) {
    const glm::dvec3 apart = fractions * (crystal.centre - moved(crystal.operators[i], crystal.centre));
    const glm::ivec3 low(glm::ceil(apart - width)), high(glm::floor(apart + width));
    for (int x = low.x; x <= high.x; ++x)
      for (int y = low.y; y <= high.y; ++y)
        for (int z = low.z; z <= high.z; ++z) {
          const std::string name = copy_name(crystal.numbers[i], {x, y, z});
          const glm::dmat4 by = shifted(crystal.operators[i], crystal.cell, {x, y, z});
          if (name == asymmetric_unit_name || !touches(by)) continue;
          part.operators.push_back(by);
          part.names.push_back(name);
        }
  }
  mates.details = std::to_string(part.operators.size() - 1) + " symmetry mates";
  mates.parts = {std::move(part)};
  return mates;
}

Assembly assembly_of(const Molecule& molecule, const std::string& id) {
  if (const auto distance = mates_distance(id)) return symmetry_mates(molecule, *distance);
  const Assembly& found = find_assembly(molecule, id);
  return id == unit_cell_id ? packed_cell(molecule, found) : found;
}

bool is_crystal(const Topology& topology) {
  return std::any_of(topology.notes.begin(), topology.notes.end(), [](const std::string& note) {
    return note.starts_with("Assembly " + std::string(unit_cell_id)) || note.starts_with("Assembly " + mates_word);
  });
}

}  // namespace isolume
