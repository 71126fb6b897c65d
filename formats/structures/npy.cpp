// Arrays of NumPy with a particle a row.
#include "formats/structures/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::uint64_t longest_header = 1 << 16;
constexpr double farthest = 1e6;        ///< angstrom from the origin, along an axis
constexpr double largest_radius = 1e5;  ///< angstrom
constexpr int most_kinds = 65536;
constexpr std::uint64_t poll = 1 << 18;

/// What the header says, and where the numbers begin.
struct Array {
  char kind = 'f';  ///< f, i or u
  int bytes = 4;    ///< of a number
  bool swap = false;
  bool fortran = false;
  std::uint64_t rows = 0, columns = 0, offset = 0;

  std::uint64_t place(std::uint64_t row, std::uint64_t column) const {
    const std::uint64_t at = fortran ? column * rows + row : row * columns + column;
    return offset + at * static_cast<std::uint64_t>(bytes);
  }
};

int sniff(const ByteSource& source) {
  return source.text().starts_with(magic) ? 100 : 0;
}

/// The header's dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class Header {
 public:
  Header(const ByteSource& source, std::string_view text) : source_(source), text_(text) {}

  Array read() {
    Array array;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted("a key");
      expect(':');
      if (key == "descr" && !type) {
        if (peek() == '[') fail("structured arrays (with named fields) are not read; save an array of one type");
        type = true;
        read_type(quoted("the type"), array);
      } else if (key == "fortran_order" && !order) {
        order = true;
        array.fortran = read_bool();
      } else if (key == "shape" && !shape) {
        shape = true;
        read_shape(array);
      } else {
        fail("the key \"" + clean(key, 40) + "\" is not one of descr, fortran_order and shape, each once");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!type || !order || !shape) fail("descr, fortran_order and shape are needed");
    if (skip(); !text_.empty()) fail("\"" + clean(std::string(text_), 20) + "\" follows the dictionary");
    return array;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error::in_file(source_.name(), 0, "the header of a NumPy array: " + what);
  }
  void skip() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\0'))
      text_.remove_prefix(1);
  }
  char peek() {
    skip();
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected \"") + c + "\" before \"" + clean(std::string(text_), 20) + "\"");
  }
  std::string quoted(const char* what) {
    const char quote = peek();
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail(std::string("expected ") + what + " in quotes");
    const std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }
  bool read_bool() {
    skip();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>("True", true), {"False", false}}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("fortran_order is True or False");
  }
  void read_type(const std::string& type, Array& array) const {
    const bool known = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
    const int bytes = known && type[2] >= '1' && type[2] <= '8' ? type[2] - '0' : 0;
    const bool whole = known && (type[1] == 'i' || type[1] == 'u') && (bytes == 1 || bytes == 2);
    const bool either = known && (type[1] == 'i' || type[1] == 'u' || type[1] == 'f') && (bytes == 4 || bytes == 8);
    if (!whole && !either)
      fail("numbers of the type \"" + clean(type, 20) + "\"; floats of 4 or 8 bytes and integers of 1 to 8 are read");
    array.kind = type[1];
    array.bytes = bytes;
    array.swap = type[0] == '>';
  }
  void read_shape(Array& array) {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!take(')')) {
      skip();
      std::size_t digits = 0;
      while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
      const auto size = parse_integer(text_.substr(0, digits));
      if (digits == 0 || !size) fail("a shape of something else than counts");
      shape.push_back(static_cast<std::uint64_t>(*size));
      if (shape.size() > 8) fail("more than 8 dimensions");
      text_.remove_prefix(digits);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    if (shape.size() != 2 || shape[1] < 3 || shape[1] > 5) {
      std::string found;
      for (const std::uint64_t n : shape) found += (found.empty() ? "" : ", ") + std::to_string(n);
      fail("its shape is (" + found +
           "); a row for each particle and 3 to 5 columns are read: x, y, z in angstrom, the kind, the radius");
    }
    array.rows = shape[0];
    array.columns = shape[1];
  }

  const ByteSource& source_;
  std::string_view text_;
};

Array read_header(const ByteSource& source) {
  BinaryCursor cursor(source, false);
  const auto* const begin = reinterpret_cast<const char*>(cursor.take(magic.size(), "the first bytes of NumPy"));
  if (std::string_view(begin, magic.size()) != magic) cursor.fail("no array of NumPy: its first bytes are others");
  const auto major = cursor.get<std::uint8_t>("the version");
  cursor.get<std::uint8_t>("the version");
  if (major < 1 || major > 3) cursor.fail("version " + std::to_string(major) + " of NumPy's format; 1 to 3 are read");
  const std::uint64_t length = major == 1 ? cursor.get<std::uint16_t>("the length of the header")
                                          : cursor.get<std::uint32_t>("the length of the header");
  if (length > longest_header)
    cursor.fail("a header of " + std::to_string(length) + " bytes; at most " + std::to_string(longest_header) +
                " are read");
  const auto* const text = reinterpret_cast<const char*>(cursor.take(length, "the header"));
  Array array = Header(source, {text, static_cast<std::size_t>(length)}).read();
  array.offset = cursor.offset();
  if (array.rows == 0) cursor.fail("an array of 0 particles");
  if (array.rows > source.limits().atoms)
    cursor.fail(std::to_string(array.rows) + " particles; at most " + std::to_string(source.limits().atoms) +
                " are read");
  const std::uint64_t bytes = array.rows * array.columns * static_cast<std::uint64_t>(array.bytes);
  if (bytes > cursor.left())
    cursor.fail("the file ends inside the array: " + std::to_string(array.rows) + " particles of " +
                std::to_string(array.columns) + " numbers take " + std::to_string(bytes) + " bytes, " +
                std::to_string(cursor.left()) + " are left");
  return array;
}

/// The numbers of an array, whatever their type.
class Numbers {
 public:
  Numbers(const ByteSource& source, const Array& array) : data_(source.bytes().data()), array_(array) {}

  double operator()(std::uint64_t row, std::uint64_t column) const {
    const std::byte* const at = data_ + array_.place(row, column);
    const bool swap = array_.swap;
    if (array_.kind == 'f') {
      return array_.bytes == 4 ? static_cast<double>(load_number<float>(at, swap)) : load_number<double>(at, swap);
    }
    const bool sign = array_.kind == 'i';
    switch (array_.bytes) {
      case 1:
        return sign ? load_number<std::int8_t>(at, swap) : load_number<std::uint8_t>(at, swap);
      case 2:
        return sign ? load_number<std::int16_t>(at, swap) : load_number<std::uint16_t>(at, swap);
      case 4:
        return sign ? load_number<std::int32_t>(at, swap) : load_number<std::uint32_t>(at, swap);
      default:
        return sign ? static_cast<double>(load_number<std::int64_t>(at, swap))
                    : static_cast<double>(load_number<std::uint64_t>(at, swap));
    }
  }
  glm::vec3 position(std::uint64_t row) const {
    return {static_cast<float>((*this)(row, 0)), static_cast<float>((*this)(row, 1)),
            static_cast<float>((*this)(row, 2))};
  }

 private:
  const std::byte* data_;
  Array array_;
};

/// The one frame of the file, from its bytes whenever it is asked for.
class NpyTrajectory final : public Trajectory {
 public:
  NpyTrajectory(std::shared_ptr<const ByteSource> source, const Array& array)
      : source_(std::move(source)), array_(array) {}
  std::size_t frame_count() const override { return 1; }
  std::size_t atom_count() const override { return array_.rows; }
  Frame frame(std::size_t index) const override { return leading_frame(index, array_.rows); }
  Frame leading_frame(std::size_t index, std::size_t atoms) const override {
    if (index > 0) throw Error("an array of particles has one frame", Error::Kind::usage);
    const Numbers numbers(*source_, array_);
    Frame frame;
    frame.positions.resize(std::min<std::uint64_t>(atoms, array_.rows));
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      if (i % poll == 0) check_stop();
      frame.positions[i] = numbers.position(i);
    }
    return frame;
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  Array array_;
};

[[noreturn]] void fail_at(const ByteSource& source, std::uint64_t row, const std::string& what) {
  throw Error::in_file(source.name(), 0, "particle " + std::to_string(row + 1) + ": " + what);
}

/// Particles with what the columns say of them; throws where a number makes no sense.
Topology read_particles(const ByteSource& source, const Array& array) {
  Topology topology;
  try {
    topology.atoms.resize(array.rows);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: {} particles take {} MiB of memory, which cannot be had", source.name(), array.rows,
                            (array.rows * sizeof(Atom)) >> 20));
  }
  const Numbers numbers(source, array);
  std::vector<std::string> names;
  glm::dvec3 lower(farthest), upper(-farthest);
  for (std::uint64_t i = 0; i < array.rows; ++i) {
    if (i % poll == 0) check_stop();
    for (int axis = 0; axis < 3; ++axis) {
      const double value = numbers(i, static_cast<std::uint64_t>(axis));
      if (!(std::abs(value) <= farthest))
        fail_at(source, i, "a coordinate that is no number or farther than a million angstrom from the origin");
      lower[axis] = std::min(lower[axis], value);
      upper[axis] = std::max(upper[axis], value);
    }
    const double kind = array.columns > 3 ? numbers(i, 3) : 0;
    if (!(kind >= 0 && kind < most_kinds) || kind != std::floor(kind))
      fail_at(source, i, "its kind (column 4) is no whole number from 0 to 65535");
    const auto number = static_cast<std::size_t>(kind);
    if (names.size() <= number) names.resize(number + 1);
    if (names[number].empty()) names[number] = "K" + std::to_string(number);
    Atom& atom = topology.atoms[i];
    atom.name = atom.type = names[number];
    atom.b_factor = static_cast<float>(kind);
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.hetero = true;
    if (array.columns < 5) continue;
    const double radius = numbers(i, 4);
    if (!(radius > 0 && radius <= largest_radius))
      fail_at(source, i, "its radius (column 5) is not above 0 and at most 100 000 angstrom");
    atom.radius = static_cast<float>(radius);
  }
  if (array.columns < 5) {
    const glm::dvec3 size = glm::max(upper - lower, glm::dvec3(1));
    const double spacing = std::cbrt(size.x * size.y * size.z / static_cast<double>(array.rows));
    const double radius = std::clamp(0.5 * spacing, 0.5, largest_radius);
    for (Atom& atom : topology.atoms) atom.radius = static_cast<float>(radius);
    topology.notes.push_back(fmt::format(
        "The array has no radii (column 5): all are {:.3g} angstrom, half of the mean distance of particles "
        "that fill their box evenly.",
        radius));
  }
  return topology;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const Array array = read_header(*source);
  auto topology = std::make_shared<Topology>(read_particles(*source, array));
  Residue residue;
  residue.name = "CELL";
  residue.number = 1;
  residue.atom_count = static_cast<std::uint32_t>(array.rows);
  topology->residues.push_back(residue);
  Chain chain;
  chain.residue_count = 1;
  topology->chains.push_back(chain);
  topology->has_radii = topology->has_bonds = topology->has_structure = true;
  Molecule molecule;
  const std::uint64_t end = array.place(array.rows - 1, array.columns - 1) + static_cast<std::uint64_t>(array.bytes);
  if (const std::uint64_t more = source->bytes().size() - end; more > 0)
    molecule.warnings.push_back("Behind the array are " + std::to_string(more) + " more bytes, which were left out.");
  molecule.topology = std::move(topology);
  molecule.trajectory = std::make_shared<NpyTrajectory>(std::move(source), array);
  return molecule;
}

}  // namespace

const Format npy_format = {"NPY", "npy", "structure", sniff, read};

}  // namespace isolume
