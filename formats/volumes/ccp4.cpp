// CCP4 and MRC density maps.
#include "formats/volumes/ccp4.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"
#include "molecule/cell.h"

namespace isolume {
namespace {

constexpr std::uint64_t header_bytes = 1024;

/// The header by words, counted from 1 as the format documents do.
class Words {
 public:
  Words(const ByteSource& source, bool swap) : at_(source.bytes().data()), swap_(swap) {}
  std::int32_t integer(std::size_t word) const { return load_number<std::int32_t>(at_ + 4 * (word - 1), swap_); }
  double real(std::size_t word) const { return static_cast<double>(load_number<float>(at_ + 4 * (word - 1), swap_)); }
  glm::ivec3 integers(std::size_t word) const { return {integer(word), integer(word + 1), integer(word + 2)}; }
  glm::dvec3 reals(std::size_t word) const { return {real(word), real(word + 1), real(word + 2)}; }

 private:
  const std::byte* at_;
  bool swap_;
};

bool is_permutation(glm::ivec3 axes) {
  std::array<int, 3> sorted = {axes.x, axes.y, axes.z};
  std::sort(sorted.begin(), sorted.end());
  return sorted == std::array<int, 3>{1, 2, 3};
}

bool plausible(const Words& words) {
  const glm::ivec3 n = words.integers(1);
  const glm::ivec3 axes = words.integers(17);
  return words.integer(4) >= 0 && words.integer(4) <= 127 && glm::all(glm::greaterThan(n, glm::ivec3(0))) &&
         glm::all(glm::lessThan(n, glm::ivec3(1 << 24))) && (is_permutation(axes) || axes == glm::ivec3(0));
}

bool finite(glm::dvec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

struct Header {
  glm::ivec3 counts{0};  ///< columns, rows, sections
  glm::ivec3 axis{0};    ///< which of x, y, z (0, 1, 2) they run along
  int mode = 2;
  std::uint64_t width = 4;   ///< bytes of a value
  std::uint64_t offset = 0;  ///< of the values
  Grid grid;
};

/// Steps of the grid from the cell and its sampling.
glm::dmat3 steps_of(const Words& words, const ByteSource& source, std::vector<std::string>& warnings) {
  const glm::ivec3 sampling = words.integers(8);
  for (int i = 0; i < 3; ++i) {
    if (sampling[i] <= 0) {
      throw Error::in_file(source.name(), 0,
                           fmt::format("M{} is {}; a positive number expected", "XYZ"[i], sampling[i]), 28 + 4 * i);
    }
  }
  const glm::dvec3 lengths = words.reals(11), angles = words.reals(14);
  if (lengths == glm::dvec3(0)) {
    warnings.push_back("The map has no cell; its points are taken to be 1 angstrom apart.");
    return glm::dmat3(1.0);
  }
  Cell cell;
  try {
    // Images of electron microscopy may leave the angles out.
    cell = Cell::from_lengths_angles(lengths, angles == glm::dvec3(0) ? glm::dvec3(90) : angles);
  } catch (const Error& error) {
    throw Error::in_file(source.name(), 0, error.what(), 40);
  }
  glm::dmat3 steps = cell.vectors;
  for (int i = 0; i < 3; ++i) steps[i] /= static_cast<double>(sampling[i]);
  return steps;
}

/// Places the first point: ORIGIN, else NSTART; then the skew transformation.
void place(const Words& words, const Header& header, Grid& grid) {
  const glm::dvec3 origin = words.reals(50);
  const glm::ivec3 start = words.integers(5);
  if (finite(origin) && origin != glm::dvec3(0) && glm::length(origin) < 1e6) {
    grid.origin = origin;
  } else {
    for (int i = 0; i < 3; ++i) grid.origin += grid.step[header.axis[i]] * static_cast<double>(start[i]);
  }
  if (words.integer(25) != 1) return;
  // Rows of S in words 26 to 34, t in 35 to 37. MRC uses these words otherwise: take nothing but a rotation.
  const glm::dmat3 skew = glm::transpose(glm::dmat3(words.reals(26), words.reals(29), words.reals(32)));
  const glm::dvec3 shift = words.reals(35);
  const glm::dmat3 product = skew * glm::transpose(skew);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!(std::abs(product[i][j] - (i == j ? 1.0 : 0.0)) < 1e-3)) return;
    }
  }
  if (!finite(shift)) return;
  grid.origin = glm::transpose(skew) * grid.origin + shift;
  grid.step = glm::transpose(skew) * grid.step;
}

Header read_header(const ByteSource& source, const Words& words, std::vector<std::string>& warnings) {
  const auto fail = [&](const std::string& message, std::size_t word) {
    throw Error::in_file(source.name(), 0, message, static_cast<std::int64_t>(4 * (word - 1)));
  };
  Header header;
  header.counts = words.integers(1);
  header.mode = words.integer(4);
  switch (header.mode) {
    case 0:
      header.width = 1;
      break;
    case 1:
    case 6:
      header.width = 2;
      break;
    case 2:
      header.width = 4;
      break;
    default:
      fail(fmt::format("maps of mode {} are not read; only 0, 1, 2 and 6 are", header.mode), 4);
  }
  const glm::ivec3 axes = words.integers(17);
  header.axis = (axes == glm::ivec3(0) ? glm::ivec3(1, 2, 3) : axes) - 1;
  const std::int32_t extra = words.integer(24);
  if (extra < 0 || static_cast<std::uint64_t>(extra) > source.bytes().size() - header_bytes) {
    fail(fmt::format("NSYMBT promises {} bytes; {} follow", extra, source.bytes().size() - header_bytes), 24);
  }
  header.offset = header_bytes + static_cast<std::uint64_t>(extra);
  const glm::u64vec3 n(header.counts);
  const std::uint64_t points = saturating_product(saturating_product(n.x, n.y), n.z);
  const std::uint64_t left = source.bytes().size() - header.offset;
  if (points > source.limits().grid_points || saturating_product(points, header.width) > left) {
    fail(
        fmt::format("{} x {} x {} values of {} bytes are promised; {} bytes follow", n.x, n.y, n.z, header.width, left),
        1);
  }
  header.grid.step = steps_of(words, source, warnings);
  for (int i = 0; i < 3; ++i) header.grid.counts[header.axis[i]] = header.counts[i];
  place(words, header, header.grid);
  return header;
}

float value_at(const std::byte* at, int mode, bool swap) {
  switch (mode) {
    case 0:
      return static_cast<float>(load_number<std::int8_t>(at, swap));
    case 1:
      return static_cast<float>(load_number<std::int16_t>(at, swap));
    case 6:
      return static_cast<float>(load_number<std::uint16_t>(at, swap));
    default:
      return load_number<float>(at, swap);
  }
}

int sniff(const ByteSource& source) {
  if (source.bytes().size() < header_bytes) return 0;
  const bool stamp = source.text().substr(208, 4) == "MAP ";
  if (!plausible(Words(source, false)) && !plausible(Words(source, true))) return stamp ? 85 : 0;
  return stamp ? 100 : 40;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  if (source->bytes().size() < header_bytes) {
    throw Error::in_file(
        source->name(), 0,
        fmt::format("a map begins with {} bytes of header; the file has {}", header_bytes, source->bytes().size()));
  }
  bool swap = false;
  if (!plausible(Words(*source, false))) swap = true;
  const Words words(*source, swap);
  if (!plausible(words)) {
    const Words straight(*source, false);
    const glm::ivec3 n = straight.integers(1), axes = straight.integers(17);
    throw Error::in_file(source->name(), 0,
                         fmt::format("no map header: {} x {} x {} points, mode {}, axes {} {} {}", n.x, n.y, n.z,
                                     straight.integer(4), axes.x, axes.y, axes.z),
                         0);
  }
  Molecule molecule;
  const Header header = read_header(*source, words, molecule.warnings);
  auto volume = std::make_shared<Volume>();
  volume->grid = header.grid;
  volume->values.resize(volume->grid.size());
  const std::byte* at = source->bytes().data() + header.offset;
  glm::ivec3 index(0);
  for (int section = 0; section < header.counts.z; ++section) {
    check_stop();
    WorkPart::report(static_cast<double>(section) / header.counts.z);
    index[header.axis.z] = section;
    for (int row = 0; row < header.counts.y; ++row) {
      index[header.axis.y] = row;
      for (int column = 0; column < header.counts.x; ++column, at += header.width) {
        index[header.axis.x] = column;
        const float value = value_at(at, header.mode, swap);
        if (!std::isfinite(value)) {
          throw Error::in_file(source->name(), 0, "a value of the map is not finite", at - source->bytes().data());
        }
        volume->values[volume->grid.index(index.x, index.y, index.z)] = value;
      }
    }
  }
  const int labels = std::clamp(words.integer(56), 0, 10);
  for (int i = 0; i < labels; ++i) {
    const std::string label = clean(source->text().substr(224 + 80 * static_cast<std::size_t>(i), 80), 80);
    if (label.starts_with("unit: ")) {  // Isolume's
      volume->unit = label.substr(6);
    } else if (i == 0) {
      volume->name = label;
    }
  }
  molecule.format = "CCP4";
  molecule.title = volume->name;
  molecule.volumes.push_back(std::move(volume));
  return molecule;
}

}  // namespace

const Format ccp4_format = {"CCP4", "ccp4 map mrc", "volume", sniff, read};

}  // namespace isolume
