// AIMPAC wave functions (WFN).
#include "formats/orbitals/wfn.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/bytes/number_run.h"
#include "formats/bytes/text.h"
#include "formats/orbitals/primitives.h"
#include "formats/orbitals/quantum_molecule.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

struct Counts {
  std::size_t orbitals = 0, primitives = 0, nuclei = 0;
};

/// "GAUSSIAN     5 MOL ORBITALS     21 PRIMITIVES        3 NUCLEI"
Counts read_counts(LineScanner& lines) {
  const std::vector<std::string_view> fields = split(lines.require("the numbers of orbitals, primitives and nuclei"));
  Counts counts;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto count = [&](std::size_t at, const char* what) {
      return static_cast<std::size_t>(lines.integer(fields[at], what, 1, 10'000'000));
    };
    if (fields[i] == "MOL") counts.orbitals = count(i - 1, "number of orbitals");
    if (fields[i] == "PRIMITIVES") counts.primitives = count(i - 1, "number of primitives");
    if (fields[i] == "NUCLEI") counts.nuclei = count(i - 1, "number of nuclei");
  }
  if (counts.orbitals == 0 || counts.primitives == 0 || counts.nuclei == 0) {
    lines.fail("expected \"GAUSSIAN n MOL ORBITALS m PRIMITIVES k NUCLEI\"");
  }
  check_count(lines.source(), lines.number(), counts.nuclei, 20, lines.bytes_left(), "nuclei");
  check_count(lines.source(), lines.number(), counts.primitives, 3, lines.bytes_left(), "primitives");
  check_count(lines.source(), lines.number(), counts.orbitals, 20, lines.bytes_left(), "orbitals");
  return counts;
}

/// "  O    1    (CENTRE  1)  -4.44734101  3.39697999  0.00000000  CHARGE =  8.0"
QuantumAtom read_atom(LineScanner& lines, glm::dvec3& position, double& charge) {
  const std::string_view line = lines.require("an atom");
  const std::size_t close = line.find(')');
  const std::size_t word = line.find("CHARGE");
  if (close == std::string_view::npos || word == std::string_view::npos || word < close) {
    lines.fail("expected \"symbol number (CENTRE number) x y z CHARGE = z\"");
  }
  std::string_view rest = line.substr(close + 1, word - close - 1);
  // Columns of 12 that end two before the word, which large coordinates fill without blanks.
  const std::size_t widths = 36 + 2;
  const std::string_view block = rest.substr(rest.size() > widths ? rest.size() - widths : 0);
  const std::vector<std::string_view> fields = split(rest);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view field = fields.size() == 3 ? fields[i] : columns(block, 12 * i + 1, 12 * i + 12);
    position[static_cast<int>(i)] = lines.real(field, "coordinate");
  }
  if (!(glm::length(position) < 1e6)) lines.fail("an atom is farther than a million bohr from the origin");
  const std::size_t equals = line.find('=', word);
  charge = equals == std::string_view::npos ? 0 : lines.real(line.substr(equals + 1), "nuclear charge");
  const std::string_view name = next_token(rest = line);
  std::size_t letters = 0;
  while (letters < name.size() && (name[letters] < '0' || name[letters] > '9')) ++letters;
  // The charge is that of the core where there is an effective potential; the symbol stays.
  std::uint8_t z = element_from_symbol(name.substr(0, letters));
  if (z == 0 && charge > 0 && charge < 119) z = static_cast<std::uint8_t>(charge + 0.5);
  return quantum_atom(charge == 0 ? 0 : z);
}

/// Lines "KEYWORD ..  n n n" in columns of 3 from column 21, which three-digit numbers fill without blanks.
std::vector<int> read_assignments(LineScanner& lines, std::string_view keyword, std::size_t count, int highest) {
  std::vector<int> values;
  while (values.size() < count) {
    const std::string_view line = lines.require(keyword);
    if (!starts_with_nocase(trimmed(line), keyword)) lines.fail("expected \"" + std::string(keyword) + "\"");
    const std::size_t before = values.size();
    for (std::size_t at = 20; at < line.size() && values.size() < count; at += 3) {
      const std::string_view field = trimmed(line.substr(at, 3));
      if (field.empty()) break;
      values.push_back(static_cast<int>(lines.integer(field, keyword, 1, highest)));
    }
    if (values.size() == before) lines.fail(fmt::format("{}: {} of {} numbers", keyword, before, count));
  }
  return values;
}

void read_exponents(LineScanner& lines, std::vector<Primitive>& primitives) {
  std::size_t n = 0;
  while (n < primitives.size()) {
    const std::string_view line = trimmed(lines.require("EXPONENTS"));
    if (!starts_with_nocase(line, "EXPONENTS")) lines.fail("expected \"EXPONENTS\"");
    std::string_view rest = line.substr(9);
    double value = 0;
    const std::size_t before = n;
    while (n < primitives.size() && next_number(lines, rest, value, "exponent")) {
      if (!(value > 1e-100 && value < 1e100)) lines.fail("an exponent must be positive");
      primitives[n++].exponent = value;
    }
    if (n == before) lines.fail("a line without exponents");
  }
}

/// "MO    1     MO 0.0        OCC NO =    2.0000000  ORB. ENERGY =  -20.251576"
Orbital read_head(const LineScanner& lines) {
  const std::string_view line = lines.line();
  const std::size_t occupation = line.find("OCC NO");
  const std::size_t first = line.find('=', occupation);
  const std::size_t energy = line.find("ORB.", occupation);
  const std::size_t second = line.find('=', energy);
  if (occupation == std::string_view::npos || energy == std::string_view::npos || first > energy ||
      second == std::string_view::npos) {
    lines.fail("expected \"MO number ... OCC NO = n ORB. ENERGY = e\"");
  }
  Orbital orbital;
  orbital.occupation = lines.real(line.substr(first + 1, energy - first - 1), "occupation");
  orbital.energy = lines.real(line.substr(second + 1), "orbital energy");
  return orbital;
}

/// The byte where a wave function begins: GAMESS (US) punches it between other data. Nothing where it does not.
std::optional<std::size_t> punched(const ByteSource& source) {
  const std::vector<std::string_view> lines = first_lines(source, 1);
  if (lines.empty() || !trimmed(lines.front()).starts_with("$DATA")) return std::nullopt;
  const std::string_view text = source.text();
  const std::size_t heading = text.find("TOP OF INPUT FILE FOR BADER'S AIMPAC PROGRAM");
  const std::size_t end = text.find('\n', heading);
  if (heading == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  return end + 1;
}

int sniff(const ByteSource& source) {
  if (punched(source)) return 90;
  const std::vector<std::string_view> lines = first_lines(source, 3);
  if (lines.size() < 3 || lines[1].find("MOL ORBITALS") == std::string_view::npos) return 0;
  return lines[1].find("PRIMITIVES") != std::string_view::npos ? 95 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const std::size_t begin = punched(*source).value_or(0);
  const auto before = source->text().substr(0, begin);
  LineScanner lines(*source, begin, 1 + std::count(before.begin(), before.end(), '\n'));
  Molecule molecule;
  molecule.format = wfn_format.name;
  molecule.title = clean(lines.require("the title"));
  const Counts counts = read_counts(lines);
  std::vector<QuantumAtom> atoms;
  FileOrbitals file;
  file.format = molecule.format;
  for (std::size_t i = 0; i < counts.nuclei; ++i) {
    atoms.push_back(read_atom(lines, file.centres.emplace_back(), file.nuclear_charges.emplace_back()));
  }
  std::vector<Primitive> primitives(counts.primitives);
  const auto centres =
      read_assignments(lines, "CENTRE ASSIGNMENTS", counts.primitives, static_cast<int>(counts.nuclei));
  const auto types = read_assignments(lines, "TYPE ASSIGNMENTS", counts.primitives, 84);
  for (std::size_t i = 0; i < counts.primitives; ++i) {
    primitives[i].centre = static_cast<std::uint32_t>(centres[i] - 1);
    primitives[i].type = types[i];
  }
  read_exponents(lines, primitives);
  lines.require("an orbital");
  const std::int64_t first_line = lines.number();
  for (std::size_t i = 0; i < counts.orbitals; ++i) {
    if (!starts_with_nocase(trimmed(lines.line()), "MO")) {
      lines.fail(fmt::format("orbital {} of {} expected", i + 1, counts.orbitals));
    }
    file.orbitals.push_back(read_head(lines));
    auto& row = file.rows.emplace_back();
    while (row.size() < counts.primitives) {
      std::string_view rest = lines.require("the coefficients of an orbital");
      double value = 0;
      while (row.size() < counts.primitives && next_number(lines, rest, value, "orbital coefficient")) {
        row.push_back({static_cast<std::uint32_t>(row.size()), value});
      }
    }
    lines.require("END DATA");
  }
  guess_beta(file.orbitals);
  auto orbitals = checked_primitive_orbitals(file, primitives, *source, first_line, molecule.warnings);
  fill_molecule(molecule, atoms, {{file.centres, std::move(orbitals)}});
  return molecule;
}

}  // namespace

const Format wfn_format = {"WFN", "wfn", "orbitals", sniff, read};

}  // namespace isolume
