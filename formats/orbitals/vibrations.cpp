// Normal modes of Molden files, Gaussian logs, and the outputs of ORCA, Psi4 and GAMESS.
#include "formats/orbitals/vibrations.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/bytes/text.h"
#include "formats/orbitals/vibrations_readers.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Three numbers from the `first` field of a line on.
glm::dvec3 vector_of(const LineScanner& lines, const std::vector<std::string_view>& fields, std::size_t first) {
  if (fields.size() < first + 3) lines.fail("expected three numbers");
  glm::dvec3 vector(0);
  for (int axis = 0; axis < 3; ++axis)
    vector[axis] = lines.real(fields[first + static_cast<std::size_t>(axis)], "displacement");
  return vector;
}

Vibrations of_molden(const ByteSource& source) {
  Vibrations found;
  std::string section;
  LineScanner lines(source);
  std::vector<double> intensities, raman;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty()) continue;
    if (line[0] == '[') {
      section = upper(line.substr(0, line.find(']')));
      continue;
    }
    const std::vector<std::string_view> fields = split(line);
    if (section == "[FREQ") {
      found.modes.emplace_back().frequency = lines.real(fields[0], "frequency");
    } else if (section == "[INT") {
      intensities.push_back(lines.real(fields[0], "intensity"));
      if (fields.size() > 1) raman.push_back(lines.real(fields[1], "Raman intensity"));
    } else if (section == "[FR-COORD") {
      found.positions.push_back(vector_of(lines, fields, 1));
    } else if (section == "[FR-NORM-COORD") {
      if (starts_with_nocase(line, "VIBRATION")) {
        const std::int64_t number = lines.integer(fields.size() > 1 ? fields[1] : "", "number of the vibration", 1,
                                                  static_cast<std::int64_t>(found.modes.size()));
        section = fmt::format("{}", number);
        continue;
      }
      lines.fail("expected \"vibration N\"");
    } else if (const auto number = parse_integer(section)) {
      if (starts_with_nocase(line, "VIBRATION")) {
        const std::int64_t next = lines.integer(fields.size() > 1 ? fields[1] : "", "number of the vibration", 1,
                                                static_cast<std::int64_t>(found.modes.size()));
        section = fmt::format("{}", next);
        continue;
      }
      found.modes[static_cast<std::size_t>(*number - 1)].displacement.push_back(vector_of(lines, fields, 0));
    }
  }
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    if (intensities.size() == found.modes.size()) found.modes[i].intensity = intensities[i];
    if (raman.size() == found.modes.size()) found.modes[i].raman = raman[i];
  }
  return found;
}

/// The numbers after "--" or "---".
std::vector<double> after_dashes(const LineScanner& lines) {
  const std::string_view line = lines.line();
  const std::size_t dashes = line.find("--");
  std::vector<double> numbers;
  if (dashes == std::string_view::npos) return numbers;
  const std::string_view rest = line.substr(line.find_first_not_of('-', dashes));
  for (const std::string_view field : split(rest)) numbers.push_back(lines.real(field, "value of a mode"));
  return numbers;
}

Vibrations of_gaussian(const ByteSource& source) {
  Vibrations all;
  LineScanner lines(source);
  std::size_t first = 0;  // of the modes of the block
  bool begins = false, ignored = false, rows = false, by_component = false;
  int orientation = 0;  // lines of a list of positions: 1 to 4 its head
  std::vector<glm::dvec3> positions;
  std::vector<std::string> labels;  // of the line before, which may be those of symmetry
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line == "Standard orientation:") {
      orientation = 1;
      positions.clear();
      continue;
    }
    if (orientation > 0 && orientation <= 4) {
      ++orientation;
      continue;
    }
    if (orientation > 4) {
      const std::vector<std::string_view> fields = split(line);
      if (fields.size() == 6 && parse_integer(fields[0])) {
        positions.push_back(units::angstrom_in_bohr * vector_of(lines, fields, 3));
        continue;
      }
      orientation = 0;
    }
    if (line.starts_with("Harmonic frequencies (cm**-1)")) {
      begins = true;
      ignored = rows = false;
      continue;
    }
    if (ignored) continue;
    if (line.starts_with("Frequencies --")) {
      const bool many = line.starts_with("Frequencies ---");
      if (begins) {
        begins = false;
        // With HPModes the list comes twice, first with many digits.
        ignored = by_component && !many;
        if (ignored) continue;
        all = {};  // the last list counts
        all.positions = positions;
        by_component = many;
      }
      first = all.modes.size();
      for (const double frequency : after_dashes(lines)) all.modes.emplace_back().frequency = frequency;
      for (std::size_t i = first; labels.size() == all.modes.size() - first && i < all.modes.size(); ++i)
        all.modes[i].symmetry = labels[i - first];
      rows = false;
      continue;
    }
    labels.clear();
    for (const std::string_view field : begins || !all.modes.empty() ? split(line) : std::vector<std::string_view>())
      if (!parse_real(field)) labels.push_back(clean(field));
    const auto set = [&](auto member) {
      const std::vector<double> numbers = after_dashes(lines);
      for (std::size_t i = 0; i < numbers.size() && first + i < all.modes.size(); ++i)
        all.modes[first + i].*member = numbers[i];
    };
    if (line.starts_with("IR Inten")) {
      set(&VibrationalMode::intensity);
    } else if (line.starts_with("Raman Activ")) {
      set(&VibrationalMode::raman);
    } else if (line.starts_with("Atom  AN") || line.starts_with("Coord Atom Element")) {
      rows = true;
    } else if (rows) {
      const std::vector<std::string_view> fields = split(line);
      const std::size_t count = all.modes.size() - first;
      if (by_component && fields.size() == count + 3 && parse_integer(fields[0]) && parse_integer(fields[1])) {
        const auto axis = static_cast<int>(lines.integer(fields[0], "component", 1, 3) - 1);
        const auto atom = static_cast<std::size_t>(lines.integer(fields[1], "atom", 1, 1'000'000) - 1);
        for (std::size_t i = 0; i < count; ++i) {
          auto& displacement = all.modes[first + i].displacement;
          if (atom > displacement.size()) lines.fail("an atom is missing before this one");
          if (atom == displacement.size()) displacement.emplace_back(0);
          displacement[atom][axis] = lines.real(fields[3 + i], "displacement");
        }
      } else if (!by_component && fields.size() == 3 * count + 2 && parse_integer(fields[0])) {
        for (std::size_t i = 0; i < count; ++i)
          all.modes[first + i].displacement.push_back(vector_of(lines, fields, 2 + 3 * i));
      } else {
        rows = false;
      }
    }
  }
  return all;
}

/// By the words that only one of the programs writes.
Vibrations (*reader_of(const ByteSource& source))(const ByteSource&) {
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (starts_with_nocase(line, "[MOLDEN FORMAT]")) return of_molden;
    if (line == "$orca_hessian_file" || line == "$vibrational_frequencies") return vibrations_of_orca_hessian;
    if (line == "VIBRATIONAL FREQUENCIES") return vibrations_of_orca;
    if (line.find("Harmonic Vibrational Analysis") != std::string_view::npos) return vibrations_of_psi4;
    if (line.starts_with("FREQUENCIES IN CM**-1")) return vibrations_of_gamess;
    if (line.starts_with("Harmonic frequencies (cm**-1)")) return of_gaussian;
  }
  return of_gaussian;
}

}  // namespace

bool may_have_modes(const std::string& format) {
  return format == "Molden" || format == "Gaussian log" || format == "GAMESS log";
}

Vibrations read_vibrations(const std::string& path) {
  const auto source = ByteSource::open(path);
  if (looks_binary(*source)) throw Error::in_file(path, 0, "holds no normal modes: it is no text");
  const auto reader = reader_of(*source);
  Vibrations found = reader(*source);
  if (found.modes.empty()) {
    throw Error::in_file(
        path, 0,
        "holds no normal modes; they are looked for in Molden files ([FREQ]), logs of Gaussian and GAMESS, "
        "outputs of ORCA and Psi4, and Hessian files of ORCA");
  }
  const std::size_t atoms = found.modes.front().displacement.size();
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    const std::size_t here = found.modes[i].displacement.size();
    if (here == 0) throw Error::in_file(path, 0, fmt::format("mode {} has no displacements", i + 1));
    if (here != atoms)
      throw Error::in_file(path, 0, fmt::format("mode {} has {} atoms, the first {}", i + 1, here, atoms));
  }
  // Logs list dummy atoms too.
  if (reader != of_molden && found.positions.size() != atoms) found.positions.clear();
  if (!found.positions.empty() && found.positions.size() != atoms)
    throw Error::in_file(path, 0, fmt::format("{} positions for modes of {} atoms", found.positions.size(), atoms));
  return found;
}

}  // namespace isolume
