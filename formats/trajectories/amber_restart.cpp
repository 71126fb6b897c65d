// AMBER restart and coordinate files in text.
#include "formats/trajectories/amber_restart.h"

#include <cmath>
#include <utility>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr double velocity_unit = 20.455;  // angstrom/ps
constexpr std::size_t width = 12;

/// The second line: a number of atoms, and perhaps a time and a temperature.
bool parse_counts(std::string_view line, std::int64_t& atoms, double& time, bool& has_time) {
  const auto fields = split(line);
  if (fields.empty() || fields.size() > 3) return false;
  const auto count = parse_integer(fields[0]);
  if (!count || *count < 1) return false;
  atoms = *count;
  has_time = false;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto value = parse_real(fields[i]);
    if (!value || !std::isfinite(*value)) return false;
    if (i == 1) {
      time = *value;
      has_time = true;
    }
  }
  return true;
}

/// Up to six numbers in columns of 12, each with a decimal point; 0 where the line is something else.
std::size_t count_columns(std::string_view line) {
  while (!line.empty() && trimmed(line.substr(line.size() - 1)).empty()) line.remove_suffix(1);
  const std::size_t fields = (line.size() + width - 1) / width;
  if (fields == 0 || fields > 6 || line.size() % width != 0) return 0;
  for (std::size_t i = 0; i < fields; ++i) {
    const std::string_view text = field(line, i * width + 1, (i + 1) * width);
    if (text.find('.') == std::string_view::npos || !parse_real(text)) return 0;
  }
  return fields;
}

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 3);
  std::int64_t atoms = 0;
  double time = 0;
  bool has_time = false;
  if (lines.size() < 3 || looks_binary(source) || !parse_counts(lines[1], atoms, time, has_time)) return 0;
  const std::size_t fields = count_columns(lines[2]);
  return fields == 6 || (atoms == 1 && fields == 3) ? 82 : 0;
}

/// `count` vectors, two on a line.
FilePositions read_vectors(LineScanner& scanner, std::size_t count, double scale, const char* what) {
  FilePositions vectors;
  vectors.positions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) scanner.require(what);
    glm::dvec3 vector;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t column = (i % 2) * 3 + axis;
      if (scanner.line().size() < (column + 1) * width) scanner.fail("the line ends inside the " + std::string(what));
      const std::string_view text = field(scanner.line(), column * width + 1, (column + 1) * width);
      vector[static_cast<int>(axis)] = scanner.coordinate(text, what, scale);
    }
    add_position(vector, vectors.positions, vectors.precise);
  }
  return vectors;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  Molecule molecule;
  molecule.title = clean(scanner.require("a title"));
  Frame frame;
  std::int64_t count = 0;
  if (!parse_counts(scanner.require("the number of atoms"), count, frame.time, frame.has_time)) {
    scanner.fail("expected the number of atoms and the time, found \"" + clean(scanner.line(), 40) + "\"");
  }
  const auto atoms = static_cast<std::uint64_t>(count);
  if (atoms > source->limits().atoms) scanner.fail("more atoms than the limit allows");
  check_count(*source, scanner.number(), atoms, 3 * width, scanner.bytes_left() + 1, "atoms");
  FilePositions positions = read_vectors(scanner, atoms, 1, "positions");
  frame.positions = std::move(positions.positions);
  frame.precise_positions = std::move(positions.precise);
  // What is left: velocities, a cell, or both. One line after the positions of two atoms may be either.
  std::size_t lines = 0;
  std::vector<std::string_view> box;
  {
    LineScanner rest(*source, scanner.next_offset(), scanner.number() + 1);
    while (rest.next()) {
      if (trimmed(rest.line()).empty()) continue;
      ++lines;
      box.clear();
      const std::size_t fields = count_columns(rest.line());
      for (std::size_t i = 0; i < fields; ++i) box.push_back(field(rest.line(), i * width + 1, (i + 1) * width));
    }
  }
  const std::size_t full = (atoms + 1) / 2;
  const bool only_cell = lines == 1 && (atoms > 2 || box.size() == 3 || (box.size() == 6 && *parse_real(box[5]) > 20));
  const bool has_velocities = lines >= full && !only_cell;
  const bool has_cell = only_cell || lines == full + 1;
  if (lines != (has_velocities ? full : 0) + (has_cell ? 1 : 0)) {
    scanner.fail("expected " + std::to_string(full) + " lines of velocities, a line with the cell, or both after the " +
                 "positions; found " + std::to_string(lines) + " lines");
  }
  if (has_velocities) frame.velocities = read_vectors(scanner, atoms, velocity_unit, "velocities").positions;
  if (has_cell) {
    while (scanner.next() && trimmed(scanner.line()).empty()) {
    }
    if (box.size() != 3 && box.size() != 6) scanner.fail("the cell: expected 3 lengths, perhaps with 3 angles");
    glm::dvec3 lengths{}, angles{90.0};
    for (std::size_t i = 0; i < box.size(); ++i) {
      const double value = scanner.real(box[i], "the cell");
      (i < 3 ? lengths : angles)[static_cast<int>(i % 3)] = value;
    }
    if (lengths != glm::dvec3(0)) {
      try {
        frame.cell = Cell::from_lengths_angles(lengths, angles);
      } catch (const Error& error) {
        scanner.fail(error.what());
      }
    }
  }
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  return molecule;
}

}  // namespace

const Format amber_restart_format = {"AMBER restart", "rst7 inpcrd restrt rst crd", "trajectory", sniff, read};

}  // namespace isolume
