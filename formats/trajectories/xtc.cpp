// XTC trajectories of GROMACS.
#include "formats/trajectories/xtc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "formats/bytes/binary.h"
#include "formats/trajectories/gromacs_frames.h"
#include "formats/trajectories/xtc_decode.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr bool swapped = std::endian::native == std::endian::little;
constexpr std::int32_t magic_1995 = 1995;
constexpr std::int32_t magic_2023 = 2023;
constexpr std::uint64_t plain_atoms = 9;

/// One frame without its positions, and where they are.
struct Header {
  std::uint64_t atoms = 0;
  float time = 0;
  std::array<float, 9> cell{};
  bool compressed = false;
  XtcBlock block;
  std::uint64_t offset = 0;  ///< of the positions
  std::uint64_t bytes = 0;   ///< of the positions, without the padding
};

/// Reads a header and steps over the positions.
Header take_header(BinaryCursor& cursor) {
  Header header;
  const auto magic = cursor.get<std::int32_t>("the magic number");
  if (magic != magic_1995 && magic != magic_2023) {
    cursor.fail("a frame begins with 1995 or 2023, not with " + std::to_string(magic));
  }
  const auto atoms = cursor.get<std::int32_t>("the number of atoms");
  cursor.get<std::int32_t>("the step");
  header.time = cursor.get<float>("the time");
  for (float& value : header.cell) value = cursor.get<float>("the cell");
  const auto again = cursor.get<std::int32_t>("the number of coordinates");
  if (atoms <= 0 || atoms != again) {
    cursor.fail("the number of atoms is " + std::to_string(atoms) + " and that of the coordinates " +
                std::to_string(again));
  }
  header.atoms = static_cast<std::uint64_t>(atoms);
  header.compressed = header.atoms > plain_atoms;
  if (!header.compressed) {
    header.offset = cursor.offset();
    header.bytes = 12 * header.atoms;
    cursor.take(header.bytes, "the coordinates");
    return header;
  }
  XtcBlock& block = header.block;
  block.precision = cursor.get<float>("the precision");
  for (std::int32_t& value : block.low) value = cursor.get<std::int32_t>("the least coordinates");
  for (std::int32_t& value : block.high) value = cursor.get<std::int32_t>("the largest coordinates");
  block.small_index = cursor.get<std::int32_t>("the range of the differences");
  const std::int64_t bytes =
      magic == magic_2023 ? cursor.get<std::int64_t>("the size") : cursor.get<std::int32_t>("the size");
  // Every atom takes at least one bit.
  if (bytes <= 0 || header.atoms > saturating_product(static_cast<std::uint64_t>(bytes), 8)) {
    cursor.fail(std::to_string(atoms) + " atoms in " + std::to_string(bytes) + " compressed bytes");
  }
  header.offset = cursor.offset();
  header.bytes = static_cast<std::uint64_t>(bytes);
  block.bits = {cursor.take(header.bytes, "the coordinates"), header.bytes};
  const std::uint64_t padding = (4 - header.bytes % 4) % 4;
  cursor.take(std::min(padding, cursor.left()), "the padding");
  return header;
}

/// Of the first `atoms` atoms, or all where there are fewer.
Frame decode_leading(const ByteSource& source, const FramePlace& place, std::size_t atoms) {
  BinaryCursor cursor(source, swapped, place.offset);
  const Header header = take_header(cursor);
  Frame frame;
  frame.time = header.time;
  frame.has_time = std::isfinite(header.time);
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      const float value = header.cell[static_cast<std::size_t>(3 * column + row)];
      if (!std::isfinite(value)) cursor.fail("the cell has a number that is not finite");
      frame.cell.vectors[column][row] = static_cast<double>(value) * units::nm_in_angstrom;
    }
  }
  frame.positions.resize(std::min<std::uint64_t>(header.atoms, atoms));
  try {
    if (header.compressed) {
      decode_xtc(header.block, header.atoms, frame.positions);
    } else {
      const std::byte* at = source.bytes().data() + header.offset;
      for (glm::vec3& position : frame.positions) {
        for (int i = 0; i < 3; ++i, at += 4) {
          position[i] = load_number<float>(at, swapped) * static_cast<float>(units::nm_in_angstrom);
          if (!std::isfinite(position[i])) throw Error("a coordinate is not finite", Error::Kind::input);
        }
      }
    }
  } catch (const Error& error) {
    throw Error::in_file(source.name(), 0, error.what(), static_cast<std::int64_t>(header.offset));
  }
  return frame;
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  return decode_leading(source, place, std::numeric_limits<std::size_t>::max());
}

int sniff(const ByteSource& source) {
  if (source.bytes().size() < 56) return 0;
  const std::byte* at = source.bytes().data();
  const auto magic = load_number<std::int32_t>(at, swapped);
  const bool counts = load_number<std::int32_t>(at + 4, swapped) == load_number<std::int32_t>(at + 52, swapped);
  return (magic == magic_1995 || magic == magic_2023) && counts ? 100 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const auto step_over = [](BinaryCursor& cursor) {
    const Header header = take_header(cursor);
    return GromacsFrame{header.atoms};
  };
  return read_gromacs_frames(std::move(source), "XTC", swapped, step_over, decode, decode_leading);
}

}  // namespace

const Format xtc_format = {"XTC", "xtc", "trajectory", sniff, read};

}  // namespace isolume
