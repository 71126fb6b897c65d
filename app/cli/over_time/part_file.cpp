// Parts of averages: intermediate results, to be resumed or merged with others.
#include "app/cli/over_time/part_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "formats/bytes/checksum.h"
#include "formats/parts/part_file.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(glm::dvec3 v) {
  return Json::array({v.x, v.y, v.z});
}

glm::dvec3 vector_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json header_of(const AveragePart& part, const std::vector<RunningStatistics::Level>& kept) {
  Json points = Json::array();
  for (const glm::dvec3& point : part.points) points.push_back(vector_json(point));
  Json levels = Json::array();
  for (const RunningStatistics::Level& level : kept)
    levels.push_back({{"blocks", level.blocks}, {"waits", level.waits}, {"leads", level.leads}});
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
          {"convergence", part.convergence},
          {"positions", Json::array({part.statistics.range().first, part.statistics.range().next})},
          {"levels", levels}};
}

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw Error::in_file(path, 0, "is no whole part of an average: " + why);
}

// The arrays of a level; the last two only where a block is in them.
constexpr const char* level_words[] = {"mean", "squares", "waiting", "leading"};

std::vector<double> level_array(FramePart& part, std::size_t level, const char* word, std::size_t points,
                                const std::string& path) {
  const std::string name = fmt::format("{} {}", word, level);
  const auto found =
      std::find_if(part.arrays.begin(), part.arrays.end(), [&](const FrameArray& array) { return array.name == name; });
  if (found == part.arrays.end() || found->numbers.size() != points) damaged(path, "its size does not fit its points");
  return std::move(found->numbers);
}

// Whether two frames after the others go on with the same step.
bool go_on(std::span<const std::uint64_t> before, std::span<const std::uint64_t> after) {
  if (before.empty() || after.empty() || after.front() <= before.back()) return false;
  const std::uint64_t step = after.front() - before.back();
  return (before.size() < 2 || before.back() == before[before.size() - 2] + step) &&
         (after.size() < 2 || after[1] == after[0] + step);
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
  part.convergence = header.at("convergence");
}

}  // namespace

void write_part(const std::string& path, const AveragePart& part) {
  FramePart file;
  file.kind = average_kind;
  file.program = ISOLUME_VERSION;
  file.inputs = part.inputs;
  file.frames = part.frames;
  std::vector<RunningStatistics::Level> levels = part.statistics.levels();
  file.more = header_of(part, levels).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<double>* const values[] = {&levels[l].mean, &levels[l].squares, &levels[l].waiting, &levels[l].leading};
    for (std::size_t i = 0; i < std::size(level_words); ++i) {
      if (i > 1 && values[i]->empty()) continue;
      FrameArray& array = file.arrays.emplace_back();
      array.name = fmt::format("{} {}", level_words[i], l);
      array.rule = FrameArray::Rule::own;
      array.numbers = std::move(*values[i]);
    }
  }
  write_part_file(path, file);
}

AveragePart read_part(const std::string& path) {
  FramePart file = read_part_file(path);
  if (file.kind != average_kind) damaged(path, fmt::format("it is one of compute {}", file.kind));
  AveragePart part;
  part.inputs = file.inputs;
  part.frames = file.frames;
  try {
    const Json header = Json::parse(file.more);
    fill_from_header(header, part);
    if (glm::any(glm::lessThan(part.grid.counts, glm::ivec3(0)))) damaged(path, "its grid has negative counts");
    const Json& levels = header.at("levels");
    const double wanted =
        double(part.points.size()) + double(part.grid.counts.x) * part.grid.counts.y * part.grid.counts.z;
    if (levels.size() > 64 || wanted > 1e15) damaged(path, "its size does not fit its points");
    std::vector<RunningStatistics::Level> found(levels.size());
    for (std::size_t l = 0; l < found.size(); ++l) {
      found[l].blocks = levels[l].at("blocks").get<std::uint64_t>();
      found[l].waits = levels[l].at("waits").get<bool>();
      found[l].leads = levels[l].value("leads", false);
      found[l].mean = level_array(file, l, level_words[0], part.size(), path);
      found[l].squares = level_array(file, l, level_words[1], part.size(), path);
      if (found[l].waits) found[l].waiting = level_array(file, l, level_words[2], part.size(), path);
      if (found[l].leads) found[l].leading = level_array(file, l, level_words[3], part.size(), path);
    }
    const Json positions = header.value("positions", Json::array({0, part.frames.size()}));
    part.statistics = RunningStatistics(part.size(), found,
                                        {positions.at(0).get<std::uint64_t>(), positions.at(1).get<std::uint64_t>()});
  } catch (const nlohmann::json::exception& fault) {
    damaged(path, fault.what());
  }
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
  FramePart files, other_files;
  files.inputs = part.inputs;
  other_files.inputs = other.inputs;
  require_same_result(files, other_files, other_path);
}

void merge_parts(AveragePart& part, const AveragePart& other, const std::string& other_path) {
  require_same_average(part, other, other_path);
  const std::set<std::uint64_t> own(part.frames.begin(), part.frames.end());
  for (const std::uint64_t frame : other.frames)
    if (own.contains(frame))
      throw Error::in_file(other_path, 0, fmt::format("has frame {}, which another part has too", frame));
  const bool before = go_on(other.frames, part.frames);
  part.statistics.merge(other.statistics, before || go_on(part.frames, other.frames));
  part.frames.insert(before ? part.frames.begin() : part.frames.end(), other.frames.begin(), other.frames.end());
  part.convergence = Json::array();  // the parts' own say nothing of the whole
}

std::uint64_t position_of(std::span<const std::size_t> frames) {
  if (frames.empty()) return 0;
  if (frames.size() == 1) return frames.front();
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (frames[i] <= frames[i - 1] || frames[i] - frames[i - 1] != frames[1] - frames[0]) return 0;
  return frames.front() / (frames[1] - frames[0]);
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
