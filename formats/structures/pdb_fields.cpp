// Fields of PDB records: numbers with their overflow conventions, coordinates, cell.
#include "formats/structures/pdb_fields.h"

#include <algorithm>
#include <limits>

#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume::pdb {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Value of a digit in base 36 of one case, -1 where it is none.
int digit36(char c, char first_letter) {
  if (is_digit(c)) return c - '0';
  if (c >= first_letter && c < first_letter + 26) return c - first_letter + 10;
  return -1;
}

std::optional<std::int32_t> fitting(std::int64_t value) {
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(value);
}

std::optional<std::int32_t> hybrid36(std::string_view text) {
  const char first = text[0];
  const bool capital = first >= 'A' && first <= 'Z';
  const bool small = first >= 'a' && first <= 'z';
  if (!capital && !small) return std::nullopt;
  std::int64_t value = 0;
  std::int64_t tens = 1;    // 10^width
  std::int64_t places = 1;  // 36^(width - 1)
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int digit = digit36(text[i], capital ? 'A' : 'a');
    if (digit < 0) return std::nullopt;
    value = value * 36 + digit;
    tens *= 10;
    if (i > 0) places *= 36;
  }
  return fitting(value - 10 * places + tens + (small ? 26 * places : 0));
}

std::optional<std::int32_t> hexadecimal(std::string_view text) {
  std::int32_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, 16);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

bool is_atom(std::string_view line) {
  return line.starts_with("HETATM") || (line.starts_with("ATOM") && (line.size() == 4 || line[4] == ' '));
}

std::optional<std::int32_t> number(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.size() > 6) return std::nullopt;
  if (const auto decimal = parse_integer(text)) return fitting(*decimal);
  if (text.size() >= 4) {
    if (const auto value = hybrid36(text)) return value;
  }
  return hexadecimal(text);
}

std::optional<ResidueNumber> residue_number(std::string_view line, std::size_t first_column) {
  ResidueNumber found;
  found.insertion = letter(line, first_column + 4);
  std::string_view digits = columns(line, first_column, first_column + 3);
  if (is_digit(found.insertion) && !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit)) {
    // Numbers beyond 9999 that run into the column of the insertion code.
    digits = columns(line, first_column, first_column + 4);
    found.insertion = ' ';
  }
  const auto value = number(digits);
  if (!value) return std::nullopt;
  found.value = *value;
  return found;
}

namespace {

/// Of a line whose fields are a column or more to the left (some programs write atoms so): true where x, y and z are
/// whole numbers with as many decimals each, so that the last one is not cut.
bool is_shifted(std::string_view line) {
  if (line.size() < 47) return false;
  std::size_t decimals[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view text = trimmed(line.substr(30 + 8 * i, 8));
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos || text.find(' ') != std::string_view::npos) return false;
    decimals[i] = text.size() - point;
  }
  return decimals[0] > 1 && decimals[0] == decimals[1] && decimals[1] == decimals[2];
}

}  // namespace

glm::dvec3 position(const LineScanner& scanner) {
  const std::string_view line = scanner.line();
  if (line.size() < 54 && !is_shifted(line))
    scanner.fail("the atom's line ends before its coordinates do (columns 31 to 54)");
  return {scanner.coordinate(line.substr(30, 8), "x (columns 31 to 38)"),
          scanner.coordinate(line.substr(38, 8), "y (columns 39 to 46)"),
          scanner.coordinate(line.substr(46, 8), "z (columns 47 to 54)")};
}

std::optional<Cell> cell(std::string_view line) {
  constexpr std::size_t first[] = {7, 16, 25, 34, 41, 48};
  constexpr std::size_t last[] = {15, 24, 33, 40, 47, 54};
  double values[6];
  for (int i = 0; i < 6; ++i) {
    const auto value = parse_real(columns(line, first[i], last[i]));
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  const glm::dvec3 lengths(values[0], values[1], values[2]);
  const glm::dvec3 angles(values[3], values[4], values[5]);
  if (lengths == glm::dvec3(1.0) && angles == glm::dvec3(90.0)) return Cell{};
  if (lengths == glm::dvec3(0.0)) return Cell{};
  try {
    return Cell::from_lengths_angles(lengths, angles);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool has_pdb_columns(std::string_view line) {
  const auto is_point = [&](std::size_t column) { return line.size() >= column && line[column - 1] == '.'; };
  if (!is_point(35) || !is_point(43) || !is_point(51)) return false;
  if (field(line, 55, 80).empty()) return true;
  return is_point(58) && is_point(64) && letter(line, 67) == ' ' && parse_real(columns(line, 55, 60)) &&
         parse_real(columns(line, 61, 66));
}

std::optional<std::array<float, 6>> displacement(std::string_view line) {
  std::array<float, 6> u{};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = parse_integer(field(line, 29 + 7 * i, 35 + 7 * i));
    if (!value || *value < -99'999'999 || *value > 99'999'999) return std::nullopt;
    u[i] = static_cast<float>(1e-4 * static_cast<double>(*value));
  }
  return u;
}

std::optional<std::uint8_t> autodock_element(std::string_view type) {
  struct Named {
    std::string_view type;
    std::uint8_t element;
  };
  // In its case of letters: NA is a nitrogen that accepts, Na sodium; CA calcium in the upper case of old files.
  constexpr std::array<Named, 26> known{{{"H", 1},   {"HD", 1}, {"HS", 1}, {"C", 6},  {"A", 6},  {"N", 7},  {"NA", 7},
                                         {"NS", 7},  {"NX", 7}, {"O", 8},  {"OA", 8}, {"OS", 8}, {"OX", 8}, {"S", 16},
                                         {"SA", 16}, {"G", 6},  {"GA", 6}, {"J", 6},  {"Q", 6},  {"CG", 6}, {"G0", 0},
                                         {"W", 8},   {"Z", 0},  {"TZ", 0}, {"LP", 0}, {"D", 1}}};
  for (const Named& named : known) {
    if (named.type == type) return named.element;
  }
  if (const std::uint8_t z = element_from_symbol(type)) return z;
  return std::nullopt;
}

std::int8_t formal_charge(std::string_view line) {
  const std::string_view text = field(line, 79, 80);
  if (text.size() != 2) return 0;
  const char digit = is_digit(text[0]) ? text[0] : text[1];
  const char sign = is_digit(text[0]) ? text[1] : text[0];
  if (!is_digit(digit) || (sign != '+' && sign != '-')) return 0;
  return static_cast<std::int8_t>(sign == '-' ? -(digit - '0') : digit - '0');
}

std::string name(std::string_view line, std::size_t first, std::size_t last) {
  return clean(columns(line, first, last));
}

char letter(std::string_view line, std::size_t column) {
  if (column > line.size()) return ' ';
  const char c = line[column - 1];
  return c > ' ' && c <= '~' ? c : ' ';
}

}  // namespace isolume::pdb
