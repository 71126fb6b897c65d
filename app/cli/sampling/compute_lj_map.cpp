// isolume compute lj-map: the Lennard-Jones or Buckingham energy of a probe of one site.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/sampling/probe_work.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  ProbeWorkOptions work;
  double sigma = 0, epsilon = 0;
  std::string out;
};

void check(const Options& options) {
  const bool own = options.sigma > 0 || options.epsilon > 0;
  const bool buckingham = !options.work.buckingham.empty();
  if (buckingham && (own || !options.work.probe.empty()))
    throw Error("--buckingham has the parameters of the pairs; --probe, --sigma and --epsilon are of Lennard-Jones",
                Error::Kind::usage);
  if (!buckingham && (own == !options.work.probe.empty() || (own && !(options.sigma > 0 && options.epsilon > 0))))
    throw Error("--probe names a probe of one site; else both --sigma and --epsilon are needed", Error::Kind::usage);
  if (options.work.at.empty() && options.out.empty())
    throw Error("--out is missing: where should the map go?", Error::Kind::usage);
  if (!options.out.empty())
    check_output(options.out, options.work.at.empty() ? "cube cub dx mrc map ccp4 vdb" : "csv txt dat");
}

Probe probe_asked(Run& run, const Options& options) {
  if (!options.work.buckingham.empty()) return {"the probe", options.work.buckingham, {{{0, 0, 0}, 0, 0, 0}}};
  if (options.work.probe.empty()) return {"probe", "given", {{{0, 0, 0}, options.sigma, options.epsilon, 0}}};
  Probe probe = probe_of(run, options.work.probe);
  if (probe.sites.size() != 1)
    throw Error(fmt::format("--probe {}: has {} sites, and this map is of one; compute ligand-map takes it",
                            options.work.probe, probe.sites.size()),
                Error::Kind::usage);
  return probe;
}

void run_lj_map(const Common& common, Options options) {
  check(options);
  Run run(common);
  const Probe probe = probe_asked(run, options);
  options.work.probing.mixing = mixing_of(options.work.mixing);
  ProbeOptions& probing = options.work.probing;
  const std::vector<glm::dquat> one{glm::dquat(1, 0, 0, 0)};
  const ProbeWork work = probe_work(run, options.work);
  probing.buckingham = work.laws.pairs;
  const bool buckingham = !probing.buckingham.empty();
  const std::string law = buckingham ? "Buckingham" : "Lennard-Jones";
  if (work.frames.size() != 1)
    throw Error("lj-map is of one frame; compute ligand-map averages over frames", Error::Kind::usage);
  const bool at = !options.work.at.empty();
  if (at) {
    run.report.device(Device::cpu());
  } else {
    run.report.grid(work.grid);
    require_memory(work.grid.size() * 2 * sizeof(float), Device::cpu(), "the map");
  }
  run.report.phase("read");
  const LaunchRecord record;
  const ProbedFrame frame = probed_frame(work, work.frames.front());
  run.report.method = {{"name", law}, {"cutoff", probing.cutoff}, {"selection", options.work.selection}};
  if (buckingham) {
    run.report.method["parameters"] = options.work.buckingham;
    run.report.method["kinds"] = probing.buckingham.size();
  } else {
    run.report.method["probe"] = probe.name;
    run.report.method["sigma"] = probe.sites.front().sigma;
    run.report.method["epsilon"] = probe.sites.front().epsilon;
    run.report.method["lennard_jones"] = work.parameters.source;
    run.report.method["mixing"] = options.work.mixing;
  }
  run.report.unit = options.work.unit;
  if (at) {
    std::vector<double> values(work.points.size());
    probe_energies(frame.atoms, frame.cell, probe, one, work.points, probing, values, run.job());
    for (double& value : values) value *= work.factor;
    run.report.phase("compute");
    run.report.result["points"] = values.size();
    write_values(options.out, values);
  } else {
    std::vector<float> values = probe_map(run, work, frame, probe, one, probing);
    run.report.kernels(record.entries());
    run.report.memory(work.grid.size() * 2 * sizeof(float), peak_memory(run.device));
    run.report.phase("compute");
    run.report.error = probe_error(work, frame, probe, one, probing, values, run.job());
    run.report.phase("check");
    for (float& value : values) value = static_cast<float>(static_cast<double>(value) * work.factor);
    run.report.result = range_of(values);
    const double most = probe_ceiling * work.factor;
    write_volume(
        options.out, VolumeView(work.grid, values, law + " energy", options.work.unit), work.molecule.get(),
        work.frames.front(),
        fmt::format("{} energy of {} in {}, at most {:.4g}, by Isolume", law, probe.name, options.work.unit, most));
    run.say(fmt::format("{}: {} x {} x {} points on {}, at most {:.4g} {}", options.out, work.grid.counts.x,
                        work.grid.counts.y, work.grid.counts.z, to_string(run.device), most, options.work.unit));
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_lj_map(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "lj-map", "Lennard-Jones or Buckingham energy of a probe of one site at every point",
                   "isolume compute lj-map system.prmtop system.inpcrd --probe Ar --spacing 0.5 --out ar.dx\n"
                   "  isolume compute lj-map protein.pdb --sigma 3.4 --epsilon 0.1 --mixing geometric --out c.dx\n"
                   "  isolume compute lj-map crystal.cif --buckingham pairs.csv --spacing 0.3 --out b.dx",
                   [&commands, options] { run_lj_map(commands.common, *options); });
  add_probe_work_options(command, options->work);
  command.option("--probe", options->work.probe, "Ar, CH4, H2, Xe, or a file with one atom").type_name("NAME or FILE");
  command.option("--sigma", options->sigma, "of another probe, angstrom").range(0.0, 20.0);
  command.option("--epsilon", options->epsilon, "of another probe, kcal/mol").range(0.0, 100.0);
  command
      .option("--buckingham", options->work.buckingham,
              "A exp(-B r) - C / r^6 instead: a CSV of lines kind,A,B,C (kcal/mol, 1/angstrom, kcal/mol angstrom^6) "
              "between the probe and atoms of that type, name or element, or *")
      .type_name("FILE.csv");
  command.option("--frame,--frames", options->work.frames, "which frame, from 0");
  command.option("--out", options->out, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
