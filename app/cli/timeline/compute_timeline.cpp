// isolume compute timeline: a number of every residue or atom in every frame, as a table or a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/npy.h"
#include "app/cli/maps/map_model.h"
#include "app/cli/timeline/energy_timeline.h"
#include "app/cli/timeline/timeline_svg.h"
#include "app/cli/timeline/timeline_table.h"
#include "compute/analysis/analysis.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/missing.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::string of, by = "residue", frames = ":", selection, cell, out;
  TimelineRequest request;
  std::string map;
  ModelOptions model;
  std::vector<std::string> terms;
  std::string unit = "kcal/mol";
};

constexpr const char* words[] = {"rmsd", "rmsf", "structure", "sasa", "contacts", "potential", "correlation"};

TimelineKind kind_of(const std::string& word) {
  const auto found = std::find(std::begin(words), std::end(words), word);
  return static_cast<TimelineKind>(found - std::begin(words));
}

std::string usual_selection(const Topology& topology) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    const ResidueKind kind = residue_kind(topology, i);
    if (kind == ResidueKind::protein || kind == ResidueKind::nucleic) return "protein or nucleic";
  }
  return "all";
}

// Which kinds have a body for CUDA.
bool on_device(TimelineKind kind) {
  return kind == TimelineKind::sasa || kind == TimelineKind::potential || kind == TimelineKind::correlation;
}

/// The map of --of correlation, and the model's atoms, checked as compute correlation does.
std::shared_ptr<const Volume> read_timeline_map(Run& run, Options& options, const Molecule& molecule) {
  TimelineRequest& request = options.request;
  const std::shared_ptr<const Volume> map = read_map(run, options.map);
  const Frame first = frame_at(molecule, request.frames.front());
  options.model.selected_by = "--model";
  request.map.map = map.get();
  request.map.model = model_atoms(options.model, *molecule.topology, first);
  request.map.resolution = options.model.resolution;
  request.map.convention = map_convention(options.model);
  request.map.weights = map_weights(options.model);
  check_resolution(options.model.resolution, map->grid, options.map);
  check_meeting(run, map->grid, positions_of(first, request.map.model), options.map);
  return map;
}

void check_map_options(const Options& options) {
  const bool given = !options.map.empty() || options.model.resolution > 0 || !options.model.selection.empty();
  if (options.of != "correlation") {
    if (given) throw Error("--map, --resolution and --model are of --of correlation", Error::Kind::usage);
    return;
  }
  if (options.map.empty()) throw Error("--of correlation needs --map, the density map", Error::Kind::usage);
  if (!(options.model.resolution > 0))
    throw Error("--resolution is missing: the resolution of the model's map, in angstrom", Error::Kind::usage);
}

void run_timeline(const Common& common, Options options) {
  check_map_options(options);
  if (options.of == "energy")
    return run_energy_timeline(common, {options.files, options.terms, options.unit, options.frames, options.out});
  if (!options.terms.empty()) throw Error("--terms is of --of energy", Error::Kind::usage);
  TimelineRequest& request = options.request;
  request.kind = kind_of(options.of);
  request.by_atom = options.by == "atom";
  if (request.kind == TimelineKind::structure && request.by_atom)
    throw Error("--of structure is by residue", Error::Kind::usage);
  if (!options.out.empty()) check_output(options.out, "csv npy svg");
  Run run(common, on_device(request.kind));
  for (const std::string& path : options.files) run.report.input(path);
  const auto molecule = read_molecule(options.files, {}, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  const Topology& topology = *molecule->topology;
  request.molecule = molecule.get();
  request.frames = parse_frames(options.frames, molecule->frame_count());
  request.selection = options.selection.empty() ? usual_selection(topology) : options.selection;
  request.device = run.device;
  std::shared_ptr<const Volume> map;
  if (request.kind == TimelineKind::correlation) map = read_timeline_map(run, options, *molecule);
  run.report.phase("read");
  const LaunchRecord record;
  const Timeline line = timeline(request, run.job());
  run.report.kernels(record.entries());
  run.report.memory(line.values.size() * sizeof(float), peak_memory(run.device));
  run.report.phase("compute");
  const bool structure = request.kind == TimelineKind::structure;
  if (options.out.ends_with(".npy")) {
    write_npy(options.out, line.values, line.rows.size());
  } else {
    const std::string text = options.out.ends_with(".svg") ? timeline_svg(line, request.kind, topology, request.by_atom)
                                                           : timeline_table(line, topology, request.by_atom, structure);
    if (options.out.empty()) {
      fmt::print("{}", text);
    } else {
      write_atomically(options.out, [&](std::ostream& out) { out << text; });
    }
  }
  run.report.method = {{"name", line.name},
                       {"of", options.of},
                       {"by", options.by},
                       {"selection", request.selection},
                       {"fit", request.fit.empty() ? request.selection : request.fit}};
  if (request.kind == TimelineKind::rmsf) run.report.method["window"] = request.window;
  if (request.kind == TimelineKind::contacts) {
    run.report.method["cutoff"] = request.cutoff;
    run.report.method["apart"] = request.apart;
    run.report.method["other"] = request.other;
  }
  if (map) {
    run.report.method["model"] = describe(options.model, request.map.model.size());
    run.report.method["distance"] = request.map.distance;
  }
  run.report.unit = line.unit;
  run.report.result = {{"rows", line.rows.size()}, {"frames", line.frames.size()}};
  if (!structure) run.report.result.update(range_of(line.values));
  run.report.phase("write");
  run.say(fmt::format("{}{} of {} in {}", options.out.empty() ? "" : options.out + ": ", line.name,
                      counted(line.rows.size(), options.by), counted(line.frames.size(), "frame")));
  run.finish();
}

}  // namespace

void add_compute_timeline(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "timeline", "a number of every residue or atom in every frame, as a table or a picture",
      "isolume compute timeline system.gro run.xtc --of rmsd --out rmsd.svg\n"
      "  isolume compute timeline system.psf run.dcd --of structure --frames ::10 --out structure.csv\n"
      "  isolume compute timeline run.psf run.dcd --of correlation --map emd.mrc --resolution 6 --out fit.svg\n"
      "  isolume compute timeline run.edr --of energy --terms Potential,Temperature --out energy.csv",
      [&commands, options] { run_timeline(commands.common, *options); });
  command
      .option("FILE", options->files,
              "a structure with its trajectory; for --of energy the .edr, mdout or NAMD log, perhaps with these")
      .required();
  command
      .option("--of", options->of,
              "rmsd, rmsf, structure, sasa, contacts, potential or correlation (with a density map); energy: what the "
              "simulation program wrote")
      .one_of({"rmsd", "rmsf", "structure", "sasa", "contacts", "potential", "correlation", "energy"})
      .required();
  command.option("--by", options->by, "rows: residue or atom").one_of({"residue", "atom"});
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0 (default: all)");
  command.option("--out", options->out, "csv, npy (rows x frames) or svg (default: csv to stdout)")
      .type_name("FILE")
      .writes();
  command.option("--select", options->selection, "the rows' atoms (default: protein or nucleic)");
  command.option("--fit", options->request.fit,
                 "rmsd, rmsf: what is superposed on the first frame (default: --select)");
  command.option("--window", options->request.window, "rmsf: frames of the mean, centred").range(1, 1'000'000);
  command.option("--to", options->request.other, "contacts: with which atoms (default: all)");
  command.option("--cutoff", options->request.cutoff, "contacts, angstrom").range(0.1, 100.0);
  command.option("--apart", options->request.apart, "contacts: residues of a chain nearer than this do not count")
      .range(0, 1'000'000);
  command.option("--map", options->map, "correlation: the density map").type_name("FILE");
  command.option("--resolution", options->model.resolution, "correlation: of the model's map, angstrom")
      .range(0.1, 1000.0)
      .type_name("A");
  command
      .option("--convention", options->model.convention, "correlation: width of a Gaussian, as of compute correlation")
      .one_of({"chimerax", "vmd", "fwhm"});
  command.option("--weights", options->model.weights, "correlation: of atoms").one_of({"electrons", "mass", "one"});
  command.option("--model", options->model.selection,
                 "correlation: atoms of the model (default: all but water and second alternate locations)");
  command.option("--distance", options->request.map.distance, "correlation: points within this of a row, angstrom")
      .range(0.1, 1000.0);
  command.option("--probe", options->request.probe_radius, "sasa: radius of the probe, angstrom").range(0.0, 20.0);
  command
      .option("--terms", options->terms, "energy: names of terms, as Potential,Temperature, in any case (default: all)")
      .delimiter(',');
  command.option("--unit", options->unit, "energy: unit of energies").one_of({"kcal/mol", "kJ/mol"});
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
