// isolume compute correlation: how well a model, or a map, agrees with a density map.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/cli/maps/map_model.h"
#include "compute/analysis/analysis.h"
#include "compute/analysis/resample.h"
#include "compute/base/memory.h"
#include "compute/density_maps/correlation_frames.h"
#include "compute/density_maps/map_windows.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ModelOptions model;
  std::string map, frames = "0", by, mask, out;
  std::vector<std::string> parts;
  std::optional<double> threshold;
  double distance = 4, window = 3;
};

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string cells(const MapSums& sums) {
  const auto text = [](double v) { return std::isfinite(v) ? fmt::format("{:.8f}", v) : std::string(); };
  return fmt::format("{:.0f},{},{}", sums.count, text(sums.correlation()), text(sums.about_zero()));
}

/// The parts of a model whose windows are looked at, and how each is named in the table.
struct Parts {
  std::string heading;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> groups;  ///< numbers among the chosen atoms
};

Parts parts_of(const std::string& by, const Topology& topology, std::span<const std::uint32_t> atoms) {
  Parts parts;
  parts.heading = by == "chain" ? "chain,segment" : "chain,segment,residue,number";
  if (by == "atom") parts.heading += ",atom,serial";
  std::map<std::uint32_t, std::size_t> known;
  for (std::uint32_t n = 0; n < atoms.size(); ++n) {
    const Atom& atom = topology.atoms[atoms[n]];
    const Residue& residue = topology.residues[atom.residue];
    const std::uint32_t key = by == "atom" ? atoms[n] : by == "chain" ? residue.chain : atom.residue;
    const auto [place, added] = known.try_emplace(key, parts.groups.size());
    if (added) {
      const Chain& chain = topology.chains[residue.chain];
      std::string name = fmt::format("{},{}", csv_field(chain.id), csv_field(chain.segment));
      if (by != "chain")
        name += fmt::format(",{},{}{}", csv_field(residue.name), residue.number,
                            residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
      if (by == "atom") name += fmt::format(",{},{}", csv_field(atom.name), atom.serial);
      parts.names.push_back(name);
      parts.groups.emplace_back();
    }
    parts.groups[place->second].push_back(n);
  }
  return parts;
}

/// The atoms of each selection, among the chosen ones.
Parts parts_of_selections(std::span<const std::string> selections, const Topology& topology, const Frame& frame,
                          std::span<const std::uint32_t> atoms) {
  std::map<std::uint32_t, std::uint32_t> number_of;
  for (std::uint32_t n = 0; n < atoms.size(); ++n) number_of.emplace(atoms[n], n);
  Parts parts;
  parts.heading = "selection";
  for (const std::string& words : selections) {
    std::vector<std::uint32_t> group;
    for (const std::uint32_t i : Selection(words).atoms(topology, frame))
      if (const auto found = number_of.find(i); found != number_of.end()) group.push_back(found->second);
    if (group.empty())
      throw Error(fmt::format("--part \"{}\": no atoms of the model are selected", words), Error::Kind::usage);
    parts.names.push_back(csv_field(words));
    parts.groups.push_back(std::move(group));
  }
  return parts;
}

void check_options(const Options& o) {
  if (!o.by.empty() && !o.parts.empty()) throw Error("--by and --part exclude each other", Error::Kind::usage);
  if (!o.out.empty()) check_output(o.out, "csv");
  if (o.threshold && o.mask != "threshold")
    throw Error("--threshold is the level of --mask threshold", Error::Kind::usage);
}

void write_table(const Options& o, const std::string& table) {
  if (o.out.empty()) {
    fmt::print("{}", table);
  } else {
    write_atomically(o.out, [&](std::ostream& out) { out << table; });
  }
}

/// Another map at the points of this one.
void compare_maps(Run& run, const Options& o, const Volume& map, const Volume& other) {
  if (!o.by.empty() || !o.parts.empty() || o.mask == "distance")
    throw Error("--by, --part and --mask distance need a model; FILE is a map", Error::Kind::usage);
  const bool same = other.grid == map.grid;
  const std::vector<float> values = same ? other.values : resampled(other, map.grid, run.job());
  std::vector<std::uint8_t> mask(values.size());
  std::size_t common_points = 0;
  for (std::size_t i = 0; i < values.size(); ++i) common_points += mask[i] = std::isfinite(values[i]);
  if (common_points == 0)
    throw Error(
        fmt::format("{} and {} have no points in common: their boxes do not meet", o.model.files.front(), o.map),
        Error::Kind::usage);
  const MapSums all = masked_sums(map.values, values, mask, run.job());
  std::string heading = "points,correlation,correlation about zero", line = cells(all);
  Json result{
      {"points", all.count}, {"correlation", number(all.correlation())}, {"about_zero", number(all.about_zero())}};
  if (!o.mask.empty()) {
    const double level = *o.threshold;
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] && static_cast<double>(map.values[i]) > level;
    const MapSums masked = masked_sums(map.values, values, mask, run.job());
    heading += ",masked points,masked correlation,masked correlation about zero";
    line += "," + cells(masked);
    result["masked"] = {{"points", masked.count},
                        {"correlation", number(masked.correlation())},
                        {"about_zero", number(masked.about_zero())}};
  }
  run.report.device(Device::cpu());
  run.report.method = {{"name", "correlation of two maps"}, {"resampled", same ? "no" : "trilinear"}};
  run.report.result = result;
  run.report.phase("compute");
  write_table(o, heading + "\n" + line + "\n");
  run.say(fmt::format("correlation {:.4f} over {:.0f} points", all.correlation(), all.count));
}

class ModelCorrelation {
 public:
  ModelCorrelation(Run& run, const Options& o, const Volume& map) : run_(run), o_(o), map_(map) {
    molecule_ = read_model(run, o.model);
    frames_ = parse_frames(o.frames, molecule_->frame_count());
    const Frame first = frame_at(*molecule_, frames_.front());
    chosen_ = model_atoms(o.model, *molecule_->topology, first);
    check_resolution(o.model.resolution, map.grid, o.map);
    check_meeting(run, map.grid, positions_of(first, chosen_), o.map);
    if (!o.by.empty()) parts_ = parts_of(o.by, *molecule_->topology, chosen_);
    if (!o.parts.empty()) parts_ = parts_of_selections(o.parts, *molecule_->topology, first, chosen_);
    run.report.phase("read");
    run.report.grid(map.grid);
  }

  void compute() {
    const Frame first = frame_at(*molecule_, frames_.front());
    const std::vector<MapAtom> shapes = map_atoms(*molecule_->topology, first.positions, chosen_, o_.model.resolution,
                                                  map_convention(o_.model), map_weights(o_.model));
    CorrelationFrames request{*molecule_, frames_, chosen_, shapes, map_.grid, map_.values};
    request.threshold = static_cast<float>(o_.threshold.value_or(0));
    if (o_.mask == "distance") request.mask_distance = o_.distance;
    request.groups = parts_.groups;
    request.window = o_.window;
    const std::size_t bytes = correlation_memory(request, run_.device);
    require_memory(bytes, run_.device, "correlation");
    std::vector<WorkerRecord> workers;
    FrameTimes times;
    // Shared where devices are named: reading takes longer than computing.
    const std::vector<FrameCorrelation> found =
        correlation_of_frames(request, run_.devices_for(0), workers, times, run_.job());
    run_.report.phase("compute");
    run_.report.seconds("frames_reading", times.reading);
    run_.report.seconds("frames_computing", times.computing);
    if (workers.size() > 1) run_.worked(workers);
    run_.report.memory(bytes, peak_memory(run_.device));
    for (std::size_t f = 0; f < frames_.size(); ++f) {
      add(frames_[f], found[f].all, found[f].masked);
      if (!parts_.groups.empty()) add_parts(frames_[f], found[f].groups);
    }
  }

  void finish() {
    std::string heading = "frame,";
    const bool local = !parts_.groups.empty();
    if (!local) {
      heading += "points,correlation,correlation about zero";
      if (!o_.mask.empty()) heading += ",masked points,masked correlation,masked correlation about zero";
    } else {
      heading += parts_.heading + ",points,correlation,correlation about zero";
    }
    write_table(o_, heading + "\n" + (local ? local_ : overall_));
    Json& method = run_.report.method = describe(o_.model, chosen_.size());
    method["name"] = "correlation of a model and a map";
    if (local) {
      method["by"] = o_.by.empty() ? Json(o_.parts) : Json(o_.by);
      method["window"] = o_.window;
    }
    if (!o_.mask.empty()) method["mask"] = o_.mask;
    if (o_.threshold) method["threshold"] = *o_.threshold;
    if (o_.mask == "distance") method["distance"] = o_.distance;
    Json& result = run_.report.result;
    result = rows_.front();
    result.erase("frame");
    result["frames"] = rows_;
    if (local) result["parts"] = parts_.groups.size();
    run_.report.phase("write");
    const auto value = [](const Json& v) { return v.is_null() ? NAN : v.get<double>(); };
    std::string text = fmt::format("correlation {:.4f}", value(rows_.front()["correlation"]));
    if (rows_.size() > 1)
      text += fmt::format(" in frame {}, {:.4f} in frame {}", frames_.front(), value(rows_.back()["correlation"]),
                          frames_.back());
    run_.say(fmt::format("{}{} ({} atoms, {:g} angstrom, on {})", o_.out.empty() ? "" : o_.out + ": ", text,
                         chosen_.size(), o_.model.resolution, to_string(run_.device)));
  }

 private:
  void add(std::size_t frame, const MapSums& all, const MapSums& masked) {
    overall_ += fmt::format("{},{}", frame, cells(all));
    Json row{{"frame", frame},
             {"points", all.count},
             {"correlation", number(all.correlation())},
             {"about_zero", number(all.about_zero())}};
    if (!o_.mask.empty()) {
      overall_ += "," + cells(masked);
      row["masked"] = {{"points", masked.count},
                       {"correlation", number(masked.correlation())},
                       {"about_zero", number(masked.about_zero())}};
    }
    overall_ += "\n";
    rows_.push_back(row);
  }

  void add_parts(std::size_t frame, const std::vector<MapSums>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      MapSums kept = sums[i];
      if (kept.count < 3) kept = {kept.count, 0, 0, 0, 0, 0};  // of two points any correlation is 1
      local_ += fmt::format("{},{},{}\n", frame, parts_.names[i], cells(kept));
    }
  }

  Run& run_;
  const Options& o_;
  const Volume& map_;
  std::shared_ptr<const Molecule> molecule_;
  std::vector<std::size_t> frames_;
  std::vector<std::uint32_t> chosen_;
  Parts parts_;
  std::string overall_, local_;
  Json rows_ = Json::array();
};

void run_correlation(const Common& common, Options o) {
  check_options(o);
  Run run(common);
  const std::shared_ptr<const Volume> map = read_map(run, o.map);
  if (o.mask == "threshold" && !o.threshold)
    o.threshold = 0.15 * static_cast<double>(*std::max_element(map->values.begin(), map->values.end()));
  const LaunchRecord record;
  const Molecule first = o.model.files.size() == 1 ? read_file(o.model.files.front()) : Molecule{};
  if (!first.topology && !first.volumes.empty()) {
    run.report.input(o.model.files.front());
    run.report.phase("read");
    compare_maps(run, o, *map, *first.volumes.front());
  } else {
    ModelCorrelation correlation(run, o, *map);
    correlation.compute();
    run.report.kernels(record.entries());
    correlation.finish();
  }
  run.report.unit = "1";
  run.finish();
}

}  // namespace

void add_compute_correlation(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "correlation", "how well a model agrees with a density map: overall, masked, by residue, per frame",
      "isolume compute correlation model.pdb --map emd.mrc --resolution 6 --by residue --out fit.csv\n"
      "  isolume compute correlation run.psf run.dcd --frames : --map emd.mrc --resolution 8 --out frames.csv\n"
      "  isolume compute correlation half1.mrc --map half2.mrc",
      [&commands, o] { run_correlation(commands.common, *o); });
  add_model_options(command, o->model);
  command.option("--map", o->map, "the density map to agree with").type_name("FILE").required();
  command.option("--by", o->by, "local correlation in a window around each residue, atom or chain")
      .one_of({"residue", "atom", "chain"});
  command.option("--part", o->parts, "local correlation around the atoms of a selection; several times for several")
      .repeated()
      .type_name("SELECTION");
  command.option("--window", o->window, "angstrom around the atoms of each part, with --by or --part")
      .range(0.1, 1000.0);
  command
      .option("--mask", o->mask,
              "also the correlation over points where the map is above --threshold, or within --distance of atoms")
      .one_of({"threshold", "distance"});
  command.option("--threshold", o->threshold, "level in the map's unit (default: 0.15 of its largest value)");
  command.option("--distance", o->distance, "angstrom from the nearest atom").range(0.1, 1000.0);
  command.option("--frame,--frames", o->frames, "A:B:STEP (B excluded), or one frame, from 0");
  command.option("--out", o->out, "csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
