// Arrays of NumPy with a particle a row.
#include "formats/structures/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "formats/bytes/npy.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

constexpr double farthest = 1e6;        ///< angstrom from the origin, along an axis
constexpr double largest_radius = 1e5;  ///< angstrom
constexpr int most_kinds = 65536;
constexpr std::uint64_t poll = 1 << 18;

/// Particles of the file: their array, and where it is.
struct Array {
  NpyHeader header;
  std::uint64_t rows = 0, columns = 0;

  std::uint64_t size() const { return rows * columns * static_cast<std::uint64_t>(header.bytes); }
  NpyNumbers numbers(const ByteSource& source) const { return {source, header, rows, columns}; }
};

int sniff(const ByteSource& source) {
  return source.text().starts_with(npy_magic) ? 100 : 0;
}

Array read_array(const ByteSource& source) {
  Array array{read_npy_header(source)};
  const auto fail = [&](const std::string& what) { throw Error::in_file(source.name(), 0, what); };
  const std::vector<std::uint64_t>& shape = array.header.shape;
  if (shape.size() != 2 || shape[1] < 3 || shape[1] > 5)
    fail(
        fmt::format("the header of a NumPy array: its shape is ({}); a row for each particle and 3 to 5 columns are "
                    "read: x, y, z in angstrom, the kind, the radius",
                    fmt::join(shape, ", ")));
  array.rows = shape[0];
  array.columns = shape[1];
  if (array.rows == 0) fail("an array of 0 particles");
  if (array.rows > source.limits().atoms)
    fail(fmt::format("{} particles; at most {} are read", array.rows, source.limits().atoms));
  if (const std::uint64_t left = source.bytes().size() - array.header.offset; array.size() > left)
    fail(fmt::format("the file ends inside the array: {} particles of {} numbers take {} bytes, {} are left",
                     array.rows, array.columns, array.size(), left));
  return array;
}

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
    const NpyNumbers numbers = array_.numbers(*source_);
    Frame frame;
    frame.positions.resize(std::min<std::uint64_t>(atoms, array_.rows));
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      if (i % poll == 0) check_stop();
      for (int axis = 0; axis < 3; ++axis)
        frame.positions[i][axis] = static_cast<float>(numbers(i, static_cast<std::uint64_t>(axis)));
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
    if (array.columns > 3) topology.atoms.measure();
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: {} particles take {} MiB of memory, which cannot be had", source.name(), array.rows,
                            (array.rows * AtomTable::bytes_each(array.columns > 3)) >> 20));
  }
  topology.has_kinds = array.columns > 3;
  const NpyNumbers numbers = array.numbers(source);
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
    Atom atom;
    atom.name = atom.type = names[number];
    atom.b_factor = static_cast<float>(kind);
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.hetero = true;
    if (array.columns >= 5) {
      const double radius = numbers(i, 4);
      if (!(radius > 0 && radius <= largest_radius))
        fail_at(source, i, "its radius (column 5) is not above 0 and at most 100 000 angstrom");
      atom.radius = static_cast<float>(radius);
    }
    topology.atoms.set(i, atom);
  }
  if (array.columns < 5) {
    const glm::dvec3 size = glm::max(upper - lower, glm::dvec3(1));
    const double spacing = std::cbrt(size.x * size.y * size.z / static_cast<double>(array.rows));
    const double radius = std::clamp(0.5 * spacing, 0.5, largest_radius);
    topology.atoms.change_kinds([&](Atom& kind) { kind.radius = static_cast<float>(radius); });
    topology.notes.push_back(fmt::format(
        "The array has no radii (column 5): all are {:.3g} angstrom, half of the mean distance of particles "
        "that fill their box evenly.",
        radius));
  }
  return topology;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const Array array = read_array(*source);
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
  const std::uint64_t end = array.header.offset + array.size();
  if (const std::uint64_t more = source->bytes().size() - end; more > 0)
    molecule.warnings.push_back("Behind the array are " + std::to_string(more) + " more bytes, which were left out.");
  molecule.topology = std::move(topology);
  molecule.trajectory = std::make_shared<NpyTrajectory>(std::move(source), array);
  return molecule;
}

}  // namespace

const Format npy_format = {"NPY", "npy", "structure", sniff, read};

}  // namespace isolume
