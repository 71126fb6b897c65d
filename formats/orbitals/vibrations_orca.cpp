// Normal modes in the outputs and Hessian files of ORCA.
#include <fmt/core.h>

#include <algorithm>

#include "formats/bytes/text.h"
#include "formats/orbitals/vibrations_readers.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::int64_t most_modes = 100'000;

bool whole_numbers(const std::vector<std::string_view>& fields) {
  return !fields.empty() &&
         std::all_of(fields.begin(), fields.end(), [](std::string_view field) { return parse_integer(field); });
}

/// What ORCA lists of all 3N modes, translations and rotations among them.
class Modes {
 public:
  Vibrations found;

  void clear() { found.modes.clear(); }
  VibrationalMode& mode(const LineScanner& lines, std::int64_t index) {
    if (index < 0 || index >= most_modes) lines.fail(fmt::format("mode {} is out of range", index));
    if (static_cast<std::size_t>(index) >= found.modes.size()) found.modes.resize(static_cast<std::size_t>(index) + 1);
    return found.modes[static_cast<std::size_t>(index)];
  }

  /// A line of the matrix: the numbers of the columns that follow, or a coordinate with its value in each of them.
  /// False for anything else.
  bool matrix_line(const LineScanner& lines, const std::vector<std::string_view>& fields) {
    if (whole_numbers(fields)) {
      end_block(lines);
      for (const std::string_view field : fields) columns_.push_back(lines.integer(field, "mode", 0, most_modes));
      return true;
    }
    if (columns_.empty() || fields.size() != columns_.size() + 1 || !parse_integer(fields[0])) return false;
    const auto row = static_cast<std::size_t>(lines.integer(fields[0], "coordinate", 0, most_modes));
    if (row != rows_++) lines.fail(fmt::format("expected the row of coordinate {}", rows_ - 1));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      auto& displacement = mode(lines, columns_[c]).displacement;
      if (row / 3 > displacement.size()) lines.fail("an atom is missing before this one");
      if (row / 3 == displacement.size()) displacement.emplace_back(0);
      displacement[row / 3][static_cast<int>(row % 3)] = lines.real(fields[c + 1], "displacement");
    }
    return true;
  }
  /// After the matrix, whose blocks of columns have equally many rows.
  void end_matrix(const LineScanner& lines) {
    end_block(lines);
    height_ = 0;
  }

  /// Without those of frequency 0.
  Vibrations vibrations() {
    std::erase_if(found.modes, [](const VibrationalMode& mode) { return mode.frequency == 0; });
    return std::move(found);
  }

 private:
  void end_block(const LineScanner& lines) {
    if (!columns_.empty()) {
      if (height_ == 0) height_ = rows_;
      if (rows_ != height_ || rows_ % 3 != 0) lines.fail("rows of normal modes are missing before this line");
    }
    columns_.clear();
    rows_ = 0;
  }

  std::vector<std::int64_t> columns_;
  std::size_t rows_ = 0, height_ = 0;  ///< of this block, of the first
};

}  // namespace

Vibrations vibrations_of_orca_hessian(const ByteSource& source) {
  Modes modes;
  std::string section;
  std::int64_t next = 0;  // line of a list
  bool counted = false;
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '$') {
      section = line;
      next = 0;
      counted = false;
      modes.end_matrix(lines);
      continue;
    }
    const std::vector<std::string_view> fields = split(line);
    if (!counted) {
      counted = true;  // how many there are
      continue;
    }
    if (section == "$atoms") {
      if (fields.size() < 5) lines.fail("expected element, mass and three coordinates");
      glm::dvec3 position(0);
      for (int axis = 0; axis < 3; ++axis)
        position[axis] = lines.real(fields[2 + static_cast<std::size_t>(axis)], "coordinate");
      modes.found.positions.push_back(position);
    } else if (section == "$vibrational_frequencies" && fields.size() >= 2) {
      modes.mode(lines, lines.integer(fields[0], "mode")).frequency = lines.real(fields[1], "frequency");
    } else if (section == "$normal_modes") {
      if (!modes.matrix_line(lines, fields)) lines.fail("expected a row of normal modes");
    } else if (section == "$ir_spectrum") {
      // Wavenumber, (molar absorption,) intensity and the three components of the dipole's derivative.
      if (fields.size() < 5) lines.fail("expected wavenumber, intensity and three components");
      modes.mode(lines, next++).intensity = lines.real(fields[fields.size() - 4], "intensity");
    } else if (section == "$raman_spectrum" && fields.size() >= 2) {
      modes.mode(lines, next++).raman = lines.real(fields[1], "Raman activity");
    }
  }
  modes.end_matrix(lines);
  return modes.vibrations();
}

Vibrations vibrations_of_orca(const ByteSource& source) {
  Modes modes;
  enum class Part { none, positions, frequencies, matrix, infrared, raman } part = Part::none;
  bool rows = false, km_column = false;
  std::vector<glm::dvec3> positions;
  LineScanner lines(source);
  const auto begin = [&](Part next) {
    part = next;
    rows = km_column = false;
    modes.end_matrix(lines);
  };
  // "6:" at the start of a line.
  const auto index_of = [&](const std::vector<std::string_view>& fields) -> std::optional<std::int64_t> {
    if (fields.size() < 2 || fields[0].size() < 2 || fields[0].back() != ':') return std::nullopt;
    return parse_integer(fields[0].substr(0, fields[0].size() - 1));
  };
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line == "CARTESIAN COORDINATES (ANGSTROEM)") {
      begin(Part::positions);
      positions.clear();
    } else if (line == "VIBRATIONAL FREQUENCIES") {
      begin(Part::frequencies);
      modes.clear();
      modes.found.positions = positions;
    } else if (line == "NORMAL MODES") {
      begin(Part::matrix);
    } else if (line == "IR SPECTRUM") {
      begin(Part::infrared);
    } else if (line == "RAMAN SPECTRUM") {
      begin(Part::raman);
    } else if (part != Part::none) {
      const std::vector<std::string_view> fields = split(line);
      const auto index = index_of(fields);
      bool fits = false;
      switch (part) {
        case Part::positions:
          fits = fields.size() == 4 && parse_real(fields[1]) && parse_real(fields[3]);
          if (fits) {
            glm::dvec3 position(0);
            for (int axis = 0; axis < 3; ++axis)
              position[axis] =
                  lines.coordinate(fields[1 + static_cast<std::size_t>(axis)], "coordinate") * units::angstrom_in_bohr;
            positions.push_back(position);
          }
          break;
        case Part::frequencies:
          fits = index && fields.size() >= 3 && fields[2] == "cm**-1";
          if (fits) modes.mode(lines, *index).frequency = lines.real(fields[1], "frequency");
          break;
        case Part::matrix:
          fits = modes.matrix_line(lines, fields);
          break;
        case Part::infrared:
          // Later versions have the molar absorption before the intensity.
          if (!index && line.find("Int") != std::string_view::npos) km_column = true;
          fits = index && fields.size() >= (km_column ? 4u : 3u);
          if (fits) modes.mode(lines, *index).intensity = lines.real(fields[km_column ? 3 : 2], "intensity");
          break;
        case Part::raman:
          fits = index && fields.size() >= 3;
          if (fits) modes.mode(lines, *index).raman = lines.real(fields[2], "Raman activity");
          break;
        case Part::none:
          break;
      }
      if (rows && !fits) begin(Part::none);
      rows = part != Part::none && (rows || fits);
    }
  }
  modes.end_matrix(lines);
  return modes.vibrations();
}

}  // namespace isolume
