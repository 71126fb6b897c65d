// Gaussian cube files.
#include "formats/volumes/cube.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/bytes/number_run.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

/// The first `count` numbers of the current line; fails where there are fewer.
std::vector<double> numbers(const LineScanner& lines, std::size_t count, std::string_view what) {
  std::vector<double> values;
  std::string_view rest = lines.line();
  double value = 0;
  while (values.size() < count && next_number(lines, rest, value, what)) values.push_back(value);
  if (values.size() < count) lines.fail(fmt::format("{}: {} numbers expected, {} found", what, count, values.size()));
  return values;
}

std::int64_t whole(const LineScanner& lines, double value, std::string_view what) {
  if (value != std::floor(value) || std::abs(value) > 2e9) lines.fail(fmt::format("{}: {} is no integer", what, value));
  return static_cast<std::int64_t>(value);
}

struct Header {
  std::string first, second;  ///< the comments
  Grid grid;
  std::size_t atoms = 0;
  std::size_t per_point = 1;
  bool has_list = false;  ///< of orbitals, after the atoms
  double scale = units::bohr_in_angstrom;
};

Header read_header(LineScanner& lines) {
  Header header;
  header.first = clean(lines.require("the first comment line"));
  header.second = clean(lines.require("the second comment line"));
  lines.require("the number of atoms and the origin");
  const std::vector<double> third = numbers(lines, 4, "number of atoms and origin");
  const std::int64_t atoms = whole(lines, third[0], "number of atoms");
  header.has_list = atoms < 0;
  header.atoms = static_cast<std::size_t>(std::abs(atoms));
  std::vector<std::string_view> fields = split(lines.line());
  if (fields.size() == 5) {
    header.per_point = static_cast<std::size_t>(lines.integer(fields[4], "values per point", 1, 1'000'000));
  }
  header.grid.origin = {third[1], third[2], third[3]};
  for (int axis = 0; axis < 3; ++axis) {
    lines.require("the steps of the grid");
    const std::vector<double> line = numbers(lines, 4, "number of points and step");
    const std::int64_t count = whole(lines, line[0], "number of points");
    if (count == 0) lines.fail("a grid with no points along one axis");
    if (count < 0) header.scale = 1.0;
    header.grid.counts[axis] = static_cast<int>(std::abs(count));
    header.grid.step[axis] = {line[1], line[2], line[3]};
  }
  header.grid.origin *= header.scale;
  header.grid.step *= header.scale;
  if (std::abs(glm::determinant(header.grid.step)) < 1e-30) lines.fail("the steps of the grid lie in one plane");
  check_count(lines.source(), lines.number(), header.atoms, 10, lines.bytes_left(), "atoms");
  return header;
}

void read_atoms(LineScanner& lines, const Header& header, Molecule& molecule) {
  if (header.atoms == 0) return;
  TopologyBuilder builder;
  Frame frame;
  for (std::size_t i = 0; i < header.atoms; ++i) {
    lines.require("an atom");
    const std::vector<double> line = numbers(lines, 5, "atomic number, charge, x, y, z");
    const std::int64_t z = whole(lines, line[0], "atomic number");
    Atom atom;
    atom.element = z > 0 && z < element_count ? static_cast<std::uint8_t>(z) : std::uint8_t{0};
    atom.name = std::string(element(atom.element).symbol);
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.hetero = true;
    builder.add(std::move(atom), "MOL", 1, ' ', "");
    const glm::dvec3 position = glm::dvec3(line[2], line[3], line[4]) * header.scale;
    frame.precise_positions.push_back(position);
    frame.positions.emplace_back(position);
  }
  molecule.topology = std::make_shared<Topology>(builder.finish());
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
}

/// The numbers of the orbitals after the atoms: how many, then each of them, over as many lines as it takes.
std::vector<std::int64_t> read_list(LineScanner& lines) {
  std::vector<std::int64_t> list;
  std::int64_t count = -1;
  while (count < 0 || static_cast<std::int64_t>(list.size()) < count) {
    std::string_view rest = lines.require("the list of orbitals");
    double value = 0;
    while (next_number(lines, rest, value, "number of an orbital")) {
      const std::int64_t number = whole(lines, value, "number of an orbital");
      if (count < 0) {
        count = number;
        if (count < 1 || count > 1'000'000) lines.fail(fmt::format("a list of {} orbitals", count));
      } else {
        list.push_back(number);
      }
    }
  }
  if (static_cast<std::int64_t>(list.size()) != count) lines.fail("the list of orbitals is longer than it says");
  return list;
}

/// The Molden program writes a list of orbitals without announcing it: a line of integers, the first their number.
bool looks_like_list(std::string_view line) {
  const std::vector<std::string_view> fields = split(line);
  if (fields.size() < 2 || fields.size() > 100) return false;
  const auto count = parse_integer(fields[0]);
  return count && *count == static_cast<std::int64_t>(fields.size()) - 1 &&
         std::all_of(fields.begin(), fields.end(), [](std::string_view f) { return parse_integer(f).has_value(); });
}

std::string volume_name(const Header& header, const std::vector<std::int64_t>& list, std::size_t which) {
  if (list.size() > 1) return fmt::format("orbital {}", list[which]);
  if (header.per_point > 1) return fmt::format("{} ({})", header.first, which + 1);
  return header.first.empty() ? header.second : header.first;
}

/// What our own writer puts at the end of the second comment.
std::string unit_of(const std::string& comment) {
  const std::size_t at = comment.rfind("unit: ");
  return at == std::string::npos ? std::string() : comment.substr(at + 6);
}

int sniff(const ByteSource& source) {
  const std::vector<std::string_view> lines = first_lines(source, 7);
  if (lines.size() < 6 || looks_binary(source)) return 0;
  // Lines 3 to 6: an integer and three real numbers each.
  for (std::size_t i = 2; i < 6; ++i) {
    const std::vector<std::string_view> fields = split(lines[i]);
    if (fields.size() < 4 || fields.size() > 5 || !parse_integer(fields[0])) return 0;
    for (std::size_t k = 1; k < 4; ++k) {
      if (!parse_real(fields[k]) || fields[k].find('.') == std::string_view::npos) return 0;
    }
  }
  // An atom on the line after them: tables of other programs have as many columns as before.
  if (lines.size() > 6 && *parse_integer(split(lines[2])[0]) != 0) {
    const std::vector<std::string_view> fields = split(lines[6]);
    if (fields.size() < 5 || !parse_real(fields[0]) || !parse_real(fields[4])) return 0;
  }
  return 85;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner lines(*source);
  Header header = read_header(lines);
  Molecule molecule;
  molecule.format = "cube";
  molecule.title = header.first;
  read_atoms(lines, header, molecule);
  std::vector<std::int64_t> list;
  if (header.has_list) list = read_list(lines);

  bool have_line = lines.next();
  while (have_line && trimmed(lines.line()).empty()) have_line = lines.next();
  if (have_line && !header.has_list && looks_like_list(lines.line()) &&
      parse_integer(split(lines.line())[0]) == static_cast<std::int64_t>(header.per_point)) {
    for (const std::string_view field : split(lines.line())) list.push_back(*parse_integer(field));
    list.erase(list.begin());
    have_line = lines.next();
  }
  const std::size_t volumes = std::max(header.per_point, list.size());
  if (list.size() > 1 && header.per_point > 1) lines.fail("several orbitals with several values each");

  const glm::ivec3 n = header.grid.counts;
  const auto plane = static_cast<std::uint64_t>(n.x) * static_cast<std::uint64_t>(n.y);
  const auto points = checked_product(plane, static_cast<std::uint64_t>(n.z));
  if (!points || *points > source->limits().grid_points) lines.fail("the grid has more points than the limit");
  const auto values = checked_product(*points, volumes);
  const std::size_t left = have_line ? source->bytes().size() - lines.offset() : 0;
  if (!values) lines.fail("the grid has more values than can be counted");
  check_count(*source, lines.number(), *values, 2, left + 1, "values");

  std::vector<std::shared_ptr<Volume>> out;
  for (std::size_t v = 0; v < volumes; ++v) {
    auto volume = std::make_shared<Volume>();
    volume->grid = header.grid;
    volume->values.resize(*points);
    volume->name = volume_name(header, list, v);
    volume->unit = unit_of(header.second);
    out.push_back(std::move(volume));
  }
  const auto nx = static_cast<std::size_t>(n.x), ny = static_cast<std::size_t>(n.y), nz = static_cast<std::size_t>(n.z);
  std::uint64_t done = 0;
  std::size_t i = 0, j = 0, k = 0, v = 0;
  while (have_line) {
    std::string_view rest = lines.line();
    double value = 0;
    while (next_number(lines, rest, value, "value of the grid")) {
      if (done == *values) {
        molecule.warnings.push_back("The file has more values than its grid; they are left out.");
        have_line = false;
        break;
      }
      out[v]->values[i + nx * (j + ny * k)] = static_cast<float>(value);
      ++done;
      if (++v == volumes) {
        v = 0;
        if (++k == nz) {
          k = 0;
          if (++j == ny) {
            j = 0;
            ++i;
          }
        }
      }
    }
    if (have_line) have_line = lines.next();
  }
  if (done < *values) lines.fail(fmt::format("the file ends after {} of {} values", done, *values));
  molecule.volumes.assign(out.begin(), out.end());
  return molecule;
}

}  // namespace

const Format cube_format = {"cube", "cube cub", "volume", sniff, read};

}  // namespace isolume
