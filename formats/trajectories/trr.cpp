// TRR trajectories of GROMACS.
#include "formats/trajectories/trr.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "formats/bytes/binary.h"
#include "formats/trajectories/gromacs_frames.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr bool swapped = std::endian::native == std::endian::little;
constexpr std::int32_t magic_number = 1993;
constexpr double force_unit = 1.0 / (units::calorie_in_joule * units::nm_in_angstrom);  // kJ/(mol nm)

/// What a frame says of its parts: their sizes in bytes, 0 for none.
struct Header {
  std::uint64_t cell = 0, positions = 0, velocities = 0, forces = 0;
  std::uint64_t atoms = 0;
  unsigned width = 4;  ///< of a number
  double time = 0;
  std::uint64_t offset = 0;   ///< of the cell; the virial and the pressure follow it
  std::uint64_t skipped = 0;  ///< bytes between the cell and the positions
};

double get_real(BinaryCursor& cursor, unsigned width, const char* what) {
  return width == 8 ? cursor.get<double>(what) : static_cast<double>(cursor.get<float>(what));
}

/// Reads a header and steps over the frame.
Header take_header(BinaryCursor& cursor) {
  const auto magic = cursor.get<std::int32_t>("the magic number");
  if (magic != magic_number) cursor.fail("a frame begins with 1993, not with " + std::to_string(magic));
  cursor.get<std::int32_t>("the length of the version");
  const auto letters = cursor.get<std::uint32_t>("the length of the version");
  if (letters > 128) cursor.fail("the version has " + std::to_string(letters) + " letters");
  cursor.take((letters + 3u) / 4u * 4u, "the version");
  // ir, e, box, virial, pressure, topology, symbols, x, v, f
  std::array<std::uint64_t, 10> sizes{};
  for (std::uint64_t& size : sizes) {
    const auto value = cursor.get<std::int32_t>("the sizes of a frame");
    if (value < 0) cursor.fail("a part of the frame has " + std::to_string(value) + " bytes");
    size = static_cast<std::uint64_t>(value);
  }
  const auto atoms = cursor.get<std::int32_t>("the number of atoms");
  cursor.get<std::int32_t>("the step");
  cursor.get<std::int32_t>("the number of energies");
  if (atoms <= 0) cursor.fail("the number of atoms is " + std::to_string(atoms));
  Header header;
  header.atoms = static_cast<std::uint64_t>(atoms);
  header.cell = sizes[2];
  header.positions = sizes[7];
  header.velocities = sizes[8];
  header.forces = sizes[9];
  std::uint64_t width = 4;
  if (header.cell != 0) {
    width = header.cell / 9;
  } else {
    for (const std::size_t part : {7u, 8u, 9u}) {
      if (sizes[part] != 0) width = sizes[part] / (3 * header.atoms);
    }
  }
  if (width != 4 && width != 8) cursor.fail("numbers of " + std::to_string(width) + " bytes; 4 or 8 expected");
  header.width = static_cast<unsigned>(width);
  if (header.cell != 0 && header.cell != 9 * width) cursor.fail("a cell of " + std::to_string(header.cell) + " bytes");
  for (const std::size_t part : {7u, 8u, 9u}) {
    if (sizes[part] != 0 && sizes[part] != 3 * header.atoms * width) {
      cursor.fail(std::to_string(sizes[part]) + " bytes for the vectors of " + std::to_string(header.atoms) + " atoms");
    }
  }
  header.time = get_real(cursor, header.width, "the time");
  get_real(cursor, header.width, "lambda");
  cursor.take(sizes[0] + sizes[1], "the energies");
  header.offset = cursor.offset();
  header.skipped = sizes[3] + sizes[4] + sizes[5] + sizes[6];
  cursor.take(header.cell + header.skipped + header.positions + header.velocities + header.forces, "a frame");
  return header;
}

void read_vectors(BinaryCursor& cursor, const Header& header, double scale, std::vector<glm::vec3>& out,
                  const char* what) {
  const std::byte* at = cursor.take(3 * header.atoms * header.width, what);
  out.resize(header.atoms);
  for (glm::vec3& vector : out) {
    for (int i = 0; i < 3; ++i, at += header.width) {
      const double value =
          header.width == 8 ? load_number<double>(at, swapped) : static_cast<double>(load_number<float>(at, swapped));
      vector[i] = static_cast<float>(value * scale);
      if (!std::isfinite(vector[i])) cursor.fail(std::string(what) + " have a number that is not finite");
    }
  }
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  BinaryCursor start(source, swapped, place.offset);
  const Header header = take_header(start);
  BinaryCursor cursor(source, swapped, header.offset);
  Frame frame;
  frame.time = header.time;
  frame.has_time = std::isfinite(header.time);
  if (header.cell != 0) {
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 3; ++row) {
        const double value = get_real(cursor, header.width, "the cell");
        if (!std::isfinite(value)) cursor.fail("the cell has a number that is not finite");
        frame.cell.vectors[column][row] = value * units::nm_in_angstrom;
      }
    }
  }
  cursor.take(header.skipped, "the virial");
  read_vectors(cursor, header, units::nm_in_angstrom, frame.positions, "the positions");
  if (header.velocities != 0) read_vectors(cursor, header, units::nm_in_angstrom, frame.velocities, "the velocities");
  if (header.forces != 0) read_vectors(cursor, header, force_unit, frame.forces, "the forces");
  return frame;
}

int sniff(const ByteSource& source) {
  if (source.bytes().size() < 24) return 0;
  if (load_number<std::int32_t>(source.bytes().data(), swapped) != magic_number) return 0;
  return source.text().substr(12, 12) == "GMX_trn_file" ? 100 : 60;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const auto step_over = [](BinaryCursor& cursor) {
    const Header header = take_header(cursor);
    return GromacsFrame{header.atoms, header.positions != 0};
  };
  return read_gromacs_frames(std::move(source), "TRR", swapped, step_over, decode);
}

}  // namespace

const Format trr_format = {"TRR", "trr", "trajectory", sniff, read};

}  // namespace isolume
