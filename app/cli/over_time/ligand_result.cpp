// The result of compute ligand-map, from one run or from parts: maps, table and part files.
#include "app/cli/over_time/ligand_result.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "compute/sampling/probe_field.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double no_error = -1;  // in maps, which hold numbers alone
constexpr const char* maps = "cube cub dx mrc map ccp4 vdb";

Json vector_json(glm::dvec3 v) {
  return Json::array({v.x, v.y, v.z});
}

glm::dvec3 vector_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

std::string table_of(const LigandResult& result, const LigandAverage& average, std::size_t points) {
  std::string text = fmt::format("free energy ({0}),error ({0}),effective frames\n", result.unit);
  for (std::size_t p = 0; p < points; ++p) {
    const LigandPoint point = average.at(p);
    text += fmt::format("{:.9g},{},{:.4f}\n", point.free_energy * result.factor,
                        std::isfinite(point.error) ? fmt::format("{:.6g}", point.error * result.factor) : "",
                        point.effective);
  }
  return text;
}

}  // namespace

void check_ligand_outputs(const LigandOutputs& outputs, bool at) {
  if (at && (!outputs.error_out.empty() || !outputs.frames_out.empty()))
    throw Error("with --at one table has all: neither --error-out nor --frames-out belongs to it", Error::Kind::usage);
  if (!outputs.out.empty()) check_output(outputs.out, at ? "csv txt dat" : maps);
  if (!outputs.error_out.empty()) check_output(outputs.error_out, maps);
  if (!outputs.frames_out.empty()) check_output(outputs.frames_out, maps);
}

void write_ligand(const LigandResult& result, const LigandAverage& average, const LigandOutputs& outputs,
                  const Molecule* molecule, std::size_t frame) {
  const std::size_t points = average.squares().size();
  if (result.at) {
    const std::string text = table_of(result, average, points);
    if (outputs.out.empty()) {
      fmt::print("{}", text);
    } else {
      write_atomically(outputs.out, [&](std::ostream& out) { out << text; });
    }
    return;
  }
  const std::string made = fmt::format("{}, {}", result.made, counted(average.frames(), "frame"));
  const auto write = [&](const std::string& path, const std::string& name, const std::string& unit,
                         const std::string& comment, const auto& value) {
    if (path.empty()) return;
    std::vector<float> values(points);
    for (std::size_t p = 0; p < points; ++p) values[p] = static_cast<float>(value(average.at(p)));
    write_volume(path, VolumeView(result.grid, values, name, unit), molecule, frame,
                 fmt::format("{}{}, by Isolume", comment, made));
  };
  const double factor = result.factor;
  write(outputs.out, "free energy of the probe", result.unit,
        fmt::format("free energy in {}, at most {:.4g} ({} kT), ", result.unit, probe_ceiling * factor, probe_ceiling),
        [&](const LigandPoint& p) { return static_cast<double>(static_cast<float>(p.free_energy)) * factor; });
  write(outputs.error_out, "jackknife error of the free energy", result.unit,
        fmt::format("jackknife error in {}, -1: none to be had, ", result.unit),
        [&](const LigandPoint& p) { return std::isfinite(p.error) ? p.error * factor : no_error; });
  write(outputs.frames_out, "effective number of frames", "", "effective number of frames, ",
        [](const LigandPoint& p) { return p.effective; });
}

FramePart ligand_part(const LigandResult& result, const LigandAverage& average, std::vector<std::uint64_t> frames) {
  using Rule = FrameArray::Rule;
  FramePart part;
  part.kind = ligand_kind;
  part.frames = std::move(frames);
  const Grid& grid = result.grid;
  // In `fixed`, since it has to be the same in all parts.
  const Json about{{"at", result.at},
                   {"unit", result.unit},
                   {"factor", result.factor},
                   {"origin", vector_json(grid.origin)},
                   {"step", {vector_json(grid.step[0]), vector_json(grid.step[1]), vector_json(grid.step[2])}},
                   {"counts", {grid.counts.x, grid.counts.y, grid.counts.z}}};
  part.fixed = {{"probe", result.made}, {"grid", about.dump()}};
  FrameArray shape{"points and frames of all parts", Rule::same, 1, {}, true}, sums{"weights", Rule::sum, 1, {}},
      squares{"squares of weights", Rule::sum, 1, {}}, counts{"frames of blocks", Rule::sum, 1, {}};
  shape.counts = {average.squares().size(), average.all_frames()};
  sums.numbers.assign(average.sums().begin(), average.sums().end());
  squares.numbers.assign(average.squares().begin(), average.squares().end());
  counts.numbers.assign(average.counts().begin(), average.counts().end());
  for (FrameArray* array : {&shape, &sums, &squares, &counts}) part.arrays.push_back(std::move(*array));
  return part;
}

LigandResult ligand_result_of(const FramePart& part) {
  LigandResult result;
  result.made = part.text("probe");
  try {
    const Json about = Json::parse(part.text("grid"));
    result.at = about.at("at").get<bool>();
    result.unit = about.at("unit").get<std::string>();
    result.factor = about.at("factor").get<double>();
    result.grid.origin = vector_of(about.at("origin"));
    for (int axis = 0; axis < 3; ++axis) {
      result.grid.step[axis] = vector_of(about.at("step").at(static_cast<std::size_t>(axis)));
      result.grid.counts[axis] = about.at("counts").at(static_cast<std::size_t>(axis)).get<int>();
    }
  } catch (const nlohmann::json::exception& fault) {
    throw Error(fmt::format("the part lacks the data of a ligand map: {}", fault.what()), Error::Kind::input);
  }
  const glm::ivec3 counts = result.grid.counts;
  const double points = static_cast<double>(part.array("squares of weights").numbers.size());
  if (!result.at &&
      (counts.x < 1 || counts.y < 1 || counts.z < 1 || static_cast<double>(counts.x) * counts.y * counts.z != points))
    throw Error("the part has not as many values as its grid has points", Error::Kind::input);
  return result;
}

LigandAverage ligand_average_of(const FramePart& part) {
  const std::vector<std::uint64_t>& shape = part.array("points and frames of all parts").counts;
  if (shape.size() != 2) throw Error("the part has not what belongs to a ligand map", Error::Kind::input);
  return {shape[0], shape[1], part.array("weights").numbers, part.array("squares of weights").numbers,
          part.array("frames of blocks").numbers};
}

}  // namespace isolume::cli
