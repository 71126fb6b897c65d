// Normal modes in the tables of Psi4 and GAMESS: some modes a block, a row for each atom or coordinate.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/vibrations_readers.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// debye^2 / (Da angstrom^2) in km/mol: N_A pi / (3 c^2) / (4 pi epsilon_0), for 974.8801 of e^2/Da.
constexpr double km_per_debye = 974.8801 / (4.803204712 * 4.803204712);

/// Three numbers from the `first` field of a line on.
glm::dvec3 vector_of(const LineScanner& lines, const std::vector<std::string_view>& fields, std::size_t first) {
  glm::dvec3 vector(0);
  for (int axis = 0; axis < 3; ++axis)
    vector[axis] = lines.real(fields[first + static_cast<std::size_t>(axis)], "displacement");
  return vector;
}

/// "1826.55", and "120.5i" for an imaginary one, which is negative.
double frequency_of(const LineScanner& lines, std::string_view field) {
  if (!field.empty() && (field.back() == 'i' || field.back() == 'I'))
    return -lines.real(field.substr(0, field.size() - 1), "frequency");
  return lines.real(field, "frequency");
}

}  // namespace

Vibrations vibrations_of_psi4(const ByteSource& source) {
  Vibrations all;
  std::vector<glm::dvec3> positions;
  std::size_t first = 0;  // of the modes of the block
  bool geometry = false, rows = false;
  double to_bohr = 1;
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.starts_with("Geometry (in ")) {
      to_bohr = line.starts_with("Geometry (in Angstrom") ? units::angstrom_in_bohr : 1;
      positions.clear();
      continue;
    }
    if (line.starts_with("Center ") && line.find(" X ") != std::string_view::npos) {
      geometry = true;
      positions.clear();
      continue;
    }
    if (line.find("Harmonic Vibrational Analysis") != std::string_view::npos) {
      all = {};
      all.positions = positions;
      continue;
    }
    const std::vector<std::string_view> fields = split(line);
    if (geometry) {
      const bool atom = fields.size() >= 4 && parse_real(fields[1]) && parse_real(fields[3]);
      if (atom) positions.push_back(to_bohr * vector_of(lines, fields, 1));
      geometry = atom || line.starts_with("---");
      continue;
    }
    const auto values = [&](std::size_t from, auto set) {
      for (std::size_t i = from; i < fields.size() && first + i - from < all.modes.size(); ++i)
        set(all.modes[first + i - from], fields[i]);
    };
    if (fields.size() > 1 && fields[0] == "Vibration" && parse_integer(fields[1])) {
      first = all.modes.size();
      all.modes.resize(first + fields.size() - 1);
      rows = false;
    } else if (line.starts_with("Freq [cm^-1]")) {
      values(2, [&](VibrationalMode& mode, std::string_view field) { mode.frequency = frequency_of(lines, field); });
    } else if (line.starts_with("Irrep") && fields.size() == 1 + all.modes.size() - first) {
      values(1, [](VibrationalMode& mode, std::string_view field) { mode.symmetry = clean(field); });
    } else if (starts_with_nocase(line, "IR ACTIV [KM/MOL]")) {
      values(3,
             [&](VibrationalMode& mode, std::string_view field) { mode.intensity = lines.real(field, "intensity"); });
    } else if (starts_with_nocase(line, "RAMAN ACTIV [A^4/U]")) {
      values(3,
             [&](VibrationalMode& mode, std::string_view field) { mode.raman = lines.real(field, "Raman activity"); });
    } else if (line.starts_with("-----")) {
      rows = first < all.modes.size();
    } else if (rows) {
      const std::size_t count = all.modes.size() - first;
      rows = fields.size() == 3 * count + 2 && parse_integer(fields[0]);
      for (std::size_t i = 0; rows && i < count; ++i)
        all.modes[first + i].displacement.push_back(vector_of(lines, fields, 2 + 3 * i));
    }
  }
  return all;
}

Vibrations vibrations_of_gamess(const ByteSource& source) {
  Vibrations all;
  std::vector<glm::dvec3> positions;
  std::pair<std::int64_t, std::int64_t> free{0, -1};  // modes that are rotations and translations
  std::size_t first = 0;
  double to_bohr = 0;  // of the list of positions that is being read; 0: none
  bool within = false, rows = false;
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    const std::vector<std::string_view> fields = split(line);
    if (line.find("COORDINATES (BOHR)") != std::string_view::npos ||
        line.find("COORDINATES OF ALL ATOMS ARE (ANGS)") != std::string_view::npos) {
      to_bohr = line.find("(BOHR)") != std::string_view::npos ? 1 : units::angstrom_in_bohr;
      positions.clear();
    } else if (to_bohr > 0) {
      const bool atom = fields.size() == 5 && parse_real(fields[1]) && parse_real(fields[4]);
      if (atom) positions.push_back(to_bohr * vector_of(lines, fields, 2));
      if (!atom && !positions.empty()) to_bohr = 0;
    } else if (fields.size() > 4 && fields[0] == "MODES" && fields[2] == "TO" &&
               line.find("ROTATIONS AND TRANSLATIONS") != std::string_view::npos) {
      free = {lines.integer(fields[1], "mode", 1, 1'000'000), lines.integer(fields[3], "mode", 1, 1'000'000)};
    } else if (line.starts_with("FREQUENCIES IN CM**-1")) {
      all = {};
      all.positions = positions;
      within = true;
      rows = false;
      first = 0;
    } else if (within) {
      const std::size_t count = all.modes.size() - first;
      const auto values = [&](std::size_t from, auto set) {
        for (std::size_t i = from; i < fields.size() && i - from < count; ++i)
          set(all.modes[first + i - from], fields[i]);
      };
      if (line.starts_with("FREQUENCY:")) {
        first = all.modes.size();
        // "207.30 I" is imaginary.
        for (std::size_t i = 1; i < fields.size(); ++i) {
          if (fields[i] == "I") {
            if (all.modes.size() == first) lines.fail("expected a frequency before the I of an imaginary one");
            all.modes.back().frequency *= -1;
          } else {
            all.modes.emplace_back().frequency = lines.real(fields[i], "frequency");
          }
        }
        rows = true;
      } else if (line.starts_with("SYMMETRY:")) {
        values(1, [](VibrationalMode& mode, std::string_view field) { mode.symmetry = clean(field); });
      } else if (line.starts_with("IR INTENSITY:")) {
        values(2, [&](VibrationalMode& mode, std::string_view field) {
          mode.intensity = km_per_debye * lines.real(field, "intensity");
        });
      } else if (line.starts_with("RAMAN ACTIVITY:")) {
        values(2, [&](VibrationalMode& mode, std::string_view field) {
          mode.raman = lines.real(field, "Raman activity");
        });
      } else if (line.starts_with("TRANS. SAYVETZ")) {
        rows = false;
      } else if (line.starts_with("REFERENCE ON SAYVETZ")) {
        within = false;
      } else if (rows && count > 0 && fields.size() > count) {
        const std::string_view axis = fields[fields.size() - count - 1];
        if (axis != "X" && axis != "Y" && axis != "Z") continue;
        if (axis != "X" && all.modes[first].displacement.empty()) lines.fail("expected an X component first");
        for (std::size_t i = 0; i < count; ++i) {
          auto& displacement = all.modes[first + i].displacement;
          if (axis == "X") displacement.emplace_back(0);
          displacement.back()[axis[0] - 'X'] = lines.real(fields[fields.size() - count + i], "displacement");
        }
      }
    }
  }
  const auto count = static_cast<std::int64_t>(all.modes.size());
  if (free.first <= free.second && free.second <= count)
    all.modes.erase(all.modes.begin() + (free.first - 1), all.modes.begin() + free.second);
  return all;
}

}  // namespace isolume
