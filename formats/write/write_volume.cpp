// Writing volumes as cube, OpenDX and MRC/CCP4.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "formats/write/buffered_output.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/threads.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// Calls use(first, values) for all points in runs, the third index fastest: `first` counts the points before the run.
/// The values, which have the first index fastest and may lie in a mapped file, are gathered in at most 16 passes over
/// them.
template <class Use>
void each_z_fastest(const VolumeView& volume, const Use& use) {
  constexpr std::size_t least = std::size_t{1} << 24;  // values, 64 MiB
  const glm::ivec3 n = volume.grid.counts;
  const auto high = static_cast<std::size_t>(n.z);
  const std::size_t slice = static_cast<std::size_t>(n.y) * high;
  if (volume.values.empty()) return;
  const std::size_t room = std::max(least, volume.values.size() / 16 + 1);
  const int at_a_time = static_cast<int>(std::clamp<std::size_t>(room / slice, 1, static_cast<std::size_t>(n.x)));
  std::vector<float> block;
  for (int first = 0; first < n.x; first += at_a_time) {
    const int count = std::min(at_a_time, n.x - first);
    block.resize(slice * static_cast<std::size_t>(count));
    on_threads(static_cast<std::size_t>(n.y), [&](std::size_t j) {
      for (int k = 0; k < n.z; ++k) {
        const float* from = volume.values.data() + volume.grid.index(first, static_cast<int>(j), k);
        float* to = block.data() + j * high + static_cast<std::size_t>(k);
        for (int i = 0; i < count; ++i) to[static_cast<std::size_t>(i) * slice] = from[i];
      }
    });
    use(static_cast<std::size_t>(first) * slice, std::span<const float>(block));
  }
}

/// Writes all values as text, the third index fastest, formatted on all threads: add(text, index, value) appends one
/// of them, by its place among all.
template <class Add>
void write_values(BufferedOutput& out, const VolumeView& volume, const Add& add) {
  constexpr std::size_t piece = std::size_t{1} << 14;  // values of one call, some 256 KiB of text
  constexpr std::size_t pieces = 128;                  // in memory at a time
  each_z_fastest(volume, [&](std::size_t first, std::span<const float> values) {
    std::vector<fmt::memory_buffer> texts(std::min(pieces, (values.size() + piece - 1) / piece));
    for (std::size_t begin = 0; begin < values.size(); begin += piece * texts.size()) {
      const std::size_t left = values.size() - begin;
      const std::size_t count = std::min(texts.size(), (left + piece - 1) / piece);
      on_threads(count, [&](std::size_t t) {
        check_stop();
        texts[t].clear();
        const std::size_t from = begin + t * piece, to = std::min(from + piece, values.size());
        for (std::size_t i = from; i < to; ++i) add(texts[t], first + i, values[i]);
      });
      for (std::size_t t = 0; t < count; ++t) out.add_text(std::string_view(texts[t].data(), texts[t].size()));
    }
  });
}

}  // namespace

void write_cube(std::ostream& out, const VolumeView& volume, const Molecule* atoms, std::size_t frame,
                const std::string& comment) {
  const Grid& grid = volume.grid;
  BufferedOutput text(out);
  const std::string title = one_line(volume.name, 80);
  text.add("{}\n", title.empty() ? "volume" : title);
  const std::string unit = one_line(volume.unit, 40);
  text.add("{}{}{}\n", one_line(comment, 150), unit.empty() ? "" : " unit: ", unit);
  std::size_t count = 0;
  Frame positions;
  if (atoms && atoms->topology && atoms->trajectory && atoms->frame_count() > frame) {
    positions = atoms->trajectory->frame(frame);
    count = std::min(atoms->topology->atoms.size(), positions.positions.size());
  }
  const double scale = units::angstrom_in_bohr;
  const auto vector = [&](std::int64_t n, glm::dvec3 v) {
    text.add("{:5d} {:15.9f} {:15.9f} {:15.9f}\n", n, v.x * scale, v.y * scale, v.z * scale);
  };
  vector(static_cast<std::int64_t>(count), grid.origin);
  for (int axis = 0; axis < 3; ++axis) vector(grid.counts[axis], grid.step[axis]);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::dvec3 p =
        (positions.precise_positions.size() == positions.positions.size() ? positions.precise_positions[i]
                                                                          : glm::dvec3(positions.positions[i])) *
        scale;
    const int z = atoms->topology->atoms[i].element;
    text.add("{:5d} {:15.9f} {:15.9f} {:15.9f} {:15.9f}\n", z, static_cast<double>(z), p.x, p.y, p.z);
  }
  const auto high = static_cast<std::size_t>(grid.counts.z);
  write_values(text, volume, [high](fmt::memory_buffer& to, std::size_t index, float value) {
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{:16.8E}"), value);
    const std::size_t k = index % high;
    if (k % 6 == 5 || k + 1 == high) to.push_back('\n');
  });
  text.flush();
}

void write_dx(std::ostream& out, const VolumeView& volume, const std::string& comment) {
  const Grid& grid = volume.grid;
  BufferedOutput text(out);
  if (!comment.empty()) text.add("# {}\n", one_line(comment, 400));
  const std::string name = one_line(volume.name, 80);
  if (!name.empty()) text.add("# name: {}\n", name);
  if (!volume.unit.empty()) text.add("# unit: {}\n", one_line(volume.unit, 40));
  const glm::ivec3 n = grid.counts;
  text.add("object 1 class gridpositions counts {} {} {}\n", n.x, n.y, n.z);
  text.add("origin {:.9e} {:.9e} {:.9e}\n", grid.origin.x, grid.origin.y, grid.origin.z);
  for (int axis = 0; axis < 3; ++axis) {
    text.add("delta {:.9e} {:.9e} {:.9e}\n", grid.step[axis].x, grid.step[axis].y, grid.step[axis].z);
  }
  text.add("object 2 class gridconnections counts {} {} {}\n", n.x, n.y, n.z);
  text.add("object 3 class array type double rank 0 items {} data follows\n", grid.size());
  write_values(text, volume, [](fmt::memory_buffer& to, std::size_t index, float value) {
    fmt::format_to(std::back_inserter(to), FMT_COMPILE("{:.8e}"), value);
    to.push_back(index % 3 == 2 ? '\n' : ' ');
  });
  if (grid.size() % 3 != 0) text.add("\n");
  text.add(
      "attribute \"dep\" string \"positions\"\nobject \"regular positions regular connections\" class field\n"
      "component \"positions\" value 1\ncomponent \"connections\" value 2\ncomponent \"data\" value 3\n");
  text.flush();
}

void write_mrc(std::ostream& out, const VolumeView& volume, const std::string& comment) {
  static_assert(std::endian::native == std::endian::little, "written as this machine has it");
  const Grid& grid = volume.grid;
  // The format knows a cell by lengths and angles, with a along x and b in the xy plane.
  glm::dvec3 lengths, angles;
  for (int axis = 0; axis < 3; ++axis) lengths[axis] = glm::length(grid.step[axis]) * grid.counts[axis];
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 a = grid.step[(axis + 1) % 3], b = grid.step[(axis + 2) % 3];
    angles[axis] = glm::degrees(std::acos(std::clamp(glm::dot(a, b) / (glm::length(a) * glm::length(b)), -1.0, 1.0)));
  }
  const Cell cell = Cell::from_lengths_angles(lengths, angles);
  for (int axis = 0; axis < 3; ++axis) {
    const glm::dvec3 kept = cell.vectors[axis] / static_cast<double>(grid.counts[axis]);
    if (glm::length(kept - grid.step[axis]) > 1e-5 * glm::length(grid.step[axis])) {
      throw Error(
          "MRC and CCP4 cannot hold this grid: its first step must lie along x and its second in the xy plane; "
          "write it as cube or dx",
          Error::Kind::usage);
    }
  }
  float low = volume.values[0], high = low;
  double sum = 0, squares = 0;
  for (const float v : volume.values) {
    low = std::min(low, v);
    high = std::max(high, v);
    sum += v;
  }
  const double mean = sum / static_cast<double>(volume.values.size());
  for (const float v : volume.values) squares += (v - mean) * (v - mean);

  std::array<char, 1024> header{};
  const auto put = [&](std::size_t word, auto value) {
    static_assert(sizeof(value) == 4);
    std::memcpy(header.data() + 4 * (word - 1), &value, 4);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = static_cast<int>(i);
    put(1 + i, grid.counts[axis]);
    put(8 + i, grid.counts[axis]);
    put(11 + i, static_cast<float>(lengths[axis]));
    put(14 + i, static_cast<float>(angles[axis]));
    put(17 + i, axis + 1);
    put(50 + i, static_cast<float>(grid.origin[axis]));
  }
  put(4, 2);  // 32-bit real numbers
  put(20, low);
  put(21, high);
  put(22, static_cast<float>(mean));
  put(23, 1);      // space group P1: a volume
  put(28, 20140);  // version of MRC2014
  std::memcpy(header.data() + 208, "MAP ", 4);
  std::memcpy(header.data() + 212, "\x44\x44\0\0", 4);
  put(55, static_cast<float>(std::sqrt(squares / static_cast<double>(volume.values.size()))));
  // Labels of 80 characters: the name first, which is what readers show. The unit as in cube and dx.
  std::fill(header.begin() + 224, header.end(), '\0');
  int labels = 0;
  const std::string unit = volume.unit.empty() ? std::string() : "unit: " + one_line(volume.unit, 40);
  for (const std::string& text : {one_line(volume.name, 79), one_line(comment, 79), unit}) {
    if (text.empty()) continue;
    const auto at = header.begin() + 224 + 80 * labels++;
    std::fill(at, at + 80, ' ');
    std::copy(text.begin(), text.end(), at);
  }
  put(56, labels);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  out.write(reinterpret_cast<const char*>(volume.values.data()),
            static_cast<std::streamsize>(volume.values.size() * sizeof(float)));
}

}  // namespace isolume
