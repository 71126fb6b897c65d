// The text of Molden files, section by section.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"
#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

struct MoldenAtom {
  std::string name;
  std::uint8_t element = 0;
  glm::dvec3 position{0.0};  ///< bohr
  double charge = 0;         ///< of the nucleus, less its effective core potential
};

/// One molecule of the file: from its [Atoms] to the next one.
struct MoldenBlock {
  std::vector<MoldenAtom> atoms;
  std::vector<std::uint32_t> by_number;  ///< atoms by their number in the file less 1; empty where they stand in order
  FileOrbitals orbitals;
  std::array<bool, 7> spherical{};  ///< by l, from [5D], [7F], [9G], [11H], [13I]
  std::array<bool, 7> declared{};   ///< by l, true where the file has one of these words for it
  std::string title;                ///< in lower case; may name the program that wrote the file
  bool has_basis = false;
  std::vector<std::vector<glm::dvec3>> geometries;  ///< angstrom
  std::vector<std::uint8_t> geometry_elements;
  std::int64_t orbital_line = 0;

  /// The atom that the file calls `number` (from 1 to atoms.size()).
  std::size_t atom_of(std::int64_t number) const {
    const auto i = static_cast<std::size_t>(number - 1);
    return by_number.empty() ? i : by_number[i];
  }
  /// Where numbers say another order than that of the lines, each number once: fills by_number.
  void take_numbers(const std::vector<std::int64_t>& numbers);
};

/// Reads the sections; what they mean together is molden.cpp's.
class MoldenReader {
 public:
  explicit MoldenReader(const ByteSource& source) : lines_(source) {}
  std::vector<MoldenBlock> read();
  std::vector<std::string> warnings;
  std::string title;

 private:
  bool in_section() const { return !trimmed(lines_.line()).starts_with('['); }
  bool advance() { return more_ = lines_.next(); }
  void section();
  void atoms(std::string_view unit);
  void basis();
  void shell_of(std::uint32_t centre);
  void orbitals();
  void drop_cut_orbital();
  void coefficient();
  void geometries(std::string_view kind);
  void title_lines();
  void shapes(const std::string& words);
  void cores(bool core_electrons);
  void core_of(MoldenAtom& atom, double value, bool core_electrons);
  void warn_once(std::string text);
  MoldenBlock& block();

  LineScanner lines_;
  bool more_ = false;
  std::vector<MoldenBlock> blocks_;
  std::vector<std::string_view> fields_;
  std::uint64_t coefficients_ = 0;
};

}  // namespace isolume
