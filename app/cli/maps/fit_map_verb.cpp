// isolume compute fit-map: a model moved as a whole into a density map, from its place or from anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/compute.h"
#include "app/cli/maps/map_model.h"
#include "app/documents/frames.h"
#include "compute/base/memory.h"
#include "compute/density_maps/rigid_fit.h"
#include "formats/write/write.h"
#include "molecule/atom_positions.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ModelOptions model;
  std::size_t frame = 0;
  std::string map, out, table;
  bool global = false;
  MapSearchOptions search;
};

struct Solution {
  RigidFit fit;
  double correlation = 0, rmsd = 0;  ///< with the whole map; of the atoms from where they were
};

Json json_of(const Solution& s, const RigidModel& model) {
  const glm::dquat& q = s.fit.motion.rotation;
  const glm::dvec3 shift = s.fit.motion(model.centre()) - model.centre();
  const glm::dvec3& t = s.fit.motion.translation;
  return {{"correlation", s.correlation},
          {"score", s.fit.after},
          {"rmsd_from_start", s.rmsd},
          {"angle", glm::degrees(2 * std::acos(std::min(1.0, std::abs(q.w))))},
          {"shift", {shift.x, shift.y, shift.z}},
          {"rotation", {q.w, q.x, q.y, q.z}},
          {"translation", {t.x, t.y, t.z}}};
}

class MapFit {
 public:
  MapFit(Run& run, const Options& o) : run_(run), o_(o), map_(read_map(run, o.map)) {
    molecule_ = read_model(run, o.model);
    check_frame(*molecule_, o.frame);
    frame_ = frame_at(*molecule_, o.frame);
    const auto chosen = model_atoms(o.model, *molecule_->topology, frame_);
    check_resolution(o.model.resolution, map_->grid, o.map);
    if (!o.global) check_meeting(run, map_->grid, positions_of(frame_, chosen), o.map);
    atoms_ = map_atoms(*molecule_->topology, frame_.positions, chosen, o.model.resolution, map_convention(o.model),
                       map_weights(o.model));
    model_.positions = precise_positions(frame_, chosen);
    for (const MapAtom& atom : atoms_) {
      // The integral of the Gaussian, but for a factor.
      model_.weights.push_back(static_cast<double>(atom.height) * std::pow(static_cast<double>(atom.sigma), 3));
      sigma_ += static_cast<double>(atom.sigma) / static_cast<double>(atoms_.size());
    }
    run.report.phase("read");
    run.report.grid(map_->grid);
    bytes_ = map_->grid.size() * (2 * sizeof(float)) + MapSpline::memory(map_->grid) +
             density_map_memory(atoms_, map_->grid, Device::cpu());
    require_memory(bytes_, Device::cpu(), "fit");
  }

  void compute() {
    const MapSpline map(map_->grid, smoothed_map(map_->grid, map_->values, sigma_, run_.job()));
    before_ = correlation_at({});
    if (o_.global) {
      MapSearchOptions search = o_.search;
      search.resolution = o_.model.resolution;
      search.device = run_.device;
      for (const RigidFit& fit : search_map(map, model_, search, run_.job(), &statistics_))
        solutions_.push_back({fit, correlation_at(fit.motion), rmsd_of_places(model_, {}, fit.motion)});
      std::stable_sort(solutions_.begin(), solutions_.end(),
                       [](const Solution& a, const Solution& b) { return a.correlation > b.correlation; });
    } else {
      const RigidFit fit = rigid_fit(map, model_, {}, run_.job(), run_.device);
      solutions_.push_back({fit, correlation_at(fit.motion), rmsd_of_places(model_, {}, fit.motion)});
    }
    run_.report.phase("compute");
    run_.report.memory(bytes_, peak_memory(Device::cpu()));
  }

  void finish() {
    const Solution& best = solutions_.front();
    bool cell = false;
    if (!o_.out.empty()) {
      Frame frame = moved(frame_, best.fit.motion);
      // The formats hold a cell by its lengths and angles, which say nothing of how it is turned.
      cell = frame.cell.exists();
      frame.cell = {};
      const auto writer = create_writer(o_.out, *molecule_);
      writer->add(frame);
      writer->finish();
    }
    std::string table =
        "rank,correlation,mean of the smoothed map at atoms,rmsd from start (angstrom),angle (degrees),shift x "
        "(angstrom),shift y (angstrom),shift z (angstrom),q w,q x,q y,q z,translation x (angstrom),translation y "
        "(angstrom),translation z (angstrom)\n";
    Json rows = Json::array();
    for (std::size_t i = 0; i < solutions_.size(); ++i) {
      Json row = json_of(solutions_[i], model_);
      table +=
          fmt::format("{},{:.6f},{:.8g},{:.4f},{:.4f}", i + 1, row["correlation"].get<double>(),
                      row["score"].get<double>(), row["rmsd_from_start"].get<double>(), row["angle"].get<double>());
      for (const char* part : {"shift", "rotation", "translation"}) {
        for (const Json& v : row[part]) table += fmt::format(",{:.8g}", v.get<double>());
      }
      table += "\n";
      rows.push_back(std::move(row));
    }
    if (!o_.table.empty()) write_atomically(o_.table, [&](std::ostream& out) { out << table; });
    if (o_.table.empty() && o_.out.empty()) fmt::print("{}", table);
    Json& method = run_.report.method = describe(o_.model, atoms_.size());
    method["name"] = o_.global ? "all turns and shifts by Fourier transforms, then uphill" : "uphill, quasi-Newton";
    if (o_.global) {
      method["rotations"] = statistics_.rotations;
      method["angle"] = statistics_.angle;
      method["spacing"] = statistics_.spacing;
      method["mesh"] = {statistics_.mesh.x, statistics_.mesh.y, statistics_.mesh.z};
      method["refined"] = statistics_.refined;
    }
    Json& result = run_.report.result;
    result = rows.front();
    result["correlation_before"] = std::isfinite(before_) ? Json(before_) : Json(nullptr);
    result["solutions"] = rows;
    run_.report.unit = "angstrom";
    run_.report.phase("write");
    if (cell) run_.say("note: the periodic cell is left out, since the formats cannot say how it is turned");
    const double second = solutions_.size() > 1 ? solutions_[1].correlation : 0;
    run_.say(fmt::format(
        "{}correlation {:.4f}{}, moved by {:.2f} angstrom RMS{}", o_.out.empty() ? "" : o_.out + ": ", best.correlation,
        std::isfinite(before_) ? fmt::format(" (before {:.4f})", before_) : std::string(), best.rmsd,
        solutions_.size() > 1 ? fmt::format("; {} places, the next with {:.4f}", solutions_.size(), second) : ""));
  }

 private:
  double correlation_at(const RigidMotion& motion) {
    std::vector<MapAtom> atoms = atoms_;
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].position = glm::vec3(motion(model_.positions[i]));
    const MapComparison comparison{{map_->values.data(), map_->values.size(), Device::cpu()}, 0, 0};
    return compared_density_map(atoms, map_->grid, comparison, {}, run_.job()).all.correlation();
  }

  Run& run_;
  const Options& o_;
  std::shared_ptr<const Volume> map_;
  std::shared_ptr<const Molecule> molecule_;
  Frame frame_;
  std::vector<MapAtom> atoms_;
  RigidModel model_;
  double sigma_ = 0, before_ = 0;
  std::size_t bytes_ = 0;
  std::vector<Solution> solutions_;
  MapSearchStatistics statistics_;
};

void run_fit_map(const Common& common, const Options& o) {
  if (!o.out.empty()) check_output(o.out, "pdb pqr xyz dcd");
  if (!o.table.empty()) check_output(o.table, "csv");
  Run run(common);
  MapFit fit(run, o);
  fit.compute();
  fit.finish();
  run.finish();
}

}  // namespace

void add_compute_fit_map(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "fit-map",
      "move a model as a whole into a density map, uphill from its place or by a search of all places",
      "isolume compute fit-map model.pdb --map emd.mrc --resolution 6 --out fitted.pdb\n"
      "  isolume compute fit-map subunit.pdb --map emd.mrc --resolution 10 --global --out best.pdb --table places.csv",
      [&commands, o] { run_fit_map(commands.common, *o); });
  add_model_options(command, o->model);
  command.option("--frame", o->frame, "which frame, from 0");
  command.option("--map", o->map, "the density map").type_name("FILE").required();
  command.flag("--global", o->global, "search all turns and shifts, and go uphill from the best");
  command
      .option(
          "--angle", o->search.angle,
          "degrees between turns of --global (default: three quarters of the resolution over the RMS radius, 4 to 20)")
      .range(1.0, 90.0);
  command.option("--solutions", o->search.solutions, "places of --global that are listed").range(1, 1000);
  command.option("--out", o->out, "the moved model: pdb, pqr, xyz or dcd").type_name("FILE").writes();
  command.option("--table", o->table, "csv of the places with their scores (default, without --out: stdout)")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
