// The text of Molden files, section by section.
#include "formats/orbitals/molden_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {

MoldenBlock& MoldenReader::block() {
  if (blocks_.empty()) blocks_.emplace_back();
  return blocks_.back();
}

std::vector<MoldenBlock> MoldenReader::read() {
  while (advance() && trimmed(lines_.line()).empty()) {
  }
  if (!more_ || !starts_with_nocase(trimmed(lines_.line()), "[MOLDEN FORMAT]")) {
    lines_.fail("a Molden file begins with [Molden Format]");
  }
  advance();
  while (more_) {
    if (in_section()) {
      advance();
    } else {
      section();
    }
  }
  const auto is_empty = [](const MoldenBlock& b) { return b.atoms.empty() && b.geometries.empty(); };
  blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(), is_empty), blocks_.end());
  if (blocks_.empty()) lines_.fail("a Molden file without [Atoms] and [GEOMETRIES]");
  return std::move(blocks_);
}

void MoldenReader::section() {
  const std::string_view line = trimmed(lines_.line());
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos) lines_.fail("a section opens with \"[\" and no \"]\" follows");
  const std::string name = upper(trimmed(line.substr(1, close - 1)));
  const std::string_view rest = trimmed(line.substr(close + 1));
  if (name == "ATOMS") return atoms(rest);
  if (name == "GTO") return basis();
  if (name == "MO") return orbitals();
  if (name == "GEOMETRIES") return geometries(rest);
  if (name == "TITLE") return title_lines();
  if (name == "CORE" || name == "PSEUDO") return cores(name == "CORE");
  if (name == "MOLDEN FORMAT" && !block().orbitals.rows.empty()) blocks_.emplace_back();  // another file begins
  if (name == "STO") lines_.fail("Slater orbitals ([STO]) are not read; only Gaussian ones ([GTO]) are");
  if (!name.empty() && name.find_first_not_of("0123456789DFGHI") == std::string::npos && name[0] >= '0' &&
      name[0] <= '9') {
    shapes(name);
  }
  advance();
}

/// [5D], [5D7F], [5D10F], [7F], [6D], [10F], [9G], [15G], [11H], [21H], [13I], [28I]: which shells are spherical.
void MoldenReader::shapes(const std::string& words) {
  static const std::map<std::string, std::pair<std::size_t, bool>> known = {
      {"5D", {2, true}},   {"6D", {2, false}}, {"7F", {3, true}},   {"10F", {3, false}}, {"9G", {4, true}},
      {"15G", {4, false}}, {"11H", {5, true}}, {"21H", {5, false}}, {"13I", {6, true}},  {"28I", {6, false}}};
  auto& spherical = block().spherical;
  auto& declared = block().declared;
  if (words == "5D") spherical[3] = declared[3] = true;  // "[5D]" alone stands for [5D7F]
  std::size_t first = 0;
  while (first < words.size()) {
    const std::size_t letter = words.find_first_of("DFGHI", first);
    if (letter == std::string::npos) break;
    const auto found = known.find(words.substr(first, letter + 1 - first));
    if (found == known.end()) lines_.fail("unknown section [" + clean(words, 20) + "]");
    spherical[found->second.first] = found->second.second;
    declared[found->second.first] = true;
    first = letter + 1;
  }
}

void MoldenReader::title_lines() {
  std::string text;
  while (advance() && in_section()) {
    const std::string line = clean(lines_.line());
    if (!line.empty() && text.size() < 200) text += (text.empty() ? "" : " ") + line;
  }
  if (title.empty()) title = text;
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  block().title += text;
}

void MoldenReader::atoms(std::string_view unit) {
  const std::string text = upper(unit);
  const double scale = text.find("ANG") != std::string::npos ? units::angstrom_in_bohr : 1.0;
  if (!block().atoms.empty()) blocks_.emplace_back();
  MoldenBlock& target = block();
  std::vector<std::int64_t> numbers;
  while (advance() && in_section()) {
    split(lines_.line(), fields_);
    if (fields_.empty()) continue;
    if (fields_.size() < 6) lines_.fail("an atom needs name, number, atomic number, x, y and z");
    MoldenAtom atom;
    atom.name = clean(fields_[0], 16);
    numbers.push_back(parse_integer(fields_[1]).value_or(0));
    const std::int64_t z = lines_.integer(fields_[2], "atomic number", -1000, 1000);
    atom.element = z >= 0 && z < element_count ? static_cast<std::uint8_t>(z) : std::uint8_t{0};
    atom.charge = static_cast<double>(std::max<std::int64_t>(z, 0));
    for (int i = 0; i < 3; ++i) {
      atom.position[i] = lines_.real(fields_[static_cast<std::size_t>(3 + i)], "coordinate") * scale;
    }
    target.atoms.push_back(std::move(atom));
    if (target.atoms.size() > lines_.source().limits().atoms) lines_.fail("more atoms than the limit");
  }
  if (target.atoms.empty()) lines_.fail("[Atoms] has no atoms");
  target.take_numbers(numbers);
}

void MoldenReader::basis() {
  MoldenBlock& target = block();
  if (!target.orbitals.shells.empty()) lines_.fail("a second [GTO] for the same atoms");
  target.has_basis = true;
  std::int64_t centre = -1;  // none
  advance();
  while (more_ && in_section()) {
    split(lines_.line(), fields_);
    if (fields_.empty()) {
      centre = -1;
      advance();
      continue;
    }
    const char first = fields_[0][0];
    if (first >= '0' && first <= '9') {
      if (target.atoms.empty()) lines_.fail("[GTO] comes before [Atoms]");
      const auto most = static_cast<std::int64_t>(target.atoms.size());
      centre = static_cast<std::int64_t>(target.atom_of(lines_.integer(fields_[0], "number of the atom", 1, most)));
      advance();
      continue;
    }
    if (centre < 0) lines_.fail("a shell without the number of its atom");
    shell_of(static_cast<std::uint32_t>(centre));
  }
}

void MoldenReader::shell_of(std::uint32_t centre) {
  static constexpr std::string_view letters = "SPDFGHI";
  const std::string kind = upper(fields_[0]);
  const std::size_t l = kind.size() == 1 ? letters.find(kind[0]) : std::string_view::npos;
  const bool sp = kind == "SP" || kind == "L";
  if (!sp && l == std::string_view::npos) {
    lines_.fail("shell \"" + clean(fields_[0], 10) + "\" is none of s p sp d f g h i");
  }
  if (fields_.size() < 2) lines_.fail("a shell needs its number of primitives");
  const std::int64_t count = lines_.integer(fields_[1], "number of primitives", 1, 500);
  check_count(lines_.source(), lines_.number(), static_cast<std::uint64_t>(count), 4, lines_.bytes_left(),
              "primitives");
  FileShell shell;
  shell.centre = centre;
  shell.l = sp ? 0 : static_cast<int>(l);
  FileShell second = shell;
  second.l = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    lines_.require("a primitive");
    split(lines_.line(), fields_);
    if (fields_.size() < (sp ? 3u : 2u)) lines_.fail("a primitive needs its exponent and coefficient");
    const double exponent = lines_.real(fields_[0], "exponent");
    if (!(exponent > 1e-100 && exponent < 1e100)) lines_.fail("an exponent must be positive");
    shell.exponents.push_back(exponent);
    shell.coefficients.push_back(lines_.real(fields_[1], "contraction coefficient"));
    if (sp) {
      second.exponents.push_back(exponent);
      second.coefficients.push_back(lines_.real(fields_[2], "contraction coefficient"));
    }
  }
  block().orbitals.shells.push_back(std::move(shell));
  if (sp) block().orbitals.shells.push_back(std::move(second));
  advance();
}

void MoldenReader::coefficient() {
  FileOrbitals& target = block().orbitals;
  if (fields_.size() < 2) lines_.fail("expected \"number coefficient\" or \"Sym=\", \"Ene=\", \"Spin=\", \"Occup=\"");
  const std::int64_t number = lines_.integer(fields_[0], "number of the function", 1, 100'000'000);
  const double value = lines_.real(fields_[1], "orbital coefficient");
  target.rows.back().push_back({static_cast<std::uint32_t>(number - 1), value});
  ++coefficients_;
}

void MoldenReader::orbitals() {
  FileOrbitals& target = block().orbitals;
  if (!target.rows.empty()) lines_.fail("a second [MO] for the same atoms");
  block().orbital_line = lines_.number();
  unsigned seen = 0;  // which keys this orbital has; one that repeats begins the next orbital
  bool in_values = true;
  while (advance() && in_section()) {
    const std::string_view line = trimmed(lines_.line());
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      if (target.rows.empty()) lines_.fail("a coefficient before \"Sym=\", \"Ene=\", \"Spin=\" or \"Occup=\"");
      split(line, fields_);
      coefficient();
      in_values = true;
      continue;
    }
    const std::string key = upper(trimmed(line.substr(0, equals)));
    const std::string_view value = trimmed(line.substr(equals + 1));
    const unsigned bit = key == "SYM" ? 1u : key == "ENE" ? 2u : key == "SPIN" ? 4u : key == "OCCUP" ? 8u : 0u;
    if (in_values || (seen & bit) != 0) {
      target.orbitals.emplace_back();
      target.rows.emplace_back();
      seen = 0;
      in_values = false;
    }
    seen |= bit;
    Orbital& orbital = target.orbitals.back();
    if (bit == 1) orbital.symmetry = clean(value, 16);
    if (bit == 2) orbital.energy = lines_.real(value, "orbital energy");
    if (bit == 4) orbital.spin = starts_with_nocase(value, "B") ? Spin::beta : Spin::alpha;
    if (bit == 8) orbital.occupation = lines_.real(value, "occupation");
  }
  if (!more_) drop_cut_orbital();
}

void MoldenReader::geometries(std::string_view kind) {
  MoldenBlock& target = block();
  if (!starts_with_nocase(kind, "XYZ")) {
    warnings.push_back("The geometries of [GEOMETRIES] are not in XYZ and are left out.");
    advance();
    return;
  }
  while (advance() && in_section()) {
    split(lines_.line(), fields_);
    if (fields_.empty()) continue;
    const std::int64_t count = lines_.integer(fields_[0], "number of atoms", 1, 500'000'000);
    check_count(lines_.source(), lines_.number(), static_cast<std::uint64_t>(count), 6, lines_.bytes_left(), "atoms");
    lines_.require("the comment of a geometry");
    std::vector<glm::dvec3> positions;
    std::vector<std::uint8_t> elements;
    for (std::int64_t i = 0; i < count; ++i) {
      lines_.require("an atom of a geometry");
      split(lines_.line(), fields_);
      if (fields_.size() < 4) lines_.fail("an atom needs its symbol, x, y and z");
      glm::dvec3 position;
      for (int k = 0; k < 3; ++k) position[k] = lines_.real(fields_[static_cast<std::size_t>(1 + k)], "coordinate");
      positions.push_back(position);
      const auto number = parse_integer(fields_[0]);
      elements.push_back(number ? static_cast<std::uint8_t>(std::clamp<std::int64_t>(*number, 0, element_count - 1))
                                : element_from_symbol(fields_[0]));
    }
    if (!target.geometries.empty() && positions.size() != target.geometries.front().size()) {
      lines_.fail(
          fmt::format("a geometry of {} atoms after one of {}", positions.size(), target.geometries.front().size()));
    }
    if (target.geometries.empty()) target.geometry_elements = elements;
    target.geometries.push_back(std::move(positions));
  }
}

}  // namespace isolume
