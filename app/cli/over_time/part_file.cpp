// Part files: what an average has so far, to be resumed or merged with others.
#include "app/cli/over_time/part_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "formats/bytes/opened_files.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view magic = "ISOLUME PART 1\n";
constexpr std::uint64_t longest_header = std::uint64_t{1} << 30;

// FNV-1a over words of 8 bytes, and the bytes that are left.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; at += 8, bytes -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      put(word);
    }
    for (; bytes > 0; ++at, --bytes) put(*at);
  }
  std::uint64_t value() const { return value_; }

 private:
  void put(std::uint64_t word) {
    value_ = (value_ ^ word) * 1099511628211ULL;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value_ = 14695981039346656037ULL;
};

Json vector_json(glm::dvec3 v) {
  return Json::array({v.x, v.y, v.z});
}

glm::dvec3 vector_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json header_of(const AveragePart& part) {
  Json points = Json::array();
  for (const glm::dvec3& point : part.points) points.push_back(vector_json(point));
  Json levels = Json::array();
  for (const RunningStatistics::Level& level : part.statistics.levels())
    levels.push_back({{"blocks", level.blocks}, {"waits", level.waits}});
  const Grid& grid = part.grid;
  return {{"provenance", part.provenance},
          {"name", part.name},
          {"unit", part.unit},
          {"comment", part.comment},
          {"grid",
           {{"origin", vector_json(grid.origin)},
            {"step", Json::array({vector_json(grid.step[0]), vector_json(grid.step[1]), vector_json(grid.step[2])})},
            {"counts", Json::array({grid.counts.x, grid.counts.y, grid.counts.z})}}},
          {"points", points},
          {"frames", part.frames},
          {"convergence", part.convergence},
          {"levels", levels}};
}

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw Error::in_file(path, 0, "is no whole part of an average: " + why);
}

void read_values(std::istream& in, std::vector<double>& values, std::size_t count, Checksum& sum,
                 const std::string& path) {
  values.resize(count);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(double)));
  if (!in) damaged(path, "it is cut off");
  sum.add(values.data(), count * sizeof(double));
}

void fill_from_header(const Json& header, AveragePart& part) {
  part.provenance = header.at("provenance");
  part.name = header.at("name").get<std::string>();
  part.unit = header.at("unit").get<std::string>();
  part.comment = header.at("comment").get<std::string>();
  const Json& grid = header.at("grid");
  part.grid.origin = vector_of(grid.at("origin"));
  for (int axis = 0; axis < 3; ++axis) {
    part.grid.step[axis] = vector_of(grid.at("step").at(static_cast<std::size_t>(axis)));
    part.grid.counts[axis] = grid.at("counts").at(static_cast<std::size_t>(axis)).get<int>();
  }
  for (const Json& point : header.at("points")) part.points.push_back(vector_of(point));
  part.frames = header.at("frames").get<std::vector<std::uint64_t>>();
  part.convergence = header.at("convergence");
}

}  // namespace

void write_part(const std::string& path, const AveragePart& part) {
  static_assert(std::endian::native == std::endian::little, "part files are little-endian");
  const std::string header = header_of(part).dump();
  Checksum sum;
  sum.add(header.data(), header.size());
  write_atomically(path, [&](std::ostream& out) {
    const std::uint64_t length = header.size();
    out.write(magic.data(), static_cast<std::streamsize>(magic.size()));
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (const RunningStatistics::Level& level : part.statistics.levels())
      for (const std::vector<double>* values : {&level.mean, &level.squares, &level.waiting}) {
        sum.add(values->data(), values->size() * sizeof(double));
        out.write(reinterpret_cast<const char*>(values->data()),
                  static_cast<std::streamsize>(values->size() * sizeof(double)));
      }
    const std::uint64_t value = sum.value();
    out.write(reinterpret_cast<const char*>(&value), sizeof(value));
  });
}

AveragePart read_part(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error::in_file(path, 0, "cannot be read");
  note_opened(path);
  const std::uint64_t size = std::filesystem::file_size(path);
  std::string start(magic.size(), ' ');
  std::uint64_t length = 0;
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  in.read(reinterpret_cast<char*>(&length), sizeof(length));
  if (!in || start != magic) damaged(path, "it does not begin as one that --partial wrote");
  const std::uint64_t fixed = magic.size() + 2 * sizeof(std::uint64_t);
  if (length > longest_header || size < fixed || length > size - fixed) damaged(path, "it is cut off");
  std::string text(length, ' ');
  in.read(text.data(), static_cast<std::streamsize>(length));
  Checksum sum;
  sum.add(text.data(), text.size());
  AveragePart part;
  try {
    const Json header = Json::parse(text);
    fill_from_header(header, part);
    if (glm::any(glm::lessThan(part.grid.counts, glm::ivec3(0)))) damaged(path, "its grid has negative counts");
    const Json& levels = header.at("levels");
    const std::uint64_t left = size - fixed - length;
    const double wanted =
        double(part.points.size()) + double(part.grid.counts.x) * part.grid.counts.y * part.grid.counts.z;
    if (wanted * 24.0 * double(levels.size()) > double(left) + 1e6 * 24.0 || levels.size() > 64 ||
        part.size() * 3 * sizeof(double) * levels.size() != left)
      damaged(path, "its size does not fit its points");
    std::vector<RunningStatistics::Level> found(levels.size());
    for (std::size_t l = 0; l < found.size(); ++l) {
      found[l].blocks = levels[l].at("blocks").get<std::uint64_t>();
      found[l].waits = levels[l].at("waits").get<bool>();
      read_values(in, found[l].mean, part.size(), sum, path);
      read_values(in, found[l].squares, part.size(), sum, path);
      read_values(in, found[l].waiting, part.size(), sum, path);
    }
    part.statistics = found.empty() ? RunningStatistics(part.size()) : RunningStatistics(part.size(), std::move(found));
  } catch (const nlohmann::json::exception& fault) {
    damaged(path, fault.what());
  }
  std::uint64_t value = 0;
  in.read(reinterpret_cast<char*>(&value), sizeof(value));
  if (!in || value != sum.value()) damaged(path, "its checksum is wrong");
  if (part.statistics.frames() != part.frames.size()) damaged(path, "its frames are not those of its values");
  return part;
}

void require_same_place(const AveragePart& part, const AveragePart& other, const std::string& other_path) {
  if (part.unit != other.unit)
    throw Error::in_file(other_path, 0, fmt::format("is in {}, not in {}", other.unit, part.unit));
  if (part.points != other.points) throw Error::in_file(other_path, 0, "is an average at other points");
  if (part.is_map() && !(part.grid == other.grid)) {
    const glm::ivec3 a = other.grid.counts, b = part.grid.counts;
    throw Error::in_file(other_path, 0,
                         fmt::format("is an average on another grid: {} x {} x {} points from {:g}, {:g}, {:g}, not {} "
                                     "x {} x {} from {:g}, {:g}, {:g}",
                                     a.x, a.y, a.z, other.grid.origin.x, other.grid.origin.y, other.grid.origin.z, b.x,
                                     b.y, b.z, part.grid.origin.x, part.grid.origin.y, part.grid.origin.z));
  }
}

void require_same_average(const AveragePart& part, const AveragePart& other, const std::string& other_path) {
  for (const auto& [key, value] : part.provenance.items()) {
    const Json its = other.provenance.value(key, Json());
    if (its != value)
      throw Error::in_file(
          other_path, 0,
          fmt::format("is a part of another average: its {} is {}, not {}", key, its.dump(), value.dump()));
  }
  if (part.provenance.size() != other.provenance.size() || part.unit != other.unit || part.name != other.name)
    throw Error::in_file(other_path, 0,
                         fmt::format("is a part of another average: {} in {}, not {} in {}", other.name, other.unit,
                                     part.name, part.unit));
  require_same_place(part, other, other_path);
}

void merge_parts(AveragePart& part, const AveragePart& other, const std::string& other_path) {
  require_same_average(part, other, other_path);
  const std::set<std::uint64_t> own(part.frames.begin(), part.frames.end());
  for (const std::uint64_t frame : other.frames)
    if (own.contains(frame))
      throw Error::in_file(other_path, 0, fmt::format("has frame {}, which another part has too", frame));
  part.statistics.merge(other.statistics);
  part.frames.insert(part.frames.end(), other.frames.begin(), other.frames.end());
  part.convergence = Json::array();  // the parts' own say nothing of the whole
}

std::string fingerprint(const Molecule& molecule, const Frame& frame) {
  Checksum sum;
  for (const Atom& atom : molecule.topology->atoms) {
    sum.add(atom.name.data(), atom.name.size());
    const float numbers[] = {atom.charge, atom.radius, atom.mass};
    sum.add(numbers, sizeof(numbers));
  }
  for (const Residue& residue : molecule.topology->residues) {
    sum.add(residue.name.data(), residue.name.size());
    sum.add(&residue.number, sizeof(residue.number));
  }
  sum.add(frame.positions.data(), frame.positions.size() * sizeof(glm::vec3));
  return fmt::format("{:016x}", sum.value());
}

}  // namespace isolume::cli
